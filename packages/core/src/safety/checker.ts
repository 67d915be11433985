import type { FrozenCall } from '../call/call.ts'
import type { Json, JsonObject } from '../call/json/json.ts'
import { type CheckSettings, optionsOf } from '../policy/model/builtin-checks.ts'
import type { Places } from '../policy/model/circumstances.ts'
import type { Supervision } from '../policy/model/supervision.ts'
import type { BackupAges } from '../ports/backups.ts'
import type { RiskReport } from '../risk/report/report.ts'

/** What a checker found. */
export interface Finding {
  readonly checker: string
  readonly status: 'pass' | 'warn' | 'fail' | 'skip'
  readonly message: string
  readonly details?: Json
  readonly suggestion?: string
  /** Only of a fail: may a person approve it all the same? The override is recorded. */
  readonly overridable: boolean
  /** Lifts supervision to at least this; can never lower it. */
  readonly raise?: Supervision
  /** Other arguments it suggests: they make a new call, which is judged and asked about again. */
  readonly propose?: JsonObject
}

/** What a checker returns; the runner adds its name. */
export type CheckAnswer = Omit<Finding, 'checker' | 'overridable'> & { readonly overridable?: boolean }

/** What a checker may look at: the frozen call, its risk, and the places policy knows. */
export interface CheckInput {
  readonly call: FrozenCall
  readonly risk: RiskReport
  readonly places: Places
  /** What the rules that named checks say of their options. */
  readonly settings: CheckSettings
  /** Checks that only the preset asks for: where they can't help, they warn instead of asking. Absent: none. */
  readonly presetChecks?: readonly string[]
  /** How long copies of changed files are kept, and how many bytes of them; absent: as usual. */
  readonly retention?: BackupAges
}

/** An option that is a number: as the rules say, or as usual. */
export function numberOf(settings: CheckSettings, check: string, option: string): number {
  const value = settings[check]?.[option] ?? optionsOf(check)[option]?.usual
  return typeof value === 'number' ? value : 0
}

/** An option that is a list: as the rules say, or as usual. */
export function textsOf(settings: CheckSettings, check: string, option: string): readonly string[] {
  const value = settings[check]?.[option] ?? optionsOf(check)[option]?.usual
  return typeof value === 'number' || value === undefined ? [] : value
}

/**
 * A safety check: runs before anyone is asked, has no effects, and can only raise, fail, or propose.
 *
 * ```ts
 * const ticketChecker: Checker = {
 *   name: 'ticket',
 *   check: ({ call }) =>
 *     /SHOP-\d+/.test(String(call.args['note']))
 *       ? { status: 'pass', message: 'names a ticket' }
 *       : { status: 'fail', message: 'the note names no ticket', suggestion: 'write SHOP- and its number' },
 * }
 * ```
 */
export interface Checker {
  readonly name: string
  /** A check that has not answered by then has failed. Default 5 seconds. */
  readonly timeoutMs?: number
  check(input: CheckInput, signal: AbortSignal): Promise<CheckAnswer> | CheckAnswer
}

/** What the checkers warn of, for the notice of a call that runs unasked. */
export function warningsOf({ findings }: SafetyReport): readonly string[] {
  return findings.flatMap(({ status, message }) => (status === 'warn' ? message : []))
}

/** What all checkers of a call found together. */
export interface SafetyReport {
  readonly findings: readonly Finding[]
  /** The strictest raise, `automatic` when none. */
  readonly raise: Supervision
  /** True when a fail may not be overridden: the call is refused. */
  readonly blocked: boolean
  readonly proposed: JsonObject | null
}
