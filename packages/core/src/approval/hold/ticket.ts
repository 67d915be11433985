import type { Call } from '../../call/call.ts'
import { CountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { type StoredCall, WAITING_STATES } from '../../ports/store.ts'
import { type GateContext, isCallerGone, mustBeDurable } from '../context/gate-context.ts'
import { isResumable } from '../context/resumable-session.ts'
import { wasStarted } from '../history/journal-scan.ts'
import { pastRefusal, type Refusal, refusal } from '../outcome/outcome.ts'
import { type ClearedCall, clearCall, permissionOf } from '../outcome/permission.ts'
import { withRisk } from '../outcome/refusal-text.ts'
import { rowOf } from '../record/call-row.ts'
import { closeRow } from '../record/close.ts'
import { judgedEntry } from '../record/journal-entries.ts'
import { refuseConflict } from '../record/store-conflict.ts'
import type { HeldCall } from '../request/held-call.ts'
import type { Judgement } from '../request/judgement.ts'
import { openSealed, plainCall, sealCall } from '../request/sealed-call.ts'
import { openView } from '../request/verified-view.ts'
import type { HeldCallView } from '../request/view.ts'
import { ALREADY_AWAITED, afterDecision, awaitDecision, verifyWritten } from './await-decision.ts'
import { openHeld, prepareHeld, reissueHeld } from './hold.ts'

/** The asker's handle on a submitted call. */
export interface Ticket {
  readonly kind: 'ticket'
  readonly callId: string
}

/**
 * Takes a call durably and returns at once. Submitting the same call under the same id returns the same ticket, within
 * one session. SECURITY: A10, over a socket another session may be another asker, and gets no handle on this call.
 */
export async function submitCall(asked: Call, context: GateContext): Promise<Ticket> {
  const { store, clock } = context.ports
  const judgement = await context.judge(asked)
  const { call, verdict } = judgement
  // Counted from after the judging: waiting for a turn does not shorten the time a person has.
  const expiresAt = clock.now() + verdict.timeoutMs
  const earlier = await store.call(call.id)
  if (earlier !== undefined) return sameTicket(earlier, call.digest)
  const permission = permissionOf(judgement, null)
  if (permission === 'ask') context.trace?.enter('preview')
  const refused =
    permission === 'ask'
      ? await openHeld(await prepareHeld(judgement, expiresAt, context), 'submit', context)
      : await openUnasked(judgement, permission === 'run' ? null : permission, expiresAt, context)
  context.live.delete(call.id) // nobody waits yet: `waitForTicket` opens the row
  if (refused === null) return { kind: 'ticket', callId: call.id }
  const existing = await store.call(call.id)
  if (refused.code === 'CS_CALL_DUPLICATE' && existing !== undefined) return sameTicket(existing, call.digest)
  throw new CountersignError(refused.code, refused.message)
}

/** A call that needs nobody waits in the store until its caller collects it; a denied one is closed at once. */
export async function openUnasked(
  judgement: Judgement,
  denied: Refusal | null,
  expiresAt: number,
  context: GateContext,
): Promise<Refusal | null> {
  const { call, circumstances, risk, asked } = judgement
  const { store, crypto } = context.ports
  const { size: after } = await store.head()
  const { agentPrompt } = circumstances
  const prompt = agentPrompt === undefined ? {} : { agentPrompt }
  const given = plainCall(asked, call.args, call.id)
  const sealed = { given, session: call.session, view: null, expiresAt, after, ...prompt }
  const row: StoredCall = {
    ...rowOf(judgement, 'submit', context),
    state: denied === null ? 'ready' : 'closed',
    outcome: denied?.outcome ?? null,
    closedAt: denied === null ? null : circumstances.now,
    expiresAt,
    sealed: denied === null ? sealCall(call.id, sealed, crypto) : null,
  }
  const entries = [judgedEntry(judgement, crypto)]
  if (denied !== null) entries.push(stepEntry(denied.outcome, call.id, circumstances.now, { code: denied.code }))
  const open = { call: row, ...context.bounds }
  const committed = await context.commit({ entries, open, durable: mustBeDurable(risk.level) })
  return committed.kind === 'conflict' ? refuseConflict(call.id, committed.what) : null
}

function sameTicket(row: StoredCall, digest: string): Ticket {
  if (row.callDigest === digest) return { kind: 'ticket', callId: row.id }
  throw new CountersignError('CS_CALL_DUPLICATE', `another call was submitted under the id \`${row.id}\`; use a new id`)
}

/** Waits for a submitted call, also one that an earlier process submitted. It is judged again, from its sealed row. */
export async function waitForTicket(
  ticket: Ticket,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | Refusal> {
  const row = await submittedRow(ticket, 'submit it first', context)
  const collected = await collect(row, signal, context, { mode: 'submit', owner: context.ports.owners.self })
  if (collected.kind === 'refusal' || !isCallerGone(signal)) return collected
  // Only this waiter is gone: the call stays as it is, and another can collect it.
  const message = 'the caller stopped waiting; the call can be collected until its deadline'
  return refusal(collected.judgement.call.id, 'withdrawn', 'CS_WITHDRAWN', message)
}

/**
 * Waits again for a call of a coding agent whose hook got no answer, because the service that held the call died. The call
 * stays the agent's, and is taken back if the hook leaves.
 */
export function waitAgain(
  row: StoredCall,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | Refusal> {
  return collect(row, signal, context, { mode: 'ask', owner: context.waiter ?? context.ports.owners.self })
}

/** Who collects a call, and whether it ends when they leave. */
interface Collector {
  readonly mode: 'ask' | 'submit'
  readonly owner: string
}

/** A call changes its state so often at most while one caller collects it. */
const MAX_ATTEMPTS = 5

async function collect(
  row: StoredCall,
  signal: AbortSignal | undefined,
  context: GateContext,
  collector: Collector,
  attempt = 1,
): Promise<ClearedCall | Refusal> {
  const { store, clock, crypto } = context.ports
  const { mode, owner } = collector
  if (row.state === 'closed' || row.state === 'started') return pastRefusal(row, crypto)
  if (context.waiting.holds(row.id)) return refusal(row.id, 'refused', 'CS_CALL_DUPLICATE', ALREADY_AWAITED)
  const sealed = openSealed(row, crypto)
  const again = async (): Promise<ClearedCall | Refusal> =>
    collect((await store.call(row.id)) ?? row, signal, context, collector, attempt + 1)
  const close = async (refused: Refusal): Promise<Refusal> => {
    await closeRow(row, refused.outcome, WAITING_STATES, context, { code: refused.code })
    return refused
  }
  if (await wasStarted(row.id, sealed.after, store))
    return close(refusal(row.id, 'unknown', 'CS_PERMIT_SPENT', 'this call was already started; it is not run again'))
  const judgement = await context.judge(sealed.given, sealed.session, sealed.agentPrompt)
  // SECURITY: A6 the call takes the folder of the gate that judges it: elsewhere it is another one than was shown.
  if (judgement.call.digest !== digestOf(row, sealed.view, crypto))
    throw new CountersignError(
      'CS_TICKET_UNKNOWN',
      `call \`${row.id}\` was submitted in another workspace; collect it there`,
    )
  const expiresAt = Math.min(row.expiresAt ?? 0, sealed.expiresAt)
  // SECURITY: A33 setting the wall clock back gives nobody more time than the policy allows.
  const left = Math.min(expiresAt - clock.now(), judgement.verdict.timeoutMs)
  if (left <= 0)
    return close(refusal(row.id, 'expired', 'CS_EXPIRED', 'the deadline passed before the call was collected'))
  context.trace?.enter('preview')
  const fresh = await prepareHeld(judgement, expiresAt, context)
  const shown = sealed.view === null ? null : asShown(fresh, sealed.view, crypto)
  const taken = await context.commit({
    entries: [],
    move: { id: row.id, from: row.state, to: row.state, set: { owner } },
    durable: false,
  })
  // INVARIANT: L6, a decision that was made while the call was judged counts: it is found by looking again.
  if (taken.kind === 'conflict' && attempt < MAX_ATTEMPTS) return again()

  // INVARIANT: L6, act on an existing decision before anything else.
  if (row.state === 'decided' && shown !== null) {
    context.trace?.enter('decide')
    const verified = await verifyWritten(shown, row.decision, context)
    const next = verified === null ? null : await afterDecision(shown, verified, context)
    if (next !== null && next.kind !== 'held') return withRisk(next, judgement)
    if (next !== null)
      return withRisk(await awaitDecision(next.held, mode, clock.monotonic() + left, signal, context), judgement)
  }
  const permission = permissionOf(judgement, null)
  if (typeof permission === 'object') return withRisk(await close({ ...permission, rule: null }), judgement)
  const waiting = { state: row.state === 'ready' ? 'ready' : 'held', requestDigest: row.requestDigest } as const
  // INVARIANT: L3, under the same policy nothing becomes looser: the request that was shown stays the one to decide.
  const isSamePolicy = shown !== null && shown.body.policyHash === judgement.verdict.policyHash
  if (permission === 'run' && !isSamePolicy) return clearCall(judgement, fresh, null, waiting)
  const held = isSamePolicy ? shown : fresh
  if (held === fresh && !(await reissueHeld(fresh, waiting, context))) {
    if (attempt < MAX_ATTEMPTS) return again()
    return refusal(row.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was closed while it was judged again')
  }
  context.live.set(row.id, held)
  return withRisk(await awaitDecision(held, mode, clock.monotonic() + left, signal, context), judgement)
}

/** The digest of the call as it was shown, or else as it was submitted. */
function digestOf({ callDigest }: StoredCall, view: HeldCallView | null, crypto: Crypto): string {
  return view === null ? callDigest : openView(view, crypto).body.callDigest
}

/** The held call under exactly the request that was shown, with the current judgement. */
function asShown(fresh: HeldCall, view: HeldCallView, crypto: Crypto): HeldCall {
  const { requestDigest, preview, offers, refused = [], openedAt } = view
  return { ...fresh, body: openView(view, crypto).body, requestDigest, preview, offers, refused, openedAt }
}

/** Takes a submitted call back: later decisions do nothing. Throws when the call has started or is over. */
export async function withdrawTicket(ticket: Ticket, context: GateContext): Promise<void> {
  const row = await submittedRow(ticket, 'nothing to withdraw', context)
  if (!(await closeRow(row, 'withdrawn', WAITING_STATES, context)))
    throw new CountersignError('CS_DECISION_LATE', `call \`${row.id}\` is already over; nothing was withdrawn`)
  context.live.delete(row.id)
  context.waiting.withdraw(row.id)
}

async function submittedRow(ticket: Ticket, advice: string, { ports }: GateContext): Promise<StoredCall> {
  const row = await ports.store.call(String(ticket?.callId))
  if (row?.mode === 'submit' || (row !== undefined && isResumable(row.session))) return row
  throw new CountersignError('CS_TICKET_UNKNOWN', `no call \`${ticket?.callId}\` was submitted; ${advice}`)
}
