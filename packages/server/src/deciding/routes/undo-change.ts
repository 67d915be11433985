import { CountersignError, type Gate, safeText } from '@countersign/core'
import {
  applyUndo,
  backupOfChange,
  planUndo,
  refuseChanged,
  refuseEdited,
  spareBackup,
  undoCall,
} from '@countersign/node'
import type { DecidingParts } from '../api/route-dependencies.ts'

/** A file with the content that the person saw, and wants to have undone. */
interface ShownChange {
  readonly workspace: string
  readonly path: string
  readonly content: string
}

/**
 * Asks to restore what a person saw last of a file, as `countersign changes undo` does: an ordinary call, which is held
 * until an approver signs for it. Returns its id as soon as it is held. SECURITY: L8 on the deciding side only.
 */
export async function askUndo(
  { workspace, path, content }: ShownChange,
  { home, main, workspaces }: Pick<DecidingParts, 'home' | 'main' | 'workspaces'>,
): Promise<string> {
  const { desk, ports } = main
  const changed = (await desk.changes().list(workspace)).files.find((one) => one.path === path)
  if (changed?.content !== content)
    throw new CountersignError('CS_STALE', `\`${safeText(path)}\` changed after it was shown; reload the page`)
  const ref = await backupOfChange(changed, workspace, home, ports.store)
  const plan = await planUndo(home, ref)
  if (plan.steps.length === 0) throw new CountersignError('CS_STALE', 'nothing to undo: the file is unchanged')
  refuseChanged(plan, false)
  spareBackup(home, ref.name)
  const { call, args } = undoCall(plan, ref, { crypto: ports.crypto, workspace })

  const held = Promise.withResolvers<void>()
  const run = async (gate: Gate): Promise<void> => {
    const stop = gate.subscribe((event) => {
      if (event.kind === 'held' && event.callId === call.id) held.resolve()
    })
    try {
      const result = await gate.run(call, async (frozen) => {
        refuseEdited(frozen, args)
        await applyUndo(home, ref, plan)
      })
      if (result.kind === 'refusal') throw new CountersignError(result.code, result.message)
    } finally {
      stop()
    }
  }
  // The workspace stays open until the call ends. Its outcome is in the journal; only a refusal before it was held is told.
  void workspaces.use(workspace, run).then(held.resolve, held.reject)
  await held.promise
  return call.id
}
