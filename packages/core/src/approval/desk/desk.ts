import type { Json } from '../../call/json/json.ts'
import type { GrantScope } from '../../policy/model/grant.ts'
import type { CallQuery, StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import type { Receipt, SignedDecision } from '../decision/decision.ts'
import { readSigned } from '../decision/decision.ts'
import { type DecisionTrace, readTrace } from '../decision/stored-decision.ts'
import { type WouldMatch, wouldMatch } from '../grants/dry-run.ts'
import { type Grants, givenGrants, sweepGrants } from '../grants/registry.ts'
import { type SeenTool, seenTools } from '../history/used-tools.ts'
import { sweepAbandoned } from '../hold/sweep.ts'
import type { Outcome } from '../outcome/outcome.ts'
import type { HeldCallView } from '../request/view.ts'
import { decideHeld, viewsOf } from './decide.ts'
import { toolDefinition } from './tool-definition.ts'
import { watchHeld } from './watch.ts'

/** One call of the past, as history lists it: the redacted line, never its arguments whole. */
export type PastCall = Omit<StoredCall, 'sealed' | 'outcome' | 'decision'> & {
  readonly outcome: Outcome | null
  /** Who decided what, and when; null when nobody had to. */
  readonly decision: DecisionTrace | null
}

/** The deciding side. INVARIANT: L8, it cannot ask. */
export interface Desk {
  /** Every held call: those of now, then each new or reissued one as it comes, of every process on the store. */
  held(): AsyncIterable<HeldCallView>
  /** The calls held right now, soonest deadline first. */
  list(): Promise<readonly HeldCallView[]>
  /** One call that is held right now; undefined when it is not, or cannot be opened. */
  view(id: string): Promise<HeldCallView | undefined>
  /** The definition of a held call's tool, with its schema, as the caller gave it; null without one or beyond 64 KiB. */
  definition(id: string): Promise<Json | null>
  /**
   * Decides one held call. The first valid decision wins; every other does nothing and says so. `isRecorded` is asked
   * for a decision that does not count: whether an entry tells of it. A desk that strangers reach bounds them by it (L10).
   */
  decide(id: string, signed: SignedDecision, isRecorded?: () => boolean): Promise<Receipt>
  grants(): Grants
  /** Calls of the past, newest first. */
  history(query?: CallQuery): Promise<readonly PastCall[]>
  /** Ends what a dead process or a passed deadline left behind, and tells how many. `list` does so too. */
  sweep(): Promise<number>
  /** One call of the past, or one that is held; undefined when the store knows none of this id. */
  past(id: string): Promise<PastCall | undefined>
  /** What a grant of this scope would have covered, of the calls that the journal still tells of. */
  wouldMatch(scope: GrantScope): Promise<WouldMatch>
  /** Every tool that the journal still tells of, the last used first. */
  tools(): Promise<readonly SeenTool[]>
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
    async sweep() {
      await sweepGrants(context)
      return sweepAbandoned(context)
    },
    held: () => watchHeld(list, context),
    async view(id) {
      const row = await ports.store.call(id)
      return row?.state === 'held' ? viewsOf(row, context)[0] : undefined
    },
    async definition(id) {
      const row = await ports.store.call(id)
      return row?.state === 'held' ? toolDefinition(row, context) : null
    },
    decide: (id, given, isRecorded) => decideHeld(id, readSigned(given), context, isRecorded),
    grants: () => givenGrants(context),
    async history(query = {}) {
      const rows = await ports.store.calls({ state: ['started', 'closed'], ...query })
      return rows.map(asPast)
    },
    async past(id) {
      const row = await ports.store.call(id)
      return row === undefined ? undefined : asPast(row)
    },
    wouldMatch: (scope) => wouldMatch(scope, ports),
    tools: () => seenTools(ports.store),
  }

  function asPast({ sealed: _, ...row }: StoredCall): PastCall {
    return { ...row, decision: readTrace(row.decision, ports.crypto) } as PastCall
  }
}
