import type { Json } from '../../call/json/json.ts'
import { asCountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import type { CallState, StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { openDecision, traceOf } from '../decision/stored-decision.ts'
import type { Outcome } from '../outcome/outcome.ts'
import { pastRefusal } from '../outcome/past-refusal.ts'
import { editedIn, type Passed } from '../outcome/permission.ts'
import { type Refusal, refusal } from '../outcome/refusal.ts'
import type { Held } from '../request/held.ts'
import type { Judgement } from '../request/judgement.ts'
import { editedColumns } from './call-row.ts'

/** States in which a call waits: for a person, or for its caller. */
export const WAITING: readonly CallState[] = ['held', 'ready', 'decided']

type Closer = Pick<GateContext, 'ports' | 'events' | 'commit'>

/** The one way a call ends without having run. False when it was no longer in one of these states. */
export async function closeRow(
  row: Pick<StoredCall, 'id' | 'callDigest' | 'decision'>,
  outcome: Outcome,
  from: CallState | readonly CallState[],
  context: Closer,
  more: { readonly [field: string]: Json } = {},
  edited: Judgement | null = null,
): Promise<boolean> {
  const { clock, crypto } = context.ports
  const now = clock.now()
  const decision = traceOf(openDecision(row.decision, crypto), crypto)
  const committed = await context.commit({
    entries: [stepEntry(outcome, row.id, now, { digest: row.callDigest, ...more })],
    move: {
      id: row.id,
      from,
      to: 'closed',
      set: { outcome, closedAt: now, sealed: null, decision, ...(edited ? editedColumns(edited, context) : {}) },
    },
    durable: false,
  })
  if (committed.kind === 'conflict') return false
  context.events.emit({ kind: 'ended', callId: row.id, outcome })
  return true
}

/** Ends a held call without running it, and tells the caller what a model should know. */
export async function closeHeld(
  held: Held,
  outcome: Refusal['outcome'],
  code: Refusal['code'],
  message: string,
  context: GateContext,
  reason: string | null = null,
  /** What a person made of it, where that is what was refused. */
  edited: Judgement | null = null,
): Promise<Refusal> {
  const { call, verdict } = held.judgement
  context.live.delete(call.id)
  const row = await context.ports.store.call(call.id)
  const decision = row?.decision ?? null
  const asked = { id: call.id, callDigest: call.digest, decision }
  const closed = await closeRow(asked, outcome, WAITING, context, { code }, edited)
  // Somebody else ended it first: the caller is told how it really ended.
  const other = closed ? undefined : await context.ports.store.call(call.id)
  const ended =
    other === undefined
      ? refusal(call.id, outcome, code, message, { reason, rule: verdict.rule })
      : pastRefusal(other, context.ports.crypto)
  context.events.emit({ kind: 'refused', callId: call.id, refusal: ended })
  return ended
}

/** Ends a call that waited and could have run. INVARIANT: L5, its row says what would have run, also where that was edited. */
export function closePassed(
  passed: Passed,
  held: Held,
  { outcome, code, message }: Pick<Refusal, 'outcome' | 'code' | 'message'>,
  context: GateContext,
): Promise<Refusal> {
  return closeHeld(held, outcome, code, message, context, null, editedIn(passed))
}

/**
 * Ends a held call of an asker that is about to be refused for what was thrown: nobody is left to run it, so nobody is to
 * decide on it. Gives back what was thrown.
 */
export async function endThrown(thrown: unknown, { judgement }: Held, context: GateContext): Promise<unknown> {
  const { id, digest } = judgement.call
  const { code } = asCountersignError(thrown, 'CS_INTERNAL', 'something inside the gate went wrong')
  const end = async (): Promise<unknown> => {
    const row = await context.ports.store.call(id)
    return row && closeRow(row, 'refused', WAITING, context, { code, digest })
  }
  await end().catch(() => {}) // the store may be what failed; the call is refused either way
  return thrown
}
