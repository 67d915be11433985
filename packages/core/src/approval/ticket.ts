import type { Call } from '../call/call.ts'
import { CountersignError } from '../errors.ts'
import type { StoredCall } from '../ports/store.ts'
import { type GateContext, mustBeDurable } from './context.ts'
import { parseSigned } from './decision-shape.ts'
import { judgedEntry, stepEntry } from './entries.ts'
import { followHeld, TAKEN } from './follow.ts'
import type { Held } from './held.ts'
import type { HeldCallView, RequestBody } from './held-call.ts'
import { openHeld, prepareHeld, refuseConflict, reissueHeld, rowOf } from './hold.ts'
import { type Passed, passed, passUnasked } from './pass.ts'
import { type Refusal, refusal } from './refusal.ts'
import { openSealed, plainCall, sealCall } from './sealed-call.ts'
import { wasStarted } from './was-started.ts'

/** The asker's handle on a submitted call. */
export interface Ticket {
  readonly kind: 'ticket'
  readonly callId: string
}

/** Takes a call durably and returns at once. The same id with the same call gives the same ticket. */
export async function submitCall(given: Call, context: GateContext): Promise<Ticket> {
  const judgement = await context.judge(given)
  const { call, verdict, circumstances, risk } = judgement
  const earlier = await context.ports.store.call(call.id)
  if (earlier !== undefined) return sameTicket(earlier, call.digest)
  const answer = passUnasked(judgement)
  const refused =
    answer === 'hold'
      ? await openHeld(await prepareHeld(judgement, circumstances.now + verdict.timeoutMs, context), 'submit', context)
      : await openUnasked(answer)
  context.live.delete(call.id) // nobody waits yet: whoever does opens the row
  if (refused === null) return { kind: 'ticket', callId: call.id }
  const again = await context.ports.store.call(call.id)
  if (refused.code === 'CS_CALL_DUPLICATE' && again !== undefined) return sameTicket(again, call.digest)
  throw new CountersignError(refused.code, refused.message)

  /** A call that needs nobody waits in the store, decided by policy, until its caller collects it. */
  async function openUnasked(ready: Passed | Refusal): Promise<Refusal | null> {
    const denied = ready.kind === 'refusal'
    const expiresAt = circumstances.now + verdict.timeoutMs
    const { size: after } = await context.ports.store.head()
    const plain = plainCall(given, call.args, call.id)
    const sealed = { given: plain, session: call.session, view: null, expiresAt, after }
    const row: StoredCall = {
      ...rowOf(judgement, 'submit', context),
      state: denied ? 'closed' : 'decided',
      outcome: denied ? ready.outcome : null,
      closedAt: denied ? circumstances.now : null,
      expiresAt,
      sealed: denied ? null : sealCall(call.id, sealed, context.ports.crypto),
    }
    const entries = [judgedEntry(judgement, context.ports.crypto)]
    if (denied) entries.push(stepEntry(ready.outcome, call.id, circumstances.now, { code: ready.code }))
    const committed = await context.commit({
      entries,
      open: { call: row, maxHeldInSession: Number.POSITIVE_INFINITY, maxHeld: context.bounds.held },
      durable: mustBeDurable(risk.level),
    })
    return committed.kind === 'conflict' ? refuseConflict(call.id, committed.what) : null
  }
}

function sameTicket(row: StoredCall, digest: string): Ticket {
  if (row.callDigest === digest) return { kind: 'ticket', callId: row.id }
  throw new CountersignError('CS_CALL_DUPLICATE', `another call was submitted under the id \`${row.id}\`; use a new id`)
}

/** Waits for a submitted call, also one that an earlier process submitted. Everything is judged again from the sealed row. */
export async function waitForTicket(
  ticket: Ticket,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<Passed | Refusal> {
  const { store, clock, crypto, owners } = context.ports
  const row = await store.call(ticket.callId)
  if (row === undefined || row.mode !== 'submit') {
    throw new CountersignError('CS_TICKET_UNKNOWN', `no call \`${ticket.callId}\` was submitted; submit it first`)
  }
  if (row.state === 'closed' || row.state === 'started') return refusalOf(row)
  if (context.room.holds(row.id)) {
    return refusal(row.id, 'refused', 'CS_CALL_DUPLICATE', TAKEN)
  }
  const sealed = openSealed(row, crypto)
  if (await wasStarted(row.id, sealed.after, store)) {
    const spent = refusal(row.id, 'unknown', 'CS_PERMIT_SPENT', 'this call was started before; it is not run again')
    await endRow(row, spent, context)
    return spent
  }
  const judgement = await context.judge(sealed.given, sealed.session)
  const expiresAt = Math.min(row.expiresAt ?? 0, sealed.expiresAt)
  // SECURITY: A33 a wall clock that went back meanwhile gives nobody longer than policy does.
  const left = Math.min(expiresAt - clock.now(), judgement.verdict.timeoutMs)
  const answer = passUnasked(judgement)
  if (left <= 0 || (answer !== 'hold' && answer.kind === 'refusal')) {
    const end =
      left <= 0
        ? refusal(row.id, 'expired', 'CS_EXPIRED', 'the deadline passed before the call was collected')
        : (answer as Refusal)
    await endRow(row, end, context)
    return end
  }
  const fresh = await prepareHeld(judgement, expiresAt, context)
  await context.commit({
    entries: [],
    move: { id: row.id, from: row.state, to: row.state, set: { owner: owners.self } },
    durable: false,
  })
  if (answer !== 'hold') return passed(judgement, fresh, null)
  const held = asShown(fresh, sealed.view) ?? fresh
  if (held === fresh && !(await reissueHeld(fresh, context))) {
    return refusal(row.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was closed while it was judged again')
  }
  context.live.set(row.id, held)
  return followHeld(held, 'submit', clock.monotonic() + left, signal, context)
}

/** The held call as it was shown, when call and policy still are the same; else null, and it must be shown anew. */
function asShown(fresh: Held, view: HeldCallView | null): Held | null {
  if (view === null) return null
  const body = JSON.parse(view.request) as RequestBody
  const now = fresh.request.body
  if (body.policyHash !== now.policyHash || body.callDigest !== now.callDigest || body.supervision !== now.supervision)
    return null
  return {
    ...fresh,
    request: { body, text: view.request, digest: view.requestDigest },
    targets: body.targets as unknown as Held['targets'],
    preview: view.preview,
    offers: view.offers,
    openedAt: view.openedAt,
  }
}

async function endRow(row: StoredCall, end: Refusal, context: GateContext): Promise<void> {
  const now = context.ports.clock.now()
  await context.commit({
    entries: [stepEntry(end.outcome, row.id, now, { code: end.code, digest: row.callDigest })],
    move: {
      id: row.id,
      from: ['held', 'decided'],
      to: 'closed',
      set: { outcome: end.outcome, closedAt: now, sealed: null },
    },
    durable: false,
  })
}

/** What became of a call that is over, told again. */
function refusalOf(row: StoredCall): Refusal {
  const said = parseSigned(row.decision)?.decision.reason
  const reason = typeof said === 'string' ? said : null
  switch (row.outcome) {
    case 'denied':
      return refusal(row.id, 'denied', 'CS_DENIED', `policy rule \`${row.rule}\` denies this call`)
    case 'rejected':
      return refusal(row.id, 'rejected', 'CS_REJECTED', 'a person rejected this call', { reason })
    case 'expired':
      return refusal(row.id, 'expired', 'CS_EXPIRED', 'nobody decided before the deadline')
    case 'withdrawn':
      return refusal(row.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was withdrawn')
    case 'stale':
      return refusal(row.id, 'stale', 'CS_STALE', 'a target changed after the call was shown; ask again')
    case 'unknown':
    case null:
      return refusal(
        row.id,
        'unknown',
        'CS_PERMIT_SPENT',
        'this call was started and its outcome is not known; it is not run again',
      )
    default:
      return refusal(row.id, 'refused', 'CS_PERMIT_SPENT', `this call is over (${row.outcome}); it is not run again`)
  }
}
