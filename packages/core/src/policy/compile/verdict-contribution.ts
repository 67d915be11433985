import type { Json } from '../../call/json/json.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { type CheckSettings, NO_SETTINGS } from '../model/builtin-checks.ts'
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
  /** The lists of a verdict with this as the only contributor. */
  readonly alone: { readonly contributors: readonly RuleRef[]; readonly reasons: readonly string[] }
}

function contribution(rule: RuleRef, reason: string, said?: Rule): Contribution {
  const alone = { contributors: Object.freeze([rule]), reasons: Object.freeze([reason]) }
  const { checks = [], settings = NO_SETTINGS, timeoutMs = null } = said ?? {}
  const condition = said === undefined ? null : conditionText(said)
  return { rule, reason, condition, checks: Object.freeze([...new Set(checks)].sort()), settings, timeoutMs, alone }
}

/** Whether a rule matched, may match, or matched at a risk above its `up_to`. */
export type MatchStatus = 'matched' | 'open' | 'exceeded'

export function ruleContribution(rule: Rule, ref: RuleRef, status: MatchStatus): Contribution {
  return contribution(ref, ruleReason(rule, status), rule)
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
  const reason = `the \`${row.preset}\` preset ${PRESET_ANSWERS[row.byRisk[level]]} ${riskText(level)}`
  return contribution(presetRef(row, level), reason)
}

function riskText(level: RiskLevel): string {
  return level === 'none' ? 'no risk' : `${level} risk`
}

export function undescribedContribution(row: PresetRow): Contribution {
  const reason = `the tool has no description, and the \`${row.preset}\` preset ${ANSWERS[row.undescribed]}`
  return contribution(presetRef(row, 'undescribed'), reason)
}

/** For a tool without a rule that requires confirmation or belongs to an MCP server. */
export function declarationContribution(source: 'declared' | 'mcp'): Contribution {
  const declared = source === 'declared'
  const reason = declared
    ? 'the tool requires confirmation, and no rule allows it'
    : 'the tool belongs to an MCP server, and no rule allows it'
  return contribution({ id: `builtin.${source}-confirm`, layer: 'builtin', file: 'builtin', line: 1 }, reason)
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

/** The second wording is that of version 0.1. */
const GRANT_REASON = /^grant `([^`]+)` (?:replaces the confirmation|stands for a person’s confirmation)$/

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
