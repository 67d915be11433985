import type { Call } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import { SUPERVISIONS, supervisionRank } from '../../policy/model/supervision.ts'
import { RISK_LEVELS, riskRank } from '../../risk/report/level.ts'
import type { GateContext } from '../context/gate-context.ts'
import type { Ending } from '../context/waiting-callers.ts'
import { openDecision } from '../decision/stored-decision.ts'
import { shownOf, type Verified, verifyDecision } from '../decision/verify.ts'
import { type Passed, passed, passUnasked } from '../outcome/permission.ts'
import { type Refusal, refusal } from '../outcome/refusal.ts'
import { closeHeld } from '../record/close.ts'
import type { Held } from '../request/held.ts'
import type { Judgement } from '../request/judgement.ts'
import type { RequestBody } from '../request/view.ts'
import { prepareHeld, reissueHeld } from './hold.ts'

/** What a second caller of one submitted call is told. */
export const TAKEN = 'another caller already waits for this call'

type Next = Passed | Refusal | { readonly kind: 'again'; readonly held: Held }

/** Follows one held call, through edits and policy changes, until it passes or is refused. `deadline` is monotonic. */
export async function followHeld(
  first: Held,
  mode: 'ask' | 'submit',
  deadline: number,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<Passed | Refusal> {
  let held = first
  try {
    for (;;) {
      const ending = await context.room.wait(held.judgement.call.id, mode, deadline, signal)
      const next =
        ending.kind === 'delivered'
          ? await afterDecision(held, ending.verified, context)
          : await afterWaiting(held, ending, context)
      if (next.kind !== 'again') return next
      held = next.held
    }
  } finally {
    context.live.delete(held.judgement.call.id)
  }
}

async function afterWaiting(
  held: Held,
  ending: Exclude<Ending, { readonly kind: 'delivered' }>,
  context: GateContext,
): Promise<Next> {
  switch (ending.kind) {
    case 'expired': {
      // INVARIANT: L6, what was accepted before the deadline counts, though it is heard of after it.
      const row = await context.ports.store.call(held.judgement.call.id)
      if (row?.state === 'decided') return afterWritten(held, row.decision, context)
      return closeHeld(held, 'expired', 'CS_EXPIRED', 'nobody decided before the deadline', context)
    }
    case 'withdrawn':
      return closeHeld(held, 'withdrawn', 'CS_WITHDRAWN', 'the caller went away before a decision', context)
    case 'left':
      return refusal(
        held.judgement.call.id,
        'withdrawn',
        'CS_WITHDRAWN',
        'nobody waits any more; the call stays held until its deadline',
      )
    case 'taken':
      return refusal(held.judgement.call.id, 'refused', 'CS_CALL_DUPLICATE', TAKEN)
    case 'gone':
      return refusal(held.judgement.call.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was withdrawn elsewhere')
    case 'policy-changed': {
      // INVARIANT: L6, who was first decides: a decision that is there is acted on before anything is judged again.
      const row = await context.ports.store.call(held.judgement.call.id)
      if (row?.state === 'decided') return afterWritten(held, row.decision, context)
      return rejudge(held, held.judgement.given, null, context)
    }
    case 'written':
      return afterWritten(held, ending.row.decision, context)
  }
}

async function afterWritten(held: Held, text: string | null, context: GateContext): Promise<Next> {
  const verified = await verifyWritten(held, text, context)
  return verified === null ? { kind: 'again', held } : afterDecision(held, verified, context)
}

/** Acts on a verified decision about exactly this request. */
export async function afterDecision(held: Held, verified: Verified, context: GateContext): Promise<Next> {
  const { decision } = verified.signed
  const { judgement, request } = held
  context.events.emit({
    kind: 'decided',
    callId: judgement.call.id,
    signed: verified.signed,
    by: verified.approver.name,
  })
  if (decision.kind === 'reject') {
    const message = `${verified.approver.name} rejected this call`
    return closeHeld(held, 'rejected', 'CS_REJECTED', message, context, decision.reason ?? null)
  }
  if (decision.edited !== undefined) return rejudge(held, withArgs(judgement.given, decision.edited), verified, context)
  const answer = passUnasked(judgement)
  if (answer !== 'hold' && answer.kind === 'refusal') {
    return closeHeld(held, 'denied', answer.code, answer.message, context)
  }
  if (needsMore(judgement, request.body)) return closeHeld(held, 'stale', 'CS_STALE', POLICY_MOVED, context)
  return passed(judgement, held, verified, { state: 'decided', requestDigest: request.digest })
}

export const POLICY_MOVED = 'the policy asks for more than when the call was shown; ask again'

/** Whether a judgement asks for more than the person was shown. */
export function needsMore(now: Judgement, shown: Pick<RequestBody, 'supervision' | 'risk' | 'passkey'>): boolean {
  if (now.verdict.passkey === true && shown.passkey !== true) return true
  if (now.supervision === shown.supervision && now.risk.level === shown.risk) return false
  return (
    supervisionRank(now.supervision) > rankOf(shown.supervision, SUPERVISIONS) ||
    riskRank(now.risk.level) > rankOf(shown.risk, RISK_LEVELS)
  )
}

/** What was shown comes back as text: one that is no level of ours is below them all. */
function rankOf(shown: string, levels: readonly string[]): number {
  return levels.indexOf(shown)
}

/** The same call with other arguments. What was said of the old ones is forgotten unless it can be said anew. */
export function withArgs(given: Call, args: JsonObject): Call {
  const { description: _, ...rest } = given
  return { ...rest, args }
}

/**
 * Judges a held call again. Whoever edited the arguments has approved them, unless they need more than was shown:
 * then the new call is held in its turn. INVARIANT: no deadline is extended by this.
 */
async function rejudge(held: Held, call: Call, editor: Verified | null, context: GateContext): Promise<Next> {
  try {
    const before = held.judgement
    const judgement = await context.judge({ ...call, id: before.call.id }, before.call.session)
    const answer = passUnasked(judgement)
    if (answer !== 'hold' && answer.kind === 'refusal') {
      return closeHeld(held, 'denied', answer.code, answer.message, context, null, editor && judgement)
    }
    const fresh = await prepareHeld(judgement, held.request.body.expiresAt, context)
    const row = { state: editor === null ? 'held' : 'decided', requestDigest: held.request.digest } as const
    const agreed = editor !== null && !needsMore(judgement, held.request.body) && isSameAsk(judgement, before)
    if (answer !== 'hold' || agreed) return passed(judgement, fresh, editor, row)
    // A decision that came meanwhile stands in the row: the old request is waited for once more, and it is acted on.
    return { kind: 'again', held: (await reissueHeld(fresh, row, context, editor !== null)) ? fresh : held }
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error
    return closeHeld(held, 'denied', error.code, error.message, context)
  }
}

/** SECURITY: A6 whoever edited the arguments agreed to this tool, agent and folder, not to what the asker made of them since. */
function isSameAsk(now: Judgement, before: Judgement): boolean {
  const of = ({ call }: Judgement) => JSON.stringify([call.tool, call.agent, call.cwd, call.session])
  return of(now) === of(before)
}

/** SECURITY: A2 A3 what another process wrote is checked here, by the one that holds the call, before it counts. */
export async function verifyWritten(held: Held, text: string | null, context: GateContext): Promise<Verified | null> {
  const { ports, events } = context
  const callId = held.judgement.call.id
  const taken = openDecision(text, ports.crypto)
  const check = await verifyDecision(taken?.signed ?? null, shownOf(held), ports.approvers, ports.crypto)
  if (check.kind === 'valid') return taken === null ? check : { ...check, at: taken.at }
  await context.commit({
    entries: [
      stepEntry('decision-refused', callId, ports.clock.now(), {
        code: check.code,
        message: check.message,
        state: 'held again',
      }),
    ],
    move: { id: callId, from: 'decided', to: 'held', set: { decision: null } },
    durable: false,
  })
  events.emit({ kind: 'decision-refused', callId, code: check.code, message: check.message })
  return null
}
