import type { Call, FrozenCall } from '../call/call.ts'
import { freezeCall, withOwnDescription } from '../call/freeze/freeze-call.ts'
import { decomposeCall } from '../command/decompose-call.ts'
import type { CommandPart } from '../command/model/decomposition.ts'
import type { OwnKnowledge, OwnLayer } from '../knowledge/own-knowledge.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { Places } from './path/category.ts'
import { rateRisk } from './rate-risk.ts'
import type { RiskFinding } from './report/finding.ts'
import type { RiskReport } from './report/report.ts'

/** A call and its risk. */
export interface AssessedCall {
  readonly call: FrozenCall
  readonly risk: RiskReport
  /** The rows of `knowledge/` that answered. */
  readonly rows: readonly AnsweringRow[]
}

/** A row of knowledge that rated a simple command of a call, or its tool. */
export interface AnsweringRow {
  /** Null for the tool. */
  readonly part: CommandPart | null
  /** The rule and text of the reason it gave. */
  readonly rule: string
  readonly text: string
  /** `knowledge/programs/git.yaml:41` */
  readonly source: string
  /** Whose own knowledge it is; absent: built in. */
  readonly layer?: OwnLayer
}

/**
 * Rates a call without a file system or a policy: paths lead where they are spelled, so that the same call gets the same
 * rating everywhere. The gate itself rates with resolved paths.
 */
export function assessCall(
  given: Call,
  places: Places,
  crypto: Pick<Crypto, 'sha256'>,
  knowledge?: OwnKnowledge,
): AssessedCall {
  const frozen = freezeCall(given, { crypto, session: null, cwd: places.workspace, newId: () => 'assessed' })
  const call = withOwnDescription(frozen, knowledge, given, crypto)
  const rows: AnsweringRow[] = []
  const rowAnswered = (part: CommandPart | null, { rule, text, source }: RiskFinding) => {
    if (source === undefined) return
    const { file, line, layer } = source
    rows.push({ part, rule, text, source: `${file}:${line}`, ...(layer === undefined ? {} : { layer }) })
  }
  const own = knowledge === undefined ? {} : { knowledge }
  return { call, risk: rateRisk(call, decomposeCall(call), { places, resolved: new Map(), rowAnswered, ...own }), rows }
}
