import type { Call } from '../../call/call.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { Limit, PolicySet } from '../../policy/model/rule.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Arrival } from '../../ports/file-freshness.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Change, Committed } from '../../ports/store.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { Held } from '../request/held.ts'
import type { Judgement } from '../request/judgement.ts'
import type { Events } from './events.ts'
import type { RefusedRoom } from './refusal-rate-limit.ts'
import type { WaitingRoom } from './waiting-callers.ts'

/** What approval and execute need of the gate around them. */
export interface GateContext {
  readonly ports: Ports
  readonly room: WaitingRoom
  readonly events: Events
  readonly bounds: {
    readonly heldInSession: number
    readonly held: number
    readonly heldBytesInSession: number
    readonly heldBytes: number
  }
  /** Which refusals get an entry. */
  readonly refusals: RefusedRoom
  /** Calls held by this process, by id. */
  readonly live: Map<string, Held>
  /** Work that has begun: `close` waits for it. */
  readonly inFlight: Set<Promise<unknown>>
  /** One transaction on store and journal. */
  commit(change: Change): Promise<Committed>
  /** Steps one to four: freeze, rate, judge, check. `session` overrides the gate's own after a restart. */
  judge(call: Call, session?: string | null): Promise<Judgement>
  /** What policy would say if this grant existed: decides whether it is worth offering. */
  judgeWith(judgement: Judgement, grant: Grant): Verdict
  /** Notes that somebody has come to whom policy matters, a caller or a decision. */
  arrive(): Arrival
  /** Brings the policy in step with its files. Who says when it came shares a look that was made just now, and after that. Undefined: nothing to wait for. */
  refreshPolicy(since?: Arrival): Promise<void> | undefined
  /** Looks at the files, for whoever has come by now. */
  lookAtPolicy(): void
  /** The hash of the policy in force, its limits, and how long it keeps copies. */
  policyNow(): {
    readonly hash: string
    readonly limits: readonly Limit[]
    readonly set: Pick<PolicySet, 'backups'>
  }
  /** What policy says of a judged call at this moment: hours pass while a person thinks. */
  judgeNow(judgement: Judgement): Verdict
  /** A tool's own preview, when it was registered with one. */
  previewOf(judgement: Judgement): Promise<Held['preview']>
}

/** INVARIANT: L10, how many calls may be open and what they may weigh. */
export function roomFor({ bounds }: GateContext) {
  return {
    maxHeldInSession: bounds.heldInSession,
    maxHeld: bounds.held,
    maxBytesInSession: bounds.heldBytesInSession,
    maxBytes: bounds.heldBytes,
  }
}

/** INVARIANT: L7, from risk medium up an entry is on disk before the effect. */
export function mustBeDurable(level: RiskLevel): boolean {
  return level !== 'none' && level !== 'low'
}
