import { CountersignError } from '../errors.ts'
import type { Grant } from '../policy/grant.ts'
import type { CallQuery, StoredCall } from '../ports/store.ts'
import { type GateContext, mustBeDurable } from './context.ts'
import type { Receipt, SignedDecision } from './decision.ts'
import { readSigned } from './decision-shape.ts'
import { decidedEntry, gateEntry, stepEntry } from './entries.ts'
import { openGrant } from './grants.ts'
import { viewOf } from './held.ts'
import type { HeldCallView, RequestBody } from './held-call.ts'
import { type DecisionTrace, readTrace, sealDecision } from './kept-decision.ts'
import type { Outcome } from './outcome.ts'
import { openSealed } from './sealed-call.ts'
import { sweepAbandoned } from './sweep.ts'
import { verifyDecision } from './verify-decision.ts'
import { openView } from './view.ts'
import { watchHeld } from './watch-held.ts'

/** One call of the past, as history shows it: no arguments, only the redacted line. */
export type PastCall = Omit<StoredCall, 'sealed' | 'outcome' | 'decision'> & {
  readonly outcome: Outcome | null
  /** Who decided what, and when; null when nobody had to. */
  readonly decision: DecisionTrace | null
}

/** A grant as the desk lists it, with how often it was used. */
export interface GivenGrant extends Grant {
  readonly uses: number
}

/** Standing permissions: what was given, and how to take it back. */
export interface Grants {
  list(): Promise<readonly GivenGrant[]>
  /** Ends a grant at once. Throws CS_GRANT_UNKNOWN when there is none. */
  revoke(id: string, by: string): Promise<void>
}

/** The deciding side. INVARIANT: L8, it cannot ask. */
export interface Desk {
  /** Every held call: those of now, then each new or reissued one as it comes, of every process on the store. */
  held(): AsyncIterable<HeldCallView>
  /** The calls held right now, soonest deadline first. */
  list(): Promise<readonly HeldCallView[]>
  /** Decides one held call. The first valid decision wins; every other does nothing and says so. */
  decide(id: string, signed: SignedDecision): Promise<Receipt>
  grants(): Grants
  /** Calls of the past, newest first. */
  history(query?: CallQuery): Promise<readonly PastCall[]>
}

export function createDesk(context: GateContext): Desk {
  const { ports } = context

  async function list(): Promise<readonly HeldCallView[]> {
    await sweepAbandoned(context)
    const rows = await ports.store.calls({ state: 'held', limit: 10_000 })
    const soonest = [...rows].sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
    return soonest.flatMap((row) => viewsOf(row, context))
  }

  return {
    list,
    held: () => watchHeld(list, context),
    decide: (id, given) => decide(id, readSigned(given), context),
    grants: () => ({ list: () => listGrants(context), revoke: (id, by) => revokeGrant(id, by, context) }),
    async history(query = {}) {
      const rows = await ports.store.calls({ state: ['started', 'closed'], ...query })
      return rows.map(
        ({ sealed: _, ...row }) => ({ ...row, decision: readTrace(row.decision, ports.crypto) }) as PastCall,
      )
    },
  }
}

/** A row whose seal is broken is not shown as something one could approve; it is reported and will expire. */
function viewsOf(row: StoredCall, context: GateContext): readonly HeldCallView[] {
  const live = context.room.holds(row.id) ? context.live.get(row.id) : undefined
  if (live !== undefined && live.request.digest === row.requestDigest) return [viewOf(live)]
  try {
    const { view } = openSealed(row, context.ports.crypto)
    return view === null ? [] : [openView(view, context.ports.crypto).view]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    context.events.emit({ kind: 'problem', code: 'CS_STORE_SEAL', message })
    return []
  }
}

async function decide(id: string, signed: SignedDecision | null, context: GateContext): Promise<Receipt> {
  const { ports } = context
  const now = ports.clock.now()
  const shown = await findShown(id, now, context)
  if ('accepted' in shown) return shown
  const { view } = shown
  const check = await verifyDecision(signed, shown, ports.approvers, ports.crypto)
  if (check.kind === 'invalid') {
    await context.commit({
      entries: [stepEntry('decision-refused', id, now, { code: check.code, message: check.message })],
      durable: false,
    })
    context.events.emit({ kind: 'decision-refused', callId: id, code: check.code, message: check.message })
    return receipt(id, false, 'held', null, now, check.message)
  }
  const committed = await context.commit({
    entries: [decidedEntry(check.signed, check.approver.name, now, ports.crypto)],
    move: {
      id,
      from: 'held',
      to: 'decided',
      requestDigest: view.requestDigest,
      set: { decision: sealDecision(check.signed, ports.crypto) },
    },
    durable: mustBeDurable(view.risk.level),
  })
  if (committed.kind === 'conflict') return late(id, await ports.store.call(id), now, context)
  context.room.deliver(id, check)
  const state = check.signed.decision.kind === 'approve' ? 'approved' : 'rejected'
  return receipt(id, true, state, check.approver.name, now, `${state} by ${check.approver.name}`)
}

/**
 * What a decision is checked against, or why there is nothing to decide. A call that this process holds is known here;
 * whether its row still waits is found out by the commit. Any other is opened from its sealed row.
 */
async function findShown(id: string, now: number, context: GateContext): Promise<Shown | Receipt> {
  const live = context.room.holds(id) ? context.live.get(id) : undefined
  if (live !== undefined) return { view: viewOf(live), body: live.request.body }
  const row = await context.ports.store.call(id)
  if (row?.state !== 'held') return late(id, row, now, context)
  if (isOverdue(row, now, context)) return overdue(id, now)
  const [view] = viewsOf(row, context)
  if (view === undefined) return receipt(id, false, 'held', null, now, 'the held row cannot be opened; it will expire')
  const { body } = openView(view, context.ports.crypto)
  // SECURITY: A3 A33 the row's deadline can be edited; the one that was shown and signed for cannot.
  if (!context.room.holds(id) && body.expiresAt <= now) return overdue(id, now)
  return { view, body }
}

interface Shown {
  readonly view: HeldCallView
  readonly body: RequestBody
}

/** A live holder counts by a clock that cannot jump; for anyone else's call the wall clock of the request decides. */
function isOverdue(row: StoredCall, now: number, context: GateContext): boolean {
  return !context.room.holds(row.id) && row.expiresAt !== null && row.expiresAt <= now
}

function overdue(id: string, now: number): Receipt {
  return receipt(id, false, 'expired', null, now, 'the deadline has passed; nothing was run')
}

/** INVARIANT: L6, first valid decision wins; the rest get a receipt that names it. */
function late(id: string, row: StoredCall | undefined, now: number, context: GateContext): Receipt {
  if (row === undefined)
    return receipt(id, false, 'unknown', null, now, 'no call with this id is held; list the held calls')
  if (row.state === 'held')
    return receipt(id, false, 'held', null, now, 'the call was asked anew meanwhile; look at it again')
  const trace = readTrace(row.decision, context.ports.crypto)
  const state = row.outcome ?? (trace === null ? row.state : trace.kind === 'approve' ? 'approved' : 'rejected')
  const by = trace?.approver ?? null
  return receipt(id, false, state, by, trace?.at ?? row.closedAt ?? now, `too late: this call is already ${state}`)
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

async function listGrants(context: GateContext): Promise<readonly GivenGrant[]> {
  const { store, clock, crypto, signer } = context.ports
  const rows = await store.grants()
  return rows.flatMap((row) => {
    const opened = openGrant(row, clock.now(), crypto, signer)
    return opened === null ? [] : [{ ...opened.grant, uses: row.uses }]
  })
}

async function revokeGrant(id: string, by: string, context: GateContext): Promise<void> {
  const now = context.ports.clock.now()
  const committed = await context.commit({
    entries: [gateEntry('grant-revoked', now, { grant: id, by })],
    revokeGrant: { id, at: now },
    durable: true,
  })
  if (committed.kind === 'conflict') {
    throw new CountersignError(
      'CS_GRANT_UNKNOWN',
      `no living grant \`${id}\`; list them with \`countersign grants list\``,
    )
  }
}
