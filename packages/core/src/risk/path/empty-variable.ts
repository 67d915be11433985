import { finding, type RiskFinding } from '../report/finding.ts'
import type { LocatedPath } from './located-path.ts'

/** A variable at the start of a path with a slash behind it: empty, it leaves a path from the root folder. */
const HAZARD = /^["']?\$(?:\{(\w{1,64})\}|(\w{1,64}))["']?\//

/** Rates the deletion of `"$NAME/…"` whose variable nobody set: were it empty, it would start at the root folder. */
export function rateEmptyVariable(path: LocatedPath): RiskFinding | null {
  if (path.use !== 'delete' || path.at !== null) return null
  const found = HAZARD.exec(path.given)
  const name = found?.[1] ?? found?.[2]
  return name === undefined
    ? null
    : finding('high', 'path.empty-variable', `deletes from the root folder if \`$${name}\` is empty`, 'no')
}
