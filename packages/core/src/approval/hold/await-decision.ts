import type { Call } from '../../call/call.ts'
import { CountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import { changeNotShown } from '../../preview/kinds/unseen.ts'
import type { GateContext } from '../context/gate-context.ts'
import type { Ending } from '../context/waiting-callers.ts'
import { openDecision } from '../decision/stored-decision.ts'
import { type Verified, verifyDecision } from '../decision/verify.ts'
import { type Refusal, refusal } from '../outcome/outcome.ts'
import { type ClearedCall, clearCall, permissionOf, policyTightened } from '../outcome/permission.ts'
import { closeHeld } from '../record/close.ts'
import type { HeldCall } from '../request/held-call.ts'
import { type Judgement, withArgs } from '../request/judgement.ts'
import { prepareHeld, reissueHeld } from './hold.ts'

/** What a second caller of one submitted call is told. */
export const ALREADY_AWAITED = 'another caller is already waiting for this call'

/** Cleared, refused, or still held, perhaps under a new request. */
type Next = ClearedCall | Refusal | { readonly kind: 'held'; readonly held: HeldCall }

/** Waits for the decision on a held call, through edits and policy changes. `deadline` is monotonic. */
export async function awaitDecision(
  first: HeldCall,
  mode: 'ask' | 'submit',
  deadline: number,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | Refusal> {
  let held = first
  try {
    for (;;) {
      context.trace?.enter('hold')
      const ending = await context.waiting.wait(held.judgement.call.id, mode, deadline, signal)
      if (ending.kind === 'delivered' || ending.kind === 'written') context.trace?.enter('decide')
      const next =
        ending.kind === 'delivered'
          ? await afterDecision(held, ending.verified, context)
          : await afterWaiting(held, ending, context)
      if (next.kind !== 'held') return next
      held = next.held
    }
  } finally {
    context.live.delete(held.judgement.call.id)
  }
}

async function afterWaiting(
  held: HeldCall,
  ending: Exclude<Ending, { readonly kind: 'delivered' }>,
  context: GateContext,
): Promise<Next> {
  const { id } = held.judgement.call
  const withdrawn = (message: string): Refusal => refusal(id, 'withdrawn', 'CS_WITHDRAWN', message)
  switch (ending.kind) {
    case 'expired': {
      // INVARIANT: L6, a decision accepted before the deadline counts, even if it is read after it.
      const row = await context.ports.store.call(id)
      if (row?.state === 'decided') return afterWritten(held, row.decision, context)
      return closeHeld(held, refusal(id, 'expired', 'CS_EXPIRED', 'nobody decided before the deadline'), context)
    }
    case 'withdrawn':
      return closeHeld(held, withdrawn('the caller went away before a decision'), context)
    case 'left':
      return withdrawn('the caller stopped waiting; the call stays held until its deadline')
    case 'taken':
      return refusal(id, 'refused', 'CS_CALL_DUPLICATE', ALREADY_AWAITED)
    case 'gone':
      return withdrawn('the call was withdrawn elsewhere')
    case 'policy-changed': {
      // INVARIANT: L6, the first one decides: act on an existing decision before judging the call again.
      const row = await context.ports.store.call(id)
      if (row?.state === 'decided') return afterWritten(held, row.decision, context)
      return rejudge(held, held.judgement.asked, null, context)
    }
    case 'written':
      return afterWritten(held, ending.row.decision, context)
  }
}

async function afterWritten(held: HeldCall, text: string | null, context: GateContext): Promise<Next> {
  const verified = await verifyWritten(held, text, context)
  return verified === null ? { kind: 'held', held } : afterDecision(held, verified, context)
}

/** Acts on a verified decision about exactly this request. */
export async function afterDecision(held: HeldCall, verified: Verified, context: GateContext): Promise<Next> {
  const { signed, approver } = verified
  const { decision } = signed
  const { judgement, body, requestDigest } = held
  const { id } = judgement.call
  context.events.emit({ kind: 'decided', callId: id, signed, by: approver.name })
  if (decision.kind === 'reject') {
    const reason = decision.reason ?? null
    const rejected = refusal(id, 'rejected', 'CS_REJECTED', `${approver.name} rejected this call`, { reason })
    return closeHeld(held, rejected, context)
  }
  if (decision.edited !== undefined) return rejudge(held, withArgs(judgement.asked, decision.edited), verified, context)
  const permission = permissionOf(judgement, body)
  if (permission === 'run') return clearCall(judgement, held, verified, { state: 'decided', requestDigest })
  return closeHeld(held, permission === 'ask' ? policyTightened(id) : permission, context)
}

/**
 * Judges a held call again, because the policy changed or `editor` edited its arguments. An edit is an approval too,
 * unless the edited call needs more than was shown: then it is held in its turn. INVARIANT: the deadline stays.
 */
async function rejudge(held: HeldCall, call: Call, editor: Verified | null, context: GateContext): Promise<Next> {
  const { call: before } = held.judgement
  try {
    const judgement = await context.judge({ ...call, id: before.id }, before.session)
    const unasked = permissionOf(judgement, null)
    if (typeof unasked === 'object') return closeHeld(held, unasked, context, editor && judgement)
    context.trace?.enter('preview')
    const fresh = await prepareHeld(judgement, held.body.expiresAt, context)
    const row = { state: editor === null ? 'held' : 'decided', requestDigest: held.requestDigest } as const
    const isApproved =
      editor !== null &&
      permissionOf(judgement, held.body) === 'run' &&
      isSameAsk(judgement, held.judgement) &&
      loadsOnlyShown(judgement, held, context)
    if (unasked === 'run' || isApproved) return clearCall(judgement, fresh, editor, row)
    // On a conflict a decision was made meanwhile: wait under the old request, which acts on it.
    return { kind: 'held', held: (await reissueHeld(fresh, row, context, editor !== null)) ? fresh : held }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return closeHeld(held, refusal(before.id, 'denied', error.code, error.message), context)
  }
}

/** SECURITY: A6 an editor agreed to this tool, agent and folder, not to what the caller has made of them since. */
function isSameAsk(now: Judgement, before: Judgement): boolean {
  const of = ({ call }: Judgement) => JSON.stringify([call.tool, call.agent, call.cwd, call.session])
  return of(now) === of(before)
}

/** SECURITY: A7 whoever edits a command has seen the code that was on its card, and not what the edited one could load. */
function loadsOnlyShown({ circumstances }: Judgement, { preview }: HeldCall, { ports }: GateContext): boolean {
  const { unseen } = circumstances
  if (unseen === undefined) return true
  const shown = preview.kind === 'command' ? preview.unseen : undefined
  return changeNotShown(unseen, shown, ports.crypto) === null
}

/** SECURITY: A2 A3 the process that holds the call verifies what another process wrote. Null: it does not count. */
export async function verifyWritten(
  held: HeldCall,
  text: string | null,
  context: GateContext,
): Promise<Verified | null> {
  const { ports, events } = context
  const callId = held.judgement.call.id
  const taken = openDecision(text, ports.crypto)
  const check = await verifyDecision(taken?.signed ?? null, held, ports.approvers, ports.crypto)
  if (check.kind === 'valid') return taken === null ? check : { ...check, at: taken.at }
  const { code, message } = check
  await context.commit({
    entries: [stepEntry('decision-refused', callId, ports.clock.now(), { code, message, state: 'held again' })],
    move: { id: callId, from: 'decided', to: 'held', set: { decision: null } },
    durable: false,
  })
  events.emit({ kind: 'decision-refused', callId, code, message })
  return null
}
