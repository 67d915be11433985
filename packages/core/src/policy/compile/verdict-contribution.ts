import { hostText } from '../../call/address/host-pattern.ts'
import type { Json } from '../../call/json/json.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { HostUse } from '../../risk/report/report.ts'
import { type CheckSettings, NO_SETTINGS } from '../model/builtin-checks.ts'
import type { UnseenChanges } from '../model/circumstances.ts'
import { limitLabel } from '../model/limits.ts'
import type { Limit, PresetRow, Rule } from '../model/rule.ts'
import type { Supervision } from '../model/supervision.ts'
import type { RuleRef } from '../model/verdict.ts'

/** What one rule, preset row or limit adds to a verdict. Built once per policy, so that judging builds no text. */
export interface Contribution {
  readonly rule: RuleRef
  readonly reason: string
  /** The rule's conditions as text; null if no rule is behind it. */
  readonly condition: string | null
  readonly checks: readonly string[]
  readonly settings: CheckSettings
  readonly timeoutMs: number | null
  /** What the rule or the preset's row requires; null for anything else. */
  readonly requires: Supervision | null
  /** The rule's `contain`; null if it has none. */
  readonly contain: Rule['contain'] | null
  /** The lists of a verdict with this as the only contributor. */
  readonly alone: { readonly contributors: readonly RuleRef[]; readonly reasons: readonly string[] }
}

function contribution(rule: RuleRef, reason: string, said?: Rule): Contribution {
  const alone = { contributors: Object.freeze([rule]), reasons: Object.freeze([reason]) }
  const { checks = [], settings = NO_SETTINGS, timeoutMs = null } = said ?? {}
  const condition = said === undefined ? null : conditionText(said)
  // SECURITY: A11, a floor only tightens: an untrusted project can't give a command more than the sandbox allows.
  const contain = said === undefined || said.floor || said.layer === 'managed' ? null : (said.contain ?? null)
  const named = Object.freeze([...new Set(checks)].sort())
  return {
    rule,
    reason,
    condition,
    checks: named,
    settings,
    timeoutMs,
    requires: said?.supervision ?? null,
    contain,
    alone,
  }
}

/** Whether a rule matched, may match, or matched at a risk above its `up_to`. */
export type MatchStatus = 'matched' | 'open' | 'exceeded'

export function ruleContribution(rule: Rule, ref: RuleRef, status: MatchStatus): Contribution {
  const made = contribution(ref, ruleReason(rule, status), rule)
  // Above its `up_to` a rule allows nothing, so it does not say where the command runs either.
  return status === 'exceeded' ? { ...made, contain: null } : made
}

const ANSWERS: Readonly<Record<Supervision, string>> = {
  automatic: 'allows it',
  notify: 'allows it with a notice',
  confirm: 'asks for confirmation',
  manual: 'requires manual approval',
  deny: 'denies it',
}

const PRESET_ANSWERS: Readonly<Record<Supervision, string>> = {
  automatic: 'allows',
  notify: 'gives a notice at',
  confirm: 'asks at',
  manual: 'requires manual approval at',
  deny: 'denies',
}

function ruleReason(rule: Rule, status: MatchStatus): string {
  const because = rule.reason === null ? '' : `: ${rule.reason}`
  if (rule.raisesTo !== undefined && rule.floor && rule.supervision === 'automatic')
    return `\`${rule.id}\` rates it ${rule.raisesTo}${because}`
  if (status === 'exceeded') return `\`${rule.id}\` ${ANSWERS[rule.supervision]} only up to ${riskText(rule.upTo)}`
  if (status === 'open') {
    const least = rule.supervision === 'deny' ? 'manual' : rule.supervision
    return `\`${rule.id}\` may apply, which requires at least ${least}${because}`
  }
  const answer =
    rule.floor && rule.supervision !== 'deny' ? `requires at least ${rule.supervision}` : ANSWERS[rule.supervision]
  return `\`${rule.id}\` ${answer}${because}`
}

export function presetContribution(row: PresetRow, level: RiskLevel): Contribution {
  const answer = row.byRisk[level]
  const what = level === 'none' && answer === 'automatic' ? 'calls without risk' : riskText(level)
  const reason = `the \`${row.preset}\` preset ${PRESET_ANSWERS[answer]} ${what}`
  return { ...contribution(presetRef(row, level), reason), requires: answer }
}

/** For hosts that nobody named, or that the policy names for reading although more than that is done. */
export function contactContribution(row: PresetRow, hosts: readonly HostUse[], isForReading: boolean): Contribution {
  const known = [...new Set(hosts.flatMap(({ host, port }) => (host === null ? [] : hostText(host, port))))].sort()
  const names = known.slice(0, MOST_HOSTS).map((host) => `\`${host}\``)
  if (known.length > MOST_HOSTS) names.push(`${known.length - MOST_HOSTS} more hosts`)
  if (known.length < new Set(hosts.map(({ host }) => host)).size) names.push('an unknown host')
  const answer = CONTACT_ANSWERS[row.contact ?? 'confirm']
  const why = isForReading
    ? 'which the policy names for reading without credentials only'
    : 'which no rule or grant names'
  const reason = `the \`${row.preset}\` preset ${answer} ${names.join(', ')}, ${why}`
  return contribution(presetRef(row, 'contact'), reason)
}

const MOST_HOSTS = 5

const CONTACT_ANSWERS: Readonly<Record<Supervision, string>> = {
  automatic: 'allows contact with',
  notify: 'gives a notice on first contact with',
  confirm: 'asks on first contact with',
  manual: 'requires manual approval on first contact with',
  deny: 'denies contact with',
}

function riskText(level: RiskLevel): string {
  return level === 'none' ? 'no risk' : `${level} risk`
}

export function undescribedContribution(row: PresetRow): Contribution {
  const reason = `the tool has no description, and the \`${row.preset}\` preset ${ANSWERS[row.undescribed]}`
  return contribution(presetRef(row, 'undescribed'), reason)
}

const DECLARED = {
  declared: 'the tool requires confirmation, and no rule allows it',
  mcp: 'the tool belongs to an MCP server, and no rule allows it',
  guessed: 'what the tool does is guessed from its name, and no rule allows it; describe it where it is registered',
} as const

/** For a tool without a rule that requires confirmation, belongs to an MCP server, or is described by nobody. */
export function declarationContribution(source: keyof typeof DECLARED): Contribution {
  return contribution({ id: `builtin.${source}-confirm`, layer: 'builtin', file: 'builtin', line: 1 }, DECLARED[source])
}

/** Why a command must not run unasked. */
export type WhyOutside = 'mixed' | 'asked' | 'unproven' | 'no-sandbox' | 'background' | 'terminal'

/** For a command that must not run unasked outside the sandbox. `unproven` is what stands in the way of a proof. */
export function uncontainedContribution(why: WhyOutside, unproven: string | null): Contribution {
  const what = unproven === null ? '' : `: ${unproven}`
  const reason = {
    mixed: 'it contacts a host and runs other code in one command; run them one after the other',
    background: 'it leaves something running in the background, which the sandbox would end',
    terminal: 'it needs a terminal, which the sandbox does not have',
    asked: 'it asks to run outside the sandbox',
    unproven: `the command is not proven to only read${what}`,
    'no-sandbox': `it would run outside the sandbox, and it is not proven to be harmless${what}`,
  }[why]
  return contribution({ id: 'builtin.uncontained', layer: 'builtin', file: 'builtin', line: 1 }, reason)
}

const MOST_FILES = 3

/** For a command that could load changes that no person has seen. */
export function unseenContribution({ everything, files }: UnseenChanges): Contribution {
  const names = files.slice(0, MOST_FILES).map(({ path }) => `\`${path}\``)
  if (files.length > MOST_FILES) names.push(`${files.length - MOST_FILES} more`)
  const what = everything === null ? names.join(', ') : `all files of the workspace (${everything})`
  const reason = `it runs code with changes nobody has seen: ${what}`
  return contribution({ id: 'builtin.unseen-changes', layer: 'builtin', file: 'builtin', line: 1 }, reason)
}

/** For a call whose nested calls could not all be checked. */
export function uncheckedCallsContribution(supervision: Supervision, unseen: 'calls' | 'arguments'): Contribution {
  const what =
    unseen === 'calls' ? 'makes more or deeper calls than can be checked' : 'makes calls with unreadable arguments'
  const reason = `it ${what}, which requires at least ${supervision}`
  return contribution({ id: 'builtin.inner-calls', layer: 'builtin', file: 'builtin', line: 1 }, reason)
}

export function limitContribution(limit: Limit): Contribution {
  const { name, layer, file, line } = limit
  return contribution({ id: `limits.${name}`, layer, file, line }, `the call exceeds the limit ${limitLabel(limit)}`)
}

export function grantReason(grant: string): string {
  return `grant \`${grant}\` replaces the confirmation`
}

/** For a command that needs no confirmation, and whose sandbox a grant widens. */
export function boundsReason(grant: string): string {
  return `grant \`${grant}\` adds to its sandbox`
}

/** The last wording is that of version 0.1. */
const GRANT_REASON =
  /^grant `([^`]+)` (?:replaces the confirmation|adds to its sandbox|stands for a person’s confirmation)$/

/** The grant a call ran with, from the last of the reasons in the journal. */
export function grantOfReasons(reasons: readonly unknown[]): string | null {
  return GRANT_REASON.exec(String(reasons.at(-1)))?.[1] ?? null
}

function presetRef(row: PresetRow, name: string): RuleRef {
  return { id: `preset.${row.preset}.${name}`, layer: 'preset', file: `preset:${row.preset}`, line: 1 }
}

/** A fixed order of rules, for display only. */
export function compareRefs(a: RuleRef, b: RuleRef): number {
  return compare(a.id, b.id) || compare(a.file, b.file) || a.line - b.line || compare(a.layer, b.layer)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const LONGEST = 400
const PLAIN = /^[\w./*$~{}@+-]+$/

/** A rule's conditions as they could be written in a policy file; `any call` if there are none. */
export function conditionText({ when, unless }: Pick<Rule, 'when' | 'unless'>): string {
  const asked = { ...when, ...(unless === null ? {} : { unless }) } as unknown as Json
  const text = flow(asked, false)
  if (text === '') return 'any call'
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
}

/** One line of YAML. A list with one item is written as the item. */
function flow(value: Json, isInner = true): string {
  if (typeof value === 'string') return PLAIN.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const [only] = value
    return value.length === 1 && only !== undefined ? flow(only) : `[${value.map((one: Json) => flow(one)).join(', ')}]`
  }
  const fields = Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : [`${name}: ${flow(one as Json)}`],
  )
  return isInner ? `{ ${fields.join(', ')} }` : fields.join(', ')
}
