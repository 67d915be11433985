import type { BenchRow } from '../table.ts'
import type { Turns } from './in-turns.ts'

/** The rows of one subject and its floor: the target applies to the mean of a turn; the median operation is for comparison. */
export function compared(
  { means, medians }: Turns,
  subject: { readonly key: string; readonly name: string; readonly floor: string; readonly most: number | undefined },
): readonly BenchRow[] {
  const { key, name, floor, most } = subject
  const ratio = means.ratio(key, 'sum')
  const target = most === undefined ? {} : { target: `≤ ${most}×`, ok: ratio <= most }
  return [
    { name, median: means.median(key), unit: 'ns', ratio: `${ratio.toFixed(2)}× ${floor}`, ...target },
    {
      name: `${name}, median`,
      median: medians.median(key),
      unit: 'ns',
      ratio: `${medians.ratio(key, 'sum').toFixed(2)}× ${floor}`,
    },
  ]
}
