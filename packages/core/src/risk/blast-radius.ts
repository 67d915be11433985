import type { RiskFinding } from './report/finding.ts'
import { riskRank } from './report/level.ts'
import type { PathUse, RiskReport } from './report/report.ts'

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
  const extent = worst?.extent
  const count = extent?.count
  const named = paths.length === 0 ? paths : changedOf(paths)
  const reach = extent?.reach ?? reachOf(named)
  return {
    magnitude: count === undefined ? { reach } : { reach, count },
    target: extent?.target ?? named[0]?.given ?? null,
  }
}

/** The paths that are changed; all of them where none is. */
function changedOf(paths: readonly PathUse[]): readonly PathUse[] {
  const changed: PathUse[] = []
  for (const path of paths) if (path.use === 'write' || path.use === 'delete') changed.push(path)
  return changed.length > 0 ? changed : paths
}

function reachOf(paths: readonly PathUse[]): RiskReport['magnitude']['reach'] {
  if (paths.length === 0) return 'unknown'
  for (const path of paths) if (path.within !== undefined) return 'several'
  return paths.length === 1 ? 'one' : 'several'
}
