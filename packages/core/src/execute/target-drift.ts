import type { ClearedCall } from '../approval/outcome/permission.ts'
import type { HeldCall } from '../approval/request/held-call.ts'
import { snapshotTargets } from '../approval/request/target-snapshot.ts'
import { canonicalJson } from '../call/json/canonical.ts'
import { unseenFor } from '../policy/evaluate/unseen-changes.ts'
import { answerOr } from '../ports/maybe-promise.ts'
import type { Ports } from '../ports/ports.ts'
import type { TargetState, Targets } from '../ports/targets.ts'
import { changeNotShown } from '../preview/kinds/unseen.ts'
import { BOUND_BYTES, type BoundFile } from '../risk/path/file-look.ts'
import { READ_LIMITS } from '../runners/reading/project-reader.ts'
import type { SeenThrough } from '../runners/reading/seen-through.ts'

/**
 * Checks, as late as possible, whether every path still leads where it led and every target still holds what it held.
 * Returns the name of the first that changed, or null. SECURITY: A7.
 */
export function findDrift(
  cleared: ClearedCall,
  ports: Pick<Ports, 'targets' | 'store' | 'files' | 'crypto'>,
): Promise<string | null> | null {
  const { judgement, held, permit } = cleared
  const { targets } = ports
  // SECURITY: A7 code that changed after it was shown is not what was approved.
  if (held !== null && permit.contain === null && judgement.risk.parts.length > 0)
    return compareTargets(cleared, targets).then((drifted) => drifted ?? findNewCode(judgement, held, ports))
  const hasTargets = held !== null && (held.body.targets.length > 0 || judgement.risk.parts.length > 0)
  const isSeen = judgement.circumstances.seen !== undefined
  return judgement.named.length === 0 && !hasTargets && !isSeen ? null : compareTargets(cleared, targets)
}

async function compareTargets({ judgement, held }: ClearedCall, targets: Targets): Promise<string | null> {
  for (const { given, cwd, real } of judgement.named) {
    const now = await answerOr(() => targets.resolve(given, cwd), null)
    if (now !== real) return given
  }
  const changed =
    (await findChangedFile(judgement.circumstances.seen, targets)) ??
    (await findUnbound(judgement.circumstances.bound ?? [], targets))
  if (changed !== null || held === null) return changed
  return firstDifference(held.body.targets, await snapshotTargets(judgement, targets))
}

/** A file that the command runs, and that is no longer what was read when the call was judged. */
async function findChangedFile(seen: SeenThrough | undefined, targets: Targets): Promise<string | null> {
  if (seen === undefined) return null
  for (const { path, sha256 } of seen.files) {
    if (sha256 === null) continue
    const state = await answerOr(() => targets.look(path, '/', READ_LIMITS.fileBytes), null)
    if (state?.content !== sha256) return path
  }
  for (const path of seen.absent) {
    const facts = await answerOr(() => targets.facts(path, '/'), null)
    if (facts?.type !== 'absent') return path
  }
  return null
}

/** A file that was read to judge the call, and that is no longer the same. */
async function findUnbound(bound: readonly BoundFile[], targets: Targets): Promise<string | null> {
  for (const { path, content } of bound) {
    const state = await answerOr(() => targets.look(path, '/', BOUND_BYTES), null)
    if (state?.content !== content) return path
  }
  return null
}

/**
 * The first change that the command could load now, and that was not on the card. A submitted call is judged again when it
 * is collected, so its judgement may know of changes that came after the card.
 */
async function findNewCode(
  { risk, circumstances }: ClearedCall['judgement'],
  { preview }: HeldCall,
  ports: Pick<Ports, 'store' | 'files' | 'crypto'>,
): Promise<string | null> {
  const now = await unseenFor(risk, circumstances, ports)
  if (now === undefined) return null
  if (preview.kind === 'command') return changeNotShown(now, preview.unseen, ports.crypto)
  const before = circumstances.unseen
  if (now.everything !== null && before?.everything == null) return 'the workspace'
  const known = new Map(before?.files.map(({ path, content }) => [path, content]))
  return now.files.find(({ path, content }) => known.get(path) !== content)?.path ?? null
}

function firstDifference(before: readonly TargetState[], now: readonly TargetState[]): string | null {
  for (const [at, state] of before.entries()) {
    const other = now[at]
    if (other === undefined || canonicalJson(other) !== canonicalJson(state)) return state.given
  }
  return now[before.length]?.given ?? null
}
