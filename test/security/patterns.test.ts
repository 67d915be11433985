import type { Call } from '@countersign/core'
import { openWorld } from '@countersign/testing/gate/world'
import { over, timesAsLong } from '@countersign/testing/time-ratio'
import { describe, expect, it } from 'vitest'

/** Expressions with quadratic, cubic or exponential cost in a backtracking engine; the first is a real intent pattern. */
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

describe('A25: policy patterns match in linear time', () => {
  it.each(EXPRESSIONS)('%s', async (expression) => {
    const rule = `  - { id: r, tool: t, args: { text: { regex: '${expression}' } }, supervision: deny }`
    const world = await openWorld({ policy: `version: 1\nrules:\n${rule}\n` })
    const call = (tool: string, length: number): Call => ({ tool, args: { text: 'a'.repeat(length) } })
    const explaining = (tool: string, length: number) => () => world.gate.explain(call(tool, length))
    const grown = await timesAsLong(explaining('t', 60_000), over(4, explaining('t', 15_000)), 4)
    expect(grown, 'four times the text in one, and less than four times the time').toBeLessThan(4)
    const added = await timesAsLong(explaining('t', 1_000_000), explaining('u', 1_000_000), 8)
    expect(added, 'a megabyte costs what it costs without the rule').toBeLessThan(8)
    const { verdict } = await world.gate.explain(call('t', 1_000_000))
    expect(['manual', 'deny'], 'what could not be searched is not taken for harmless').toContain(verdict.supervision)
    await world.close()
  })

  it('globs with many stars are linear too, on long names and paths', async () => {
    const stars = `${'*a'.repeat(60)}*b`
    const policy = `version: 1\nrules:\n  - { id: r, tool: t, args: { text: { glob: "${stars}" } }, supervision: deny }\n  - { id: p, path: { glob: ["**/${'*a'.repeat(30)}/**/x"] }, supervision: deny }\n`
    const world = await openWorld({ policy })
    expect(await world.gate.policyProblems()).toEqual([])
    const call = (length: number): Call => ({
      tool: 't',
      args: { text: 'a'.repeat(length) },
      description: { kind: 'write', paths: [`/${'aaaa/'.repeat(Math.min(800, length / 20))}y`] },
    })
    const explaining = (length: number) => () => world.gate.explain(call(length))
    expect(await timesAsLong(explaining(60_000), over(4, explaining(15_000)), 4)).toBeLessThan(4)
    await world.close()
  })
})
