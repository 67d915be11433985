import type { Call } from '../../call/call.ts'
import { stepEntry } from '../../journal/entry.ts'
import type { StoredCall } from '../../ports/store.ts'
import { type GateContext, mustBeDurable } from '../context/gate-context.ts'
import { isResumable } from '../context/resumable-session.ts'
import { lateWords, type Receipt, type SignedDecision } from '../decision/decision.ts'
import { readTrace, sealDecision } from '../decision/stored-decision.ts'
import { verifyDecision } from '../decision/verify.ts'
import { closeRow } from '../record/close.ts'
import { decidedEntry } from '../record/journal-entries.ts'
import { type HeldCall, viewOf } from '../request/held-call.ts'
import { openSealed } from '../request/sealed-call.ts'
import { openView } from '../request/verified-view.ts'
import type { HeldCallView } from '../request/view.ts'

/** The view of a held row, or none: a row that cannot be opened is reported, never offered for approval, and expires. */
export function viewsOf(row: StoredCall, context: GateContext): readonly HeldCallView[] {
  const live = liveOf(row.id, context)
  if (live !== undefined && live.requestDigest === row.requestDigest) return [viewOf(live)]
  try {
    const { view } = openSealed(row, context.ports.crypto)
    return view === null ? [] : [openView(view, context.ports.crypto).view]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.events.emit({ kind: 'problem', code: 'CS_STORE_SEAL', message })
    return []
  }
}

/** Decides one held call: verifies the decision against what is shown, and stores the first valid one. */
export async function decideHeld(
  id: string,
  signed: SignedDecision | null,
  context: GateContext,
  isRecorded: () => boolean = () => true,
): Promise<Receipt> {
  const { ports } = context
  const now = ports.clock.now()
  const live = liveOf(id, context)
  adoptTrace(live?.judgement.asked, context)
  context.trace?.enter('decide')
  const arrival = context.arrive()
  // The waiting caller continues at once and needs this check; made here, both share it.
  if (live !== undefined) context.checkPolicyFiles()
  const shown = live === undefined ? await findShown(id, now, context) : live
  if ('accepted' in shown) return shown
  const check = await verifyDecision(signed, shown, ports.approvers, ports.crypto)
  if (check.kind === 'invalid') {
    const entries = [stepEntry('decision-refused', id, now, { code: check.code, message: check.message })]
    if (isRecorded()) await context.commit({ entries, durable: false })
    context.events.emit({ kind: 'decision-refused', callId: id, code: check.code, message: check.message })
    return receipt(id, false, 'held', null, now, check.message)
  }
  const committed = await context.commit({
    entries: [decidedEntry(check.signed, check.approver.name, now, ports.crypto, shown.body.call.args)],
    move: {
      id,
      from: 'held',
      to: 'decided',
      requestDigest: shown.requestDigest,
      set: { decision: sealDecision({ signed: check.signed, at: now }, ports.crypto) },
    },
    durable: mustBeDurable(shown.body.risk),
  })
  if (committed.kind === 'conflict') return late(id, await ports.store.call(id), now, context)
  context.waiting.deliver(id, { ...check, at: now, arrival })
  const state = check.signed.decision.kind === 'approve' ? 'approved' : 'rejected'
  const told = receipt(id, true, state, check.approver.name, now, `${state} by ${check.approver.name}`)
  const isEdited = state === 'approved' && check.signed.decision.edited !== undefined
  return !isEdited ? told : { ...told, instead: 'edited: judged again before it runs' }
}

/** The decision is part of the trace of the agent that asked, if that is known here. */
function adoptTrace(asked: Call | undefined, { trace }: GateContext): void {
  if (asked?.traceparent !== undefined) trace?.adopt(asked.traceparent)
}

/** The call, if this process holds it. Whether its row still waits shows in the commit. */
function liveOf(id: string, { waiting, live }: GateContext): HeldCall | undefined {
  return waiting.holds(id) ? live.get(id) : undefined
}

/** What was shown of a call of another process, from its sealed row; or a receipt when it cannot be decided. */
async function findShown(
  id: string,
  now: number,
  context: GateContext,
): Promise<Parameters<typeof verifyDecision>[1] | Receipt> {
  const row = await context.ports.store.call(id)
  if (row?.state !== 'held') return late(id, row, now, context)
  // INVARIANT: L6, nobody is left to run it, so nobody may be told that it was approved.
  if (row.mode === 'ask' && !isResumable(row.session) && !context.ports.owners.isAlive(row.owner)) {
    if (!(await closeRow(row, 'withdrawn', 'held', context, { found: 'held' })))
      return late(id, await context.ports.store.call(id), now, context)
    return receipt(id, false, 'withdrawn', null, now, 'the caller is gone; nothing was run')
  }
  if (isOverdue(row, now, context)) return overdue(id, now)
  const [view] = viewsOf(row, context)
  if (view === undefined) return receipt(id, false, 'held', null, now, 'the held row cannot be opened; it will expire')
  const { body } = openView(view, context.ports.crypto)
  // SECURITY: A3 A33 the row's deadline can be edited; the signed one cannot.
  if (!context.waiting.holds(id) && body.expiresAt <= now) return overdue(id, now)
  return { body, requestDigest: view.requestDigest, offers: view.offers }
}

/** A call held here expires by the monotonic clock, any other by the wall clock. */
function isOverdue(row: StoredCall, now: number, context: GateContext): boolean {
  return !context.waiting.holds(row.id) && row.expiresAt !== null && row.expiresAt <= now
}

function overdue(id: string, now: number): Receipt {
  return receipt(id, false, 'expired', null, now, 'the deadline has passed; nothing was run')
}

/** INVARIANT: L6, the first valid decision wins; every other gets a receipt that names it. */
async function late(id: string, row: StoredCall | undefined, now: number, context: GateContext): Promise<Receipt> {
  if (row === undefined)
    return receipt(id, false, 'unknown', null, now, 'no call with this id is held; list the held calls')
  if (row.state === 'held') return receipt(id, false, 'held', null, now, 'the request has changed; review it again')
  const trace = readTrace(row.decision, context.ports.crypto)
  const state = row.outcome ?? (trace === null ? row.state : trace.kind === 'approve' ? 'approved' : 'rejected')
  const by = trace === null ? null : ((await nameOf(trace.approver, context)) ?? trace.approver)
  const at = trace?.at ?? row.closedAt ?? now
  return receipt(
    id,
    false,
    state,
    by,
    at,
    `too late: this call is already ${lateWords({ state, by, at }, trace?.surface)}`,
  )
}

/** The approver's name. A registry that cannot be read leaves the key's id: nothing is decided here. */
async function nameOf(approver: string, { ports }: GateContext): Promise<string | undefined> {
  try {
    return (await ports.approvers.find(approver))?.name
  } catch {
    return undefined
  }
}

function receipt(
  held: string,
  accepted: boolean,
  state: string,
  by: string | null,
  at: number,
  message: string,
): Receipt {
  return { held, accepted, state, by, at, message }
}
