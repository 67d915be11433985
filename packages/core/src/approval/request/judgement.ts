import type { Call, FrozenCall } from '../../call/call.ts'
import type { Circumstances } from '../../policy/model/circumstances.ts'
import type { Supervision } from '../../policy/model/supervision.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { SafetyReport } from '../../safety/checker.ts'

/** A path the call names, and where it really led when the call was judged (null: could not be resolved). */
export interface NamedPath {
  readonly given: string
  readonly cwd: string
  readonly real: string | null
}

/** What the first four steps found out about one call: everything approval needs. */
export interface Judgement {
  /** The call as handed in, without its arguments' original object: kept so that a restart can judge it again. */
  readonly given: Call
  readonly call: FrozenCall
  readonly circumstances: Circumstances
  readonly named: readonly NamedPath[]
  readonly risk: RiskReport
  readonly verdict: Verdict
  readonly safety: SafetyReport
  /** max(verdict, what the checkers raised). */
  readonly supervision: Supervision
  /** Whether others had their turn after the policy was taken: what it says may have changed meanwhile. */
  readonly paused: boolean
}
