import type { Json } from '../../call/json/json.ts'
import { parseEntry } from '../../journal/entry.ts'
import type { GrantScope } from '../../policy/model/grant.ts'
import type { CallQuery, StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { tracedDecision } from '../context/traced.ts'
import type { Receipt, SignedDecision } from '../decision/decision.ts'
import { readSigned } from '../decision/decision.ts'
import { type DecisionTrace, readTrace } from '../decision/stored-decision.ts'
import { type WouldMatch, wouldMatch } from '../grants/dry-run.ts'
import { type Grants, givenGrants, sweepGrants } from '../grants/registry.ts'
import { likeKey } from '../history/like-key.ts'
import { rowsThatDisagree } from '../history/row-check.ts'
import { type SeenTool, seenTools } from '../history/used-tools.ts'
import { sweepAbandoned } from '../hold/sweep.ts'
import type { Outcome } from '../outcome/outcome.ts'
import type { HeldCallView } from '../request/view.ts'
import { type Changes, createChanges } from './changes.ts'
import { decideHeld, viewsOf } from './decide.ts'
import { type Feedback, feedbackByRule, type RuleFeedback, recordFeedback } from './feedback.ts'
import { createRules, type Rules } from './rules.ts'
import { toolDefinition } from './tool-definition.ts'
import { watchHeld } from './watch.ts'

/** A call in the history: one redacted line, without its arguments. */
export type PastCall = Omit<StoredCall, 'sealed' | 'outcome' | 'decision'> & {
  readonly outcome: Outcome | null
  /** Who decided what, and when; null when nobody was asked. */
  readonly decision: DecisionTrace | null
  /** Columns of its row that are not what the journal says: somebody edited the store. Absent if there are none. */
  readonly disagrees?: readonly string[]
}

/** The deciding side. INVARIANT: L8, it cannot ask. */
export interface Desk {
  /** The calls held now, then each new or reissued one, of every process on the store. */
  held(): AsyncIterable<HeldCallView>
  /** The calls held right now, soonest deadline first. */
  list(): Promise<readonly HeldCallView[]>
  /** One held call; undefined when it is not held or cannot be opened. */
  view(id: string): Promise<HeldCallView | undefined>
  /** The definition of a held call's tool with its schema, as the caller gave it; null if there is none or it exceeds 64 KiB. */
  definition(id: string): Promise<Json | null>
  /**
   * Decides one held call. The first valid decision wins; every other does nothing, and its receipt says why. `isRecorded`
   * decides whether an invalid decision gets a journal entry: a desk open to strangers limits them by it (L10).
   */
  decide(id: string, signed: SignedDecision, isRecorded?: () => boolean): Promise<Receipt>
  grants(): Grants
  /** Changes of files that no person has seen. */
  changes(): Changes
  /** Rules that people set, signed and undoable. */
  rules(): Rules
  /** Past calls, newest first. */
  history(query?: CallQuery): Promise<readonly PastCall[]>
  /** Records whether a decided call was worth asking about. It changes no rule. */
  feedback(id: string, answer: Feedback, surface: string): Promise<void>
  /** The recorded answers, by rule. */
  feedbackByRule(): Promise<readonly RuleFeedback[]>
  /** Closes calls that a dead process or a passed deadline left behind. Returns how many. `list` does this too. */
  sweep(): Promise<number>
  /** One call, past or held; undefined when the id is unknown. */
  past(id: string): Promise<PastCall | undefined>
  /** Earlier held calls like this one, newest first; none if it cannot be compared. */
  similar(id: string): Promise<readonly PastCall[]>
  /** How many calls in the journal a grant of this scope would have covered. */
  wouldMatch(scope: GrantScope): Promise<WouldMatch>
  /** Every tool in the journal, most recently used first. */
  tools(): Promise<readonly SeenTool[]>
}

const MOST_SIMILAR = 10
const LOOKED_FOR_SIMILAR = 200

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
    decide: (id, signed, isRecorded) =>
      tracedDecision(context, (context) => decideHeld(id, readSigned(signed), context, isRecorded)),
    grants: () => givenGrants(context),
    changes: () => createChanges(context),
    rules: () => createRules(context),
    async history(query = {}) {
      const rows = await ports.store.calls({ state: ['started', 'closed'], ...query })
      return compared(rows.map(asPast))
    },
    async past(id) {
      const row = await ports.store.call(id)
      return row === undefined ? undefined : (await compared([asPast(row)]))[0]
    },
    async similar(id) {
      const row = await ports.store.call(id)
      const key = row === undefined ? null : await keyOf(id)
      if (row === undefined || key === null) return []
      const past = await ports.store.calls({ state: ['started', 'closed'], tool: row.tool, limit: LOOKED_FOR_SIMILAR })
      const like: PastCall[] = []
      for (const other of past) {
        const one = asPast(other)
        const isAsked = one.decision !== null || one.outcome === 'expired'
        if (other.id !== id && isAsked && one.risk === row.risk && (await keyOf(one.id)) === key) like.push(one)
        if (like.length === MOST_SIMILAR) break
      }
      return compared(like)
    },
    wouldMatch: (scope) => wouldMatch(scope, ports),
    tools: () => seenTools(ports.store),
    feedback: (id, answer, surface) => recordFeedback(id, answer, surface, context),
    feedbackByRule: () => feedbackByRule(ports.store),
  }

  async function keyOf(id: string): Promise<string | null> {
    const entries = (await ports.store.entriesOf(id)).map(({ line }) => parseEntry(line))
    const judged = entries.findLast((entry) => entry?.kind === 'judged')
    return judged === undefined ? null : likeKey(judged)
  }

  async function compared(calls: readonly PastCall[]): Promise<readonly PastCall[]> {
    const wrong = await rowsThatDisagree(calls, ports.store)
    if (wrong.size === 0) return calls
    return calls.map((call) => ({ ...call, ...(wrong.has(call.id) && { disagrees: wrong.get(call.id) ?? [] }) }))
  }

  function asPast({ sealed: _, ...row }: StoredCall): PastCall {
    return { ...row, decision: readTrace(row.decision, ports.crypto) } as PastCall
  }
}
