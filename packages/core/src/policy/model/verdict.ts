import type { CheckSettings } from './builtin-checks.ts'
import type { Bounds } from './containment.ts'
import type { Supervision } from './supervision.ts'

/** The rule behind a verdict, with its place in a file. */
export interface RuleRef {
  readonly id: string
  readonly layer: 'managed' | 'user' | 'project' | 'preset' | 'builtin'
  readonly file: string
  readonly line: number
}

/** How one call is supervised and why. */
export interface Verdict {
  readonly supervision: Supervision
  /** The rule that decided: a deny, a floor or limit above the base, or the base rule or preset row. */
  readonly rule: RuleRef
  /** The conditions of that rule as text; null if there is no rule, absent in entries of older versions. */
  readonly condition?: string | null
  /** All contributing rules, the deciding one first. */
  readonly contributors: readonly RuleRef[]
  /** One line per contributor. */
  readonly reasons: readonly string[]
  readonly checks: readonly string[]
  /** Those of `checks` that only the preset asks for; absent if there are none. */
  readonly presetChecks?: readonly string[]
  /** Options of the checks, the strictest of all rules. */
  readonly settings: CheckSettings
  readonly timeoutMs: number
  readonly policyHash: string
  /** The grant that turned confirm into automatic, if one did. */
  readonly grant: string | null
  /** The limit that was exceeded, if any. */
  readonly limit: string | null
  /** For a command: the bounds of the sandbox it runs in, or null for outside. Absent for everything else. */
  readonly contain?: Bounds | null
  /** Whether only a passkey can approve. */
  readonly passkey?: true
}

/** The place of a rule: file and line, the preset, or `built in`. */
export function rulePlace({ file, line, layer }: Omit<RuleRef, 'id'>): string {
  if (layer === 'builtin') return 'built in'
  if (layer !== 'preset') return `${file}:${line}`
  const preset = file.replace(/^preset:|\.ya?ml$/g, '')
  // The policy that applies while the real one can't be read.
  return preset === 'held' ? 'no policy is in force' : `the ${preset} preset`
}

/** A rule's name with its layer and place. */
export function ruleWords(rule: RuleRef): string {
  const place = rulePlace(rule)
  const isOurs = rule.layer === 'preset' || rule.layer === 'builtin'
  return `${rule.id} (${isOurs ? place : `${rule.layer}, ${place}`})`
}
