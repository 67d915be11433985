import type { RiskFinding } from './finding.ts'
import { riskRank } from './level.ts'
import type { PathUse, RiskReport } from './report.ts'

/** How far the worst of what was found reaches, and what it acts on; a path it changes where nothing else is named. */
export function extentOf(
  findings: readonly RiskFinding[],
  paths: readonly PathUse[],
): Pick<RiskReport, 'magnitude' | 'target'> {
  let worst: RiskFinding | undefined
  for (const one of findings) {
    if (worst === undefined || riskRank(one.level) > riskRank(worst.level)) worst = one
    else if (one.level === worst.level && worst.extent === undefined && one.extent !== undefined) worst = one
  }
  const changed = paths.filter((path) => path.use === 'write' || path.use === 'delete')
  const named = changed.length > 0 ? changed : paths
  const { reach, count, target } = worst?.extent ?? {}
  return {
    magnitude: { reach: reach ?? reachOf(named), ...(count === undefined ? {} : { count }) },
    target: target ?? named[0]?.given ?? null,
  }
}

function reachOf(paths: readonly PathUse[]): RiskReport['magnitude']['reach'] {
  if (paths.some((path) => path.within !== undefined)) return 'several'
  if (paths.length === 0) return 'unknown'
  return paths.length === 1 ? 'one' : 'several'
}
