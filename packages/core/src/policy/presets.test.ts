import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { embeddedPresets } from '../../../../scripts/embed-presets.ts'
import type { Crypto } from '../ports/crypto.ts'
import { createHermeticJudge, TEST_PLACES } from './hermetic-judge.ts'
import { loadPolicy } from './load-policy.ts'
import { PRESET_NAMES } from './preset-name.ts'
import { loadBuiltin, loadPreset } from './presets.ts'
import { formatTestResult, type JudgeTest, runPolicyTests } from './test-policy.ts'

const crypto = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Crypto

function judgeUnder(preset: string): JudgeTest {
  const file = { layer: 'user', name: 'policy.yaml', text: `version: 1\npreset: ${preset}\n`, trusted: false } as const
  const loaded = loadPolicy([file], { checkers: [], crypto })
  if (loaded.kind === 'refused') throw new Error(loaded.problems[0]?.message)
  return createHermeticJudge(loaded.policy, crypto)
}

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

  it('passes its own cases, and those that protect the gate', async () => {
    const cases = [...loadPreset(name).tests, ...loadBuiltin().tests]
    const results = await runPolicyTests(cases, judgeUnder(name), TEST_PLACES)
    expect(results.filter(({ status }) => status === 'fail').map(formatTestResult)).toEqual([])
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

describe.each(['balanced', 'permissive', 'classic'])('under %s an agent may still look: ', (preset) => {
  it.each(['countersign held', 'countersign journal tail', 'countersign policy explain', 'countersign grants list'])(
    '%s',
    async (command) => {
      expect(await judgeUnder(preset)({ tool: 'execute_command', args: { command } }, null)).toMatchObject({
        supervision: 'automatic',
      })
    },
  )

  it.each(['cat ~/.countersign/policy.yaml', 'countersign policy lint ~/.countersign/policy.d/a.yaml'])(
    '%s is not denied',
    async (command) => {
      expect(await judgeUnder(preset)({ tool: 'execute_command', args: { command } }, null)).not.toMatchObject({
        supervision: 'deny',
      })
    },
  )
})

it('the embedded text is that of the YAML files (node scripts/embed-presets.ts)', () => {
  expect(readFileSync(new URL('presets/embedded.ts', import.meta.url), 'utf8')).toBe(embeddedPresets())
})
