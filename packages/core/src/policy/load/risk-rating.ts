import { DEFAULT_THRESHOLDS, type Thresholds } from '../../risk/report/thresholds.ts'
import type { Rating } from '../model/rule.ts'
import type { FileRating } from '../parse/policy-file.ts'

/**
 * What all files say together. A person's lowest thresholds count, in place of the usual ones; a managed file may only
 * lower them further. A server is trusted when the person says so and no file objects.
 */
export function ratingOf(files: readonly FileRating[]): Rating {
  const lowest = (of: (one: Partial<Thresholds>) => number | undefined, usual: number): number => {
    const said = (managed: boolean) =>
      files.filter(({ layer }) => (layer === 'managed') === managed).flatMap(({ thresholds }) => of(thresholds) ?? [])
    const own = said(false)
    return Math.min(own.length === 0 ? usual : Math.min(...own), ...said(true))
  }
  const named = files.flatMap(({ servers }) => servers)
  const objected = new Set(named.filter(([, trusted]) => !trusted).map(([name]) => name))
  return {
    thresholds: {
      records: lowest(({ records }) => records, DEFAULT_THRESHOLDS.records),
      amount: lowest(({ amount }) => amount, DEFAULT_THRESHOLDS.amount),
    },
    trustedServers: new Set(named.filter(([name, trusted]) => trusted && !objected.has(name)).map(([name]) => name)),
  }
}
