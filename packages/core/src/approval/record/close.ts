import type { Json, JsonObject } from '../../call/json/json.ts'
import { asCountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import { type CallState, type Change, type StoredCall, WAITING_STATES } from '../../ports/store.ts'
import { type GateContext, mustBeDurable } from '../context/gate-context.ts'
import { openDecision, traceOf } from '../decision/stored-decision.ts'
import type { Outcome } from '../outcome/outcome.ts'
import { pastRefusal, type Refusal, refusal } from '../outcome/outcome.ts'
import { type ClearedCall, editedJudgement } from '../outcome/permission.ts'
import type { HeldCall } from '../request/held-call.ts'
import type { Judgement } from '../request/judgement.ts'
import { editedColumns, rowOf } from './call-row.ts'
import { judgedEntry } from './journal-entries.ts'

type Closer = Pick<GateContext, 'ports' | 'events' | 'commit'>

/** Closes the row of a call that did not run. False when the row was no longer in one of the states `from`. */
export async function closeRow(
  row: Pick<StoredCall, 'id' | 'callDigest' | 'decision'> & { readonly args?: JsonObject },
  outcome: Outcome,
  from: CallState | readonly CallState[],
  context: Closer,
  more: { readonly [field: string]: Json } = {},
  edited: Judgement | null = null,
): Promise<boolean> {
  const { clock, crypto } = context.ports
  const now = clock.now()
  // A call that had started has the trace of its decision already.
  const decision = from === 'started' ? row.decision : traceOf(openDecision(row.decision, crypto), crypto, row.args)
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

/** Closes a held call that is not to run. `edited` is the call as a person edited it, where that call is refused. */
export async function closeHeld(
  held: HeldCall,
  refused: Refusal,
  context: GateContext,
  edited: Judgement | null = null,
): Promise<Refusal> {
  const { call, verdict } = held.judgement
  const { store, crypto } = context.ports
  context.live.delete(call.id)
  const row = await store.call(call.id)
  const asked = { id: call.id, callDigest: call.digest, decision: row?.decision ?? null, args: call.args }
  const closed = await closeRow(asked, refused.outcome, WAITING_STATES, context, { code: refused.code }, edited)
  // If somebody else closed it first, the caller is told how it really ended.
  const other = closed ? undefined : await store.call(call.id)
  const ended = other === undefined ? { ...refused, rule: verdict.rule } : pastRefusal(other, crypto)
  context.events.emit({ kind: 'refused', callId: call.id, refusal: ended })
  return ended
}

/** Records a call that was refused before anyone was asked, so that history and journal have it too. */
export async function recordDenied(judgement: Judgement, refused: Refusal, context: GateContext): Promise<Refusal> {
  const { call, circumstances, risk } = judgement
  const { now } = circumstances
  const row = { ...rowOf(judgement, 'ask', context), state: 'closed', outcome: refused.outcome, closedAt: now } as const
  const entries = [
    judgedEntry(judgement, context.ports.crypto),
    stepEntry(refused.outcome, call.id, now, { code: refused.code, digest: call.digest }),
  ]
  const durable = mustBeDurable(risk.level)
  const open = { call: row, maxHeldInSession: Number.POSITIVE_INFINITY, maxHeld: Number.POSITIVE_INFINITY }
  const committed = await context.commit({ entries, open, durable })
  // The id was used before: the attempt is recorded all the same.
  if (committed.kind === 'conflict') await context.commit({ entries, durable })
  context.events.emit({ kind: 'ended', callId: call.id, outcome: refused.outcome })
  context.events.emit({ kind: 'refused', callId: call.id, refusal: refused })
  return refused
}

/** Refuses a call that was cleared to run. INVARIANT: L5, its row tells what would have run, also where that was edited. */
export function refuseCleared(cleared: ClearedCall, refused: Refusal, context: GateContext): Promise<Refusal> {
  const { judgement, held } = cleared
  if (held === null) return recordDenied(judgement, refused, context)
  return closeHeld(held, refused, context, editedJudgement(cleared))
}

/** Refuses a cleared call because `target` changed after it was judged or shown. */
export async function refuseDrifted(cleared: ClearedCall, target: string, context: GateContext): Promise<Refusal> {
  const { judgement, held } = cleared
  const { clock, crypto } = context.ports
  const { id } = judgement.call
  const message = `\`${target}\` changed after the call was shown; check it and ask again`
  const refused = refusal(id, 'stale', 'CS_STALE', message)
  if (held !== null) return refuseCleared(cleared, refused, context)
  const entries = [judgedEntry(judgement, crypto), stepEntry('stale', id, clock.now())]
  await context.commit({ entries, durable: false })
  return refused
}

/**
 * Closes a held call whose caller is about to be refused because of `thrown`: nobody is left to run it, so nobody should
 * decide on it. Returns `thrown`.
 */
export async function closeThrown(thrown: unknown, { judgement }: HeldCall, context: GateContext): Promise<unknown> {
  const { id, digest } = judgement.call
  const { code } = asCountersignError(thrown, 'CS_INTERNAL', 'internal error in the gate')
  const close = async (): Promise<unknown> => {
    const row = await context.ports.store.call(id)
    return row && closeRow(row, 'refused', WAITING_STATES, context, { code, digest })
  }
  await orLater(close, context)
  return thrown
}

/** The store itself may have failed. The call is refused either way, and nobody shall be asked about it afterwards. */
function orLater(close: () => Promise<unknown>, { unfinished }: Pick<GateContext, 'unfinished'>): Promise<unknown> {
  return close().catch(() => unfinished.later(close))
}

/**
 * After a commit whose outcome can't be found out: the call that it opened or started is closed as *unknown*. INVARIANT:
 * L7, nobody runs it, whatever the commit did.
 */
export async function closeUnsure(
  { open, move }: Change,
  context: Closer & Pick<GateContext, 'unfinished'>,
): Promise<void> {
  const started = move?.to === 'started' ? move : undefined
  const id = open?.call.id ?? started?.id
  const owner = open?.call.owner ?? started?.set?.owner
  if (id === undefined) return
  await orLater(async () => {
    const row = await context.ports.store.call(id)
    if (row === undefined || row.state === 'closed' || row.owner !== owner) return
    await closeRow(row, 'unknown', row.state, context, { found: row.state, code: 'CS_STORE_UNSURE' })
  }, context)
}
