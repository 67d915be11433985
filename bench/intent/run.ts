import { readIntent } from '../../packages/core/src/intent/read-intent.ts'
import { median } from '../interleave.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { formatText } from '../table.ts'

/** How many times longer ten times the text may take. */
const LINEAR = 12

/** Worst cases for readers that scan text repeatedly. */
const ADVERSARIAL: readonly (readonly [name: string, unit: string])[] = [
  ['if', 'if '],
  ['not', 'not '],
  ['will', 'this will not if delete and '],
  ['open quotes', '"a \' “ « '],
  ['no spaces', 'delete'],
  ['nested Markdown', '> - **`` ` '],
  ['announcements', 'I will delete 500 users and '],
  ['questions', 'should I delete it? '],
  ['tags', '<confirm [ {"risk_level": '],
  ['Chinese', '我将删除'],
]

/**
 * Reads 100 KB and 1 MB of adversarial text: the time must grow linearly. CPU time of this thread, the best of several
 * rounds each, which excludes other load.
 */
export function benchIntent({ quick }: { readonly quick: boolean }): BenchTable {
  const turns = quick ? 3 : 5
  for (const [, unit] of ADVERSARIAL) time(fill(unit, 100_000), 3) // so that the first row does not include compilation
  const rows = ADVERSARIAL.map(([name, unit]): BenchRow => {
    const [small, large] = [fill(unit, 100_000), fill(unit, 1_000_000)]
    const samples = Array.from({ length: turns }, () => ({ few: time(small, 10) / 10, many: time(large, 1) }))
    const ratio = Math.min(...samples.map(({ many }) => many)) / Math.min(...samples.map(({ few }) => few))
    return {
      name: `1 MB of ${name}`,
      median: median(samples.map(({ many }) => many)),
      unit: 'ms',
      ratio: `${ratio.toFixed(1)}× 100 KB`,
      target: `≤ ${LINEAR}×`,
      ok: ratio <= LINEAR,
    }
  })
  return { title: 'Intent: time over length', rows }
}

function fill(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}

function time(text: string, times: number): number {
  const start = process.threadCpuUsage()
  for (let turn = 0; turn < times; turn++) readIntent(text)
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

if (import.meta.main) console.log(formatText(benchIntent({ quick: false })))
