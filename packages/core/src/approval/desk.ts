import type { CallQuery, StoredCall } from '../ports/store.ts'
import type { GateContext } from './context.ts'
import { decideHeld, viewsOf } from './decide.ts'
import type { Receipt, SignedDecision } from './decision.ts'
import { readSigned } from './decision-shape.ts'
import { type Grants, givenGrants } from './given-grants.ts'
import type { HeldCallView } from './held-call.ts'
import { type DecisionTrace, readTrace } from './kept-decision.ts'
import type { Outcome } from './outcome.ts'
import { sweepAbandoned } from './sweep.ts'
import { watchHeld } from './watch-held.ts'

/** One call of the past, as history shows it: no arguments, only the redacted line. */
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
    decide: (id, given) => decideHeld(id, readSigned(given), context),
    grants: () => givenGrants(context),
    async history(query = {}) {
      const rows = await ports.store.calls({ state: ['started', 'closed'], ...query })
      return rows.map(
        ({ sealed: _, ...row }) => ({ ...row, decision: readTrace(row.decision, ports.crypto) }) as PastCall,
      )
    },
  }
}
