import { CountersignError, canonicalJson, countWords, type SafeText, safeText } from '@countersign/core'
import { applyUndo, listBackups, planUndo, spareBackup } from '@countersign/node'
import { findBackup } from '../undo/find-backup.ts'
import { refuseChanged, undoCall } from '../undo/undo-call.ts'
import type { Conversation } from './conversation.ts'

/** Puts back what a call changed: the one that is named, else the last one of which a copy is kept. Itself a call, and held. */
export async function undoInChat(typed: string, conversation: Conversation): Promise<readonly SafeText[]> {
  const { opened, emit } = conversation
  const { gate, home, ports } = opened
  const named = typed === '' ? await lastOf(conversation) : typed
  const ref = await findBackup(named, opened)
  const plan = await planUndo(home, ref)
  if (plan.steps.length === 0) return [safeText('nothing to undo: everything is as it was')]
  refuseChanged(plan, false)
  spareBackup(home, ref.name)
  const { call, args } = undoCall(plan, ref, opened)
  const at = (): number => ports.clock.now()
  emit({ kind: 'requested', agent: null, callId: call.id, tool: safeText('undo'), at: at() })
  const result = await gate.run(
    call,
    async (frozen) => {
      if (canonicalJson(frozen) !== canonicalJson(args))
        throw new CountersignError('CS_STALE', 'an undo cannot be edited; reject it and undo another call')
      await applyUndo(home, ref, plan)
    },
    conversation.signal,
  )
  const state = result.kind === 'refusal' ? result.outcome : result.kind
  const why = result.kind === 'completed' ? null : safeText(result.message)
  const reason = result.kind === 'refusal' && result.reason !== null ? safeText(result.reason) : null
  emit({ kind: 'over', callId: call.id, state, why, reason, isUndoable: result.kind === 'completed', at: at() })
  return result.kind === 'completed' ? [safeText(`undone, ${countWords(plan.steps.length, 'step')}`)] : []
}

/** The last call of this session that changed something; what other sessions did is named by its id. */
async function lastOf({ opened }: Conversation): Promise<string> {
  const { session } = opened.gate
  const kept = new Set(listBackups(opened.home).map(({ call }) => call))
  const past = await opened.desk.history({ session, outcome: 'completed', limit: 200 })
  const found = past.find(({ id }) => kept.has(id))
  if (found === undefined)
    throw new CountersignError('CS_BACKUP', 'no copy of this session is kept; list all with `countersign undo --list`')
  return found.id
}
