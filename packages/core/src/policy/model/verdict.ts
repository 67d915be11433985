import type { CheckSettings } from './builtin-checks.ts'
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

/** Where a rule is written: file and line; one of a preset, or built in, stands in no file that one could open. */
export function rulePlace({ file, line, layer }: Omit<RuleRef, 'id'>): string {
  if (layer === 'builtin') return 'built in'
  if (layer !== 'preset') return `${file}:${line}`
  const preset = file.replace(/^preset:|\.ya?ml$/g, '')
  // What stands in for a policy that could not be read is nobody's choice.
  return preset === 'held' ? 'no policy is in force' : `the ${preset} preset`
}

/** A rule by its name, with its layer and where it is written. */
export function ruleWords(rule: RuleRef): string {
  const place = rulePlace(rule)
  const isOurs = rule.layer === 'preset' || rule.layer === 'builtin'
  return `${rule.id} (${isOurs ? place : `${rule.layer}, ${place}`})`
}
