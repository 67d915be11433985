import type { Held } from '../approval/request/held.ts'
import type { Judgement } from '../approval/request/judgement.ts'
import { snapshotTargets } from '../approval/request/target-snapshot.ts'
import { canonicalJson } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import { answerOr } from '../ports/maybe-promise.ts'
import type { TargetState, Targets } from '../ports/targets.ts'

/** Whether the call names nothing that could change: then there is nothing to look at. */
export function namesNothing({ named, risk }: Judgement, held: Held | null): boolean {
  return named.length === 0 && (held === null || (held.targets.length === 0 && risk.parts.length === 0))
}

/**
 * Looks again, at the last moment we own, whether everything still leads where it led and holds what it held.
 * Returns the name of the first thing that changed, or null. SECURITY: A7.
 */
export async function findDrift(judgement: Judgement, held: Held | null, targets: Targets): Promise<string | null> {
  for (const { given, cwd, real } of judgement.named) {
    const now = await answerOr(() => targets.resolve(given, cwd), null)
    if (now !== real) return given
  }
  if (held === null) return null
  const now = await snapshotTargets(judgement, targets)
  return firstDifference(held.targets, now)
}

function firstDifference(before: readonly TargetState[], now: readonly TargetState[]): string | null {
  for (const [at, state] of before.entries()) {
    const other = now[at]
    if (other === undefined || canonicalJson(other as unknown as Json) !== canonicalJson(state as unknown as Json))
      return state.given
  }
  return now[before.length]?.given ?? null
}
