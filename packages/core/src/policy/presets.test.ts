import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { embeddedPresets } from '../../../../scripts/embed-presets.ts'
import { PRESET_NAMES } from './preset-name.ts'
import { loadBuiltin, loadPreset } from './presets.ts'

/** The table of the design: what each preset answers where no rule speaks. */
const TABLE = {
  paranoid: ['notify', 'confirm', 'confirm', 'manual', 'deny', 'manual'],
  balanced: ['automatic', 'automatic', 'confirm', 'confirm', 'manual', 'confirm'],
  permissive: ['automatic', 'automatic', 'notify', 'confirm', 'manual', 'confirm'],
  'read-only': ['automatic', 'deny', 'deny', 'deny', 'deny', 'deny'],
  classic: ['automatic', 'automatic', 'automatic', 'automatic', 'automatic', 'automatic'],
} as const

describe.each(PRESET_NAMES)('the preset %s', (name) => {
  it('answers as the design says', () => {
    const { row } = loadPreset(name)
    const { none, low, medium, high, critical } = row?.byRisk ?? {}
    expect([none, low, medium, high, critical, row?.undescribed]).toEqual(TABLE[name])
    expect(row?.ignoresDeclarations).toBe(name === 'classic')
  })

  it('brings cases of its own', () => {
    expect(loadPreset(name).tests.length).toBeGreaterThan(2)
  })

  it('has no rule that loosens its own row', () => {
    for (const rule of loadPreset(name).rules) expect(rule.floor || rule.supervision === 'deny', rule.id).toBe(true)
  })
})

describe('what protects the gate', () => {
  it('only denies', () => {
    expect(loadBuiltin().rules.map(({ id, supervision }) => [id, supervision])).toEqual([
      ['gate-files', 'deny'],
      ['gate-secrets', 'deny'],
      ['self-approval', 'deny'],
    ])
  })

  it('leaves reading free: no verb that only shows is denied', () => {
    const verbs = loadBuiltin().rules.flatMap(({ when }) => when.command?.verb ?? [])
    expect(verbs).toEqual(['approve', 'reject', 'trust', 'approvers'])
  })
})

it('the embedded text is that of the YAML files (node scripts/embed-presets.ts)', () => {
  expect(readFileSync(new URL('presets/embedded.ts', import.meta.url), 'utf8')).toBe(embeddedPresets())
})
