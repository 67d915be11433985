import type { Call } from '../../call/call.ts'
import type { Places } from '../../policy/model/circumstances.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { Limit, PolicySet } from '../../policy/model/rule.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Arrival } from '../../ports/file-freshness.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Change, Committed } from '../../ports/store.ts'
import type { CallTrace } from '../../ports/telemetry.ts'
import type { ReadSecrets } from '../../secrets/read-secrets.ts'
import type { Permit } from '../outcome/permit.ts'
import type { HeldCall } from '../request/held-call.ts'
import type { Judgement } from '../request/judgement.ts'
import type { Events } from './events.ts'
import type { RefusalRateLimit } from './refusal-rate-limit.ts'
import type { UnfinishedWork } from './unfinished-work.ts'
import type { WaitingCallers } from './waiting-callers.ts'

/** What approval and execute need of the gate around them. */
export interface GateContext {
  readonly ports: Ports
  readonly places: Places
  readonly waiting: WaitingCallers
  readonly events: Events
  /** INVARIANT: L10, how many calls may wait, and how large they may be together. */
  readonly bounds: Required<Omit<NonNullable<Change['open']>, 'call'>>
  /** Limits how many refusals get a journal entry. */
  readonly refusals: RefusalRateLimit
  /** The session whose turns the work takes: it may collect a call of another session. */
  readonly asker: string | null
  /**
   * The process that started calls and grants of this session belong to: this one, or the agent's for a session that
   * outlives this process.
   */
  readonly owner: string
  /** The process that waits for its held calls, such as a hook’s; this one if absent. */
  readonly waiter?: string
  /** Calls held by this process, by id. */
  readonly live: Map<string, HeldCall>
  /** Calls whose gate is gone and whose asker may come back, with the monotonic time at which this was noticed. */
  readonly absent: Map<string, number>
  /** Calls under way: `close` waits for them. */
  readonly inFlight: Set<Promise<unknown>>
  /** What the store did not take is done again once it is back. */
  readonly unfinished: Pick<UnfinishedWork, 'later'>
  /** One transaction on store and journal. */
  commit(change: Change): Promise<Committed>
  /** The credentials that results in this session contained. */
  readSecrets(session: string | null): ReadSecrets
  /** Remembers the credentials in the result of a call of this session. */
  learn(result: unknown, permit: Permit): void
  /** Steps one to four. `session` overrides the gate's own after a restart. */
  judge(call: Call, session?: string | null, agentPrompt?: boolean, trace?: CallTrace): Promise<Judgement>
  /** Observes the operation that this context is for; absent if nobody does. */
  readonly trace?: CallTrace
  /** The verdict if this grant existed; decides whether it is worth offering. */
  judgeWith(judgement: Judgement, grant: Grant): Verdict
  /** The verdict on a judged call at this moment: hours pass while a person thinks. */
  judgeNow(judgement: Judgement): Verdict
  /** Registers the arrival of a caller or a decision: only policy checks made after it count for it. */
  arrive(): Arrival
  /**
   * Reads the policy files again if they changed. With `since`, a check made after that arrival and within the last 2 ms
   * is reused. Undefined when there is nothing to wait for.
   */
  refreshPolicy(since?: Arrival): Promise<void> | undefined
  /** Checks the policy files now, so that whoever has arrived so far can reuse the check. */
  checkPolicyFiles(): void
  /** The hash of the policy in force, its limits, and how long it keeps backups. */
  policyNow(): {
    readonly hash: string
    readonly limits: readonly Limit[]
    readonly set: Pick<PolicySet, 'backups' | 'row'>
  }
}

/** INVARIANT: L7, from risk medium up an entry is on disk before the effect. */
export function mustBeDurable(level: string): boolean {
  return level !== 'none' && level !== 'low'
}

/**
 * Whether the caller itself is gone. An abort for any other reason only means that nobody waits for a person any more:
 * a call that is decided, or needs nobody, still runs.
 */
export function isCallerGone(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true && signal.reason === 'gone'
}
