import { CountersignError } from '../../errors.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { wasStarted } from '../history/start-check.ts'
import { pastRefusal } from '../outcome/past-refusal.ts'
import { type Passed, passed, passUnasked } from '../outcome/permission.ts'
import { type Refusal, refusal } from '../outcome/refusal.ts'
import { closeRow, WAITING } from '../record/close.ts'
import type { Held } from '../request/held.ts'
import { openSealed } from '../request/sealed-call.ts'
import type { HeldCallView, RequestBody } from '../request/view.ts'
import { afterDecision, followHeld, TAKEN, verifyWritten } from './await-decision.ts'
import { prepareHeld, reissueHeld } from './hold.ts'
import type { Ticket } from './submit.ts'

/** Waits for a submitted call, also one that an earlier process submitted. Everything is judged again from the sealed row. */
export async function waitForTicket(
  ticket: Ticket,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<Passed | Refusal> {
  const { store, clock, crypto, owners } = context.ports
  const row = await store.call(String(ticket?.callId))
  if (row === undefined || row.mode !== 'submit') {
    throw new CountersignError('CS_TICKET_UNKNOWN', `no call \`${ticket?.callId}\` was submitted; submit it first`)
  }
  if (row.state === 'closed' || row.state === 'started') return pastRefusal(row, crypto)
  if (context.room.holds(row.id)) return refusal(row.id, 'refused', 'CS_CALL_DUPLICATE', TAKEN)
  const sealed = openSealed(row, crypto)
  if (await wasStarted(row.id, sealed.after, store)) {
    return end(row, 'unknown', 'CS_PERMIT_SPENT', 'this call was started before; it is not run again', context)
  }
  const judgement = await context.judge(sealed.given, sealed.session)
  const expiresAt = Math.min(row.expiresAt ?? 0, sealed.expiresAt)
  // SECURITY: A33 a wall clock that went back meanwhile gives nobody longer than policy does.
  const left = Math.min(expiresAt - clock.now(), judgement.verdict.timeoutMs)
  if (left <= 0) return end(row, 'expired', 'CS_EXPIRED', 'the deadline passed before the call was collected', context)
  const fresh = await prepareHeld(judgement, expiresAt, context)
  const shown = sealed.view === null ? null : asShown(fresh, sealed.view)
  await context.commit({
    entries: [],
    move: { id: row.id, from: row.state, to: row.state, set: { owner: owners.self } },
    durable: false,
  })

  // INVARIANT: L6, a decision that is there is acted on before anything else.
  if (row.state === 'decided' && shown !== null) {
    const verified = await verifyWritten(shown, row.decision, context)
    const next = verified === null ? null : await afterDecision(shown, verified, context)
    if (next !== null && next.kind !== 'again') return next
    if (next !== null) return followHeld(next.held, 'submit', clock.monotonic() + left, signal, context)
  }
  const answer = passUnasked(judgement)
  if (answer !== 'hold' && answer.kind === 'refusal') return end(row, 'denied', answer.code, answer.message, context)
  const waiting = { state: row.state === 'ready' ? 'ready' : 'held', requestDigest: row.requestDigest } as const
  // INVARIANT: L3, under the same policy nothing is looser the second time: then what was shown stands.
  const same = shown !== null && shown.request.body.policyHash === judgement.verdict.policyHash
  if (answer !== 'hold' && !same) return passed(judgement, fresh, null, waiting)
  const held = shown !== null && same ? shown : fresh
  if (held === fresh && !(await reissueHeld(fresh, waiting, context))) {
    return refusal(row.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was closed while it was judged again')
  }
  context.live.set(row.id, held)
  return followHeld(held, 'submit', clock.monotonic() + left, signal, context)
}

/** The held call with exactly the request that was shown, around what is judged now. */
function asShown(fresh: Held, view: HeldCallView): Held {
  const body = JSON.parse(view.request) as RequestBody
  return {
    ...fresh,
    request: { body, digest: view.requestDigest },
    targets: body.targets as unknown as Held['targets'],
    preview: view.preview,
    offers: view.offers,
    openedAt: view.openedAt,
  }
}

async function end(
  row: StoredCall,
  outcome: 'unknown' | 'expired' | 'denied',
  code: Refusal['code'],
  message: string,
  context: GateContext,
): Promise<Refusal> {
  await closeRow(row, outcome, WAITING, context, { code })
  return refusal(row.id, outcome, code, message)
}
