import { closeHeld } from '../approval/close.ts'
import { type GateContext, mustBeDurable } from '../approval/context.ts'
import { judgedEntry, stepEntry } from '../approval/entries.ts'
import { grantFrom, storeGrant } from '../approval/grants.ts'
import { recordRefused, refuseConflict, rowOf } from '../approval/hold.ts'
import type { Passed } from '../approval/pass.ts'
import { spendPermit } from '../approval/permit.ts'
import { type Refusal, refusal } from '../approval/refusal.ts'
import type { Json } from '../call/json.ts'
import { measureCall } from '../policy/measure.ts'
import type { CallMove, Change, EntryDraft } from '../ports/store.ts'
import { effectSentence } from '../preview/effect.ts'
import { findDrift } from './recheck.ts'

/**
 * The last moment we own: looks again, spends the permit, and writes the intent. Only when this returns null may the
 * effect begin. INVARIANT: L1 L7, the permit is consumed and the intent recorded in one transaction.
 */
export async function begin(
  passed: Passed,
  context: GateContext,
  mode: 'ask' | 'submit' = 'ask',
): Promise<Refusal | null> {
  const { judgement, held, permit } = passed
  const { call } = judgement
  const drifted = await findDrift(judgement, held, context.ports.targets)
  if (drifted !== null) return refuseStale(passed, drifted, context)
  const { size: after } =
    passed.verified?.signed.decision.grant === undefined ? NO_HEAD : await context.ports.store.head()
  spendPermit(permit, call)
  const committed = await context.commit({
    ...intent(passed, context, mode, after),
    durable: mustBeDurable(judgement.risk.level),
  })
  context.live.delete(call.id)
  if (committed.kind === 'conflict') return recordRefused(refuseConflict(call.id, committed.what), context)
  if (judgement.supervision === 'notify') {
    context.events.emit({ kind: 'notice', callId: call.id, effect: effectSentence(call, judgement.risk), judgement })
  }
  context.events.emit({ kind: 'started', callId: call.id })
  return null
}

/** Nothing is granted, so nobody asks how long the journal was. */
const NO_HEAD = { size: 0 }

function intent(passed: Passed, context: GateContext, mode: 'ask' | 'submit', after: number): Omit<Change, 'durable'> {
  const { judgement, held, verified, permit } = passed
  const { call, circumstances, risk, verdict } = judgement
  const { clock, crypto, owners } = context.ports
  const now = clock.now()
  const counted = measureCall(call, risk)
  const grant = verified === null ? null : grantFrom(verified.signed, call, verified.approver.name, now, crypto)
  const entries: EntryDraft[] = held === null ? [judgedEntry(judgement, crypto)] : []
  if (verdict.grant !== null) entries.push(stepEntry('grant-used', call.id, now, { grant: verdict.grant }))
  if (judgement.supervision === 'notify') entries.push(stepEntry('notice', call.id, now, { rule: verdict.rule.id }))
  for (const finding of judgement.safety.findings) {
    if (finding.status === 'fail')
      entries.push(stepEntry('override', call.id, now, { checker: finding.checker, by: permit.approvedBy }))
  }
  if (grant !== null) entries.push(stepEntry('grant-given', call.id, now, { grant: grant as unknown as Json }))
  entries.push(
    stepEntry('started', call.id, now, { digest: call.digest, by: permit.approvedBy, edited: isEdited(passed) }),
  )
  return {
    entries,
    ...(held === null
      ? {
          open: {
            call: { ...rowOf(judgement, mode, context), state: 'started' },
            maxHeldInSession: Infinity,
            maxHeld: Infinity,
          },
        }
      : { move: { id: call.id, from: stateOf(passed), to: 'started', set: { owner: owners.self, sealed: null } } }),
    ...(verdict.grant === null ? {} : { useGrant: { id: verdict.grant, at: now } }),
    ...(grant === null || verified === null
      ? {}
      : { addGrant: storeGrant({ grant, after }, verified.signed, context.ports.signer) }),
    ...(Object.keys(circumstances.counters).length === 0
      ? {}
      : {
          count: Object.entries(counted).map(([name, amount]) => ({
            session: call.session ?? '',
            name,
            at: now,
            amount,
          })),
        }),
  }
}

/** A call that a person approved is decided; one that needs nobody any more may still be held. */
function stateOf({ verified }: Passed): CallMove['from'] {
  return verified === null ? ['held', 'decided'] : 'decided'
}

function isEdited({ verified }: Passed): boolean {
  return verified?.signed.decision.edited !== undefined
}

async function refuseStale(passed: Passed, what: string, context: GateContext): Promise<Refusal> {
  const { call } = passed.judgement
  const message = `\`${what}\` changed after the call was shown; look at it and ask again`
  if (passed.held !== null) return closeHeld(passed.held, 'stale', 'CS_STALE', message, context)
  const now = context.ports.clock.now()
  await context.commit({
    entries: [judgedEntry(passed.judgement, context.ports.crypto), stepEntry('stale', call.id, now)],
    durable: false,
  })
  return refusal(call.id, 'stale', 'CS_STALE', message)
}
