import type { Call, FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
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
  /** The call as it was asked, with a copy of its arguments: it can be judged again, also after a restart. */
  readonly asked: Call
  readonly call: FrozenCall
  readonly circumstances: Circumstances
  readonly named: readonly NamedPath[]
  readonly risk: RiskReport
  readonly verdict: Verdict
  readonly safety: SafetyReport
  /** The stricter of the verdict's supervision and what the checkers raised it to. */
  readonly supervision: Supervision
  /** Other callers ran while this call was judged, so the policy may have changed since it was read. */
  readonly paused: boolean
}

/** The same call with other arguments. The description of the old arguments is dropped; `describe` can make a new one. */
export function withArgs(call: Call, args: JsonObject): Call {
  const { description: _, ...rest } = call
  return { ...rest, args }
}
