import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRows } from './harness/row.ts'
import { type Arena, type Attacked, openArena, runAttack, stepText } from './harness/run-row.ts'
import { PRESETS, type Preset, type SandboxMode } from './harness/run-steps.ts'
import { IS_FULL, selectRows } from './harness/selection.ts'

const LONG_MS = IS_FULL ? 3_600_000 : 300_000

let arena: Arena
beforeAll(async () => {
  arena = await openArena()
})
afterAll(() => arena.close())

/** The rows that did harm, each with what happened. */
async function harmful(preset: Preset, sandbox: SandboxMode, part: number): Promise<readonly Attacked[]> {
  const found: Attacked[] = []
  for (const row of selectRows(part, PRESETS.indexOf(preset))) {
    const attacked = await runAttack(row, { preset, sandbox }, arena)
    if (attacked.harms.length > 0) found.push(attacked)
  }
  return found
}

function lineOf({ row, harms }: Attacked): string {
  const what = harms.map(({ harm, detail }) => `${harm} (${detail})`).join(', ')
  return `${row.class}/${row.id}: ${what}: ${row.attack.map(stepText).join(' ⏎ ')}`
}

describe('the attacks', () => {
  it('are at least 564 of one step and 506 of several, of every class', () => {
    const rows = readRows()
    const chains = rows.filter(({ attack }) => attack.length > 1)
    expect(chains.length).toBeGreaterThanOrEqual(506)
    expect(rows.length - chains.length).toBeGreaterThanOrEqual(564)
    expect(new Set(rows.map(({ harm }) => harm)).size).toBe(8)
    const open = rows.filter((row) => row.open_contained !== undefined)
    expect(open.map(({ id, harm }) => [id, harm])).toEqual([
      ['chain-project-env-node', 'secret'],
      ['chain-project-env-test', 'secret'],
    ])
  })

  it.skipIf(!IS_FULL)(
    'do their harm where nothing stops them',
    async () => {
      // The gate protects approval in any case, and the tool ends the processes a command leaves behind.
      const provable = selectRows(1).filter(({ harm }) => !['approved', 'alive'].includes(harm))
      const tame: string[] = []
      for (const row of provable) {
        const { harms } = await runAttack(row, 'bare', arena)
        if (!harms.some(({ harm }) => harm === row.harm)) tame.push(row.id)
      }
      expect(tame).toEqual([])
    },
    LONG_MS,
  )
})

describe('with a sandbox', () => {
  it.each(PRESETS)(
    'does no harm outside the workspace unasked under %s, but for the rows known to be open',
    async (preset) => {
      const found = await harmful(preset, 'real', preset === 'balanced' ? 5 : 24)
      expect(found.filter(({ row }) => row.open_contained === undefined).map(lineOf)).toEqual([])
    },
    LONG_MS,
  )
})

describe('without a sandbox', () => {
  it.each(PRESETS)(
    'does no harm unasked under %s, but for the rows known to be open',
    async (preset) => {
      const found = await harmful(preset, 'none', preset === 'balanced' ? 10 : 24)
      expect(found.filter(({ row }) => row.open === undefined).map(lineOf)).toEqual([])
    },
    LONG_MS,
  )
})
