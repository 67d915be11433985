import type { CheckSettings } from './check-settings.ts'
import type { Supervision } from './supervision.ts'

/** Where a verdict comes from, so that a person can go and change it. */
export interface RuleRef {
  readonly id: string
  readonly layer: 'managed' | 'user' | 'project' | 'preset' | 'builtin'
  readonly file: string
  readonly line: number
}

/** How one call is supervised and why. */
export interface Verdict {
  readonly supervision: Supervision
  /** What decided: a deny, a floor or limit above the base, or the rule or preset row that set the base. */
  readonly rule: RuleRef
  /** What that rule asks for, in words; null where no rule spoke, absent in what an older version wrote. */
  readonly condition?: string | null
  /** Every rule that had a say, the winner first. */
  readonly contributors: readonly RuleRef[]
  /** One line each: why this and not less. */
  readonly reasons: readonly string[]
  readonly checks: readonly string[]
  /** Options of the checks; where several rules set one, the stricter. */
  readonly settings: CheckSettings
  readonly timeoutMs: number
  readonly policyHash: string
  /** The grant that turned confirm into automatic, if one did. */
  readonly grant: string | null
  /** The limit that was passed, if one was. */
  readonly limit: string | null
  /** Who approves must do so with a passkey. */
  readonly passkey?: true
}
