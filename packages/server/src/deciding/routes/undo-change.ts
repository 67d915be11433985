import { CountersignError, type Gate, safeText } from '@countersign/core'
import { type BackupRef, backupOfChange, planUndo, prepareUndo, type UndoPlan } from '@countersign/node'
import type { DecidingParts } from '../api/route-dependencies.ts'

/** A file with the content that the person saw, and wants to have undone. */
interface ShownChange {
  readonly workspace: string
  readonly path: string
  readonly content: string
}

type Parts = Pick<DecidingParts, 'home' | 'main' | 'workspaces'>

/** Asks to restore what a person saw last of a file, as `countersign changes undo` does. */
export async function askUndoChange({ workspace, path, content }: ShownChange, parts: Parts): Promise<string> {
  const { desk, ports } = parts.main
  const changed = (await desk.changes().list(workspace)).files.find((one) => one.path === path)
  if (changed?.content !== content)
    throw new CountersignError('CS_STALE', `\`${safeText(path)}\` changed after it was shown; reload the page`)
  const ref = await backupOfChange(changed, workspace, parts.home, ports.store)
  return askUndo(await planUndo(parts.home, ref), [ref], { workspace }, parts)
}

/**
 * Asks to undo: an ordinary call, which is held until an approver signs for it. Returns its id as soon as it is held.
 * SECURITY: L8 on the deciding side only.
 */
export async function askUndo(
  plan: UndoPlan,
  refs: readonly BackupRef[],
  { workspace, isForced = false }: { readonly workspace: string; readonly isForced?: boolean },
  { home, main, workspaces }: Parts,
): Promise<string> {
  if (plan.steps.length === 0) throw new CountersignError('CS_STALE', 'nothing to undo: the files are unchanged')
  const undo = prepareUndo(plan, refs, { home, crypto: main.ports.crypto, workspace, isForced })
  const held = Promise.withResolvers<void>()
  const run = async (gate: Gate): Promise<void> => {
    const stop = gate.subscribe((event) => {
      if (event.kind === 'held' && event.callId === undo.call.id) held.resolve()
    })
    try {
      const result = await gate.run(undo.call, undo.run)
      if (result.kind === 'refusal') throw new CountersignError(result.code, result.message)
    } finally {
      stop()
    }
  }
  // The workspace stays open until the call ends. Its outcome is in the journal; only a refusal before it was held is told.
  void workspaces.use(workspace, run).then(held.resolve, held.reject)
  await held.promise
  return undo.call.id
}
