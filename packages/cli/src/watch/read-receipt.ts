import { type Decision, markOf, type OpenedView, type PastCall, safeText } from '@countersign/core'
import { listBackups } from '@countersign/node'
import type { CallReceipt } from '@countersign/terminal'
import type { OpenDesk } from '../decision/desk.ts'

/** What became of a call that was held; `isOver` when nothing more will. Null when the store does not know it any more. */
export async function readReceipt(
  opened: OpenedView,
  { desk, ports, home }: OpenDesk,
  own: ReadonlyMap<string, Decision>,
): Promise<{ readonly receipt: CallReceipt; readonly isOver: boolean } | null> {
  const { view } = opened
  const past = await desk.past(view.id)
  if (past === undefined || past.state === 'held') return null
  const { decision } = past
  const by = decision === null ? undefined : await ports.approvers.find(decision.approver)
  const at = decision?.at ?? past.closedAt ?? ports.clock.now()
  return {
    isOver: past.state === 'closed',
    receipt: {
      callId: view.id,
      mark: markOf(view),
      risk: view.risk.level,
      summary: safeText(past.summary),
      outcome: outcomeOf(past),
      ended: decision?.kind === 'approve' && past.outcome !== null ? past.outcome : null,
      edited: own.get(view.id)?.edited !== undefined,
      undoable: past.state === 'closed' && listBackups(home).some(({ call }) => call === view.id),
      by: decision === null ? null : safeText(by?.name ?? decision.approver),
      surface: decision === null || own.has(view.id) ? null : safeText(decision.surface),
      reason: decision?.reason == null ? null : safeText(decision.reason),
      at,
      heldMs: Math.max(0, at - view.openedAt),
    },
  }
}

function outcomeOf({ decision, outcome, state }: PastCall): string {
  if (decision !== null) return decision.kind === 'approve' ? 'approved' : 'rejected'
  return outcome ?? state
}
