import type { Call } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { openWorld } from '../support/world.ts'

/** Expressions that cost a backtracking engine squares, cubes or powers; the first is the seed's own. */
const EXPRESSIONS = [
  '(user|you).*(has|have|already).*(approved|confirmed|agreed).*(this|it)',
  '(x+x+)+y',
  '(a|aa)+$',
  '(.*a){12}b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*)(.*)(.*)(.*)=.*',
  '^(a?){30}a{30}$',
  '(a*)*b',
]

/** The quickest of several: what the work costs when nobody else has the processor. */
async function quickest(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 7; turn += 1) {
    const start = performance.now()
    await work()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

describe('A25: no pattern of a policy costs more than a pass over the text', () => {
  it.each(EXPRESSIONS)(
    '%s',
    async (expression) => {
      const rule = `  - { id: r, tool: t, args: { text: { regex: '${expression}' } }, supervision: deny }`
      const world = await openWorld({ policy: `version: 1\nrules:\n${rule}\n` })
      const call = (tool: string, length: number): Call => ({ tool, args: { text: 'a'.repeat(length) } })
      const cost = (tool: string, length: number): Promise<number> =>
        quickest(() => world.gate.explain(call(tool, length)))
      await cost('t', 1000) // compiled, and warm
      const short = await cost('t', 15_000)
      const long = await cost('t', 60_000)
      expect(long / Math.max(short, 0.5), 'four times the text, and no more than sixteen times the time').toBeLessThan(
        16,
      )
      const plain = await cost('u', 1_000_000)
      const huge = await cost('t', 1_000_000)
      expect(huge / plain, 'a megabyte costs what it costs without the rule').toBeLessThan(8)
      const { verdict } = await world.gate.explain(call('t', 1_000_000))
      expect(['manual', 'deny'], 'what could not be searched is not taken for harmless').toContain(verdict.supervision)
      await world.close()
    },
    30_000,
  )

  it('globs of many stars, over long names and paths, are as quick', async () => {
    const stars = `${'*a'.repeat(60)}*b`
    const policy = `version: 1\nrules:\n  - { id: r, tool: t, args: { text: { glob: "${stars}" } }, supervision: deny }\n  - { id: p, path: { glob: ["**/${'*a'.repeat(30)}/**/x"] }, supervision: deny }\n`
    const world = await openWorld({ policy })
    expect(world.gate.policyProblems()).toEqual([])
    const call = (length: number): Call => ({
      tool: 't',
      args: { text: 'a'.repeat(length) },
      description: { kind: 'write', paths: [`/${'aaaa/'.repeat(Math.min(800, length / 20))}y`] },
    })
    await quickest(() => world.gate.explain(call(1000)))
    const short = await quickest(() => world.gate.explain(call(15_000)))
    const long = await quickest(() => world.gate.explain(call(60_000)))
    expect(long / Math.max(short, 0.5)).toBeLessThan(16)
    await world.close()
  })
})
