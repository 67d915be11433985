import type { ClearedCall } from '../approval/outcome/permission.ts'
import { snapshotTargets } from '../approval/request/target-snapshot.ts'
import { canonicalJson } from '../call/json/canonical.ts'
import { answerOr } from '../ports/maybe-promise.ts'
import type { TargetState, Targets } from '../ports/targets.ts'

/**
 * Checks, as late as possible, whether every path still leads where it led and every target still holds what it held.
 * Returns the name of the first that changed, or null. SECURITY: A7.
 */
export function findDrift(cleared: ClearedCall, targets: Targets): Promise<string | null> | null {
  const { judgement, held } = cleared
  const hasTargets = held !== null && (held.body.targets.length > 0 || judgement.risk.parts.length > 0)
  return judgement.named.length === 0 && !hasTargets ? null : compareTargets(cleared, targets)
}

async function compareTargets({ judgement, held }: ClearedCall, targets: Targets): Promise<string | null> {
  for (const { given, cwd, real } of judgement.named) {
    const now = await answerOr(() => targets.resolve(given, cwd), null)
    if (now !== real) return given
  }
  if (held === null) return null
  return firstDifference(held.body.targets, await snapshotTargets(judgement, targets))
}

function firstDifference(before: readonly TargetState[], now: readonly TargetState[]): string | null {
  for (const [at, state] of before.entries()) {
    const other = now[at]
    if (other === undefined || canonicalJson(other) !== canonicalJson(state)) return state.given
  }
  return now[before.length]?.given ?? null
}
