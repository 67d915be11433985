import type { Json } from '../../call/json/json.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { type CheckSettings, NO_SETTINGS } from '../model/builtin-checks.ts'
import { limitLabel } from '../model/limits.ts'
import type { Limit, PresetRow, Rule } from '../model/rule.ts'
import type { Supervision } from '../model/supervision.ts'
import type { RuleRef } from '../model/verdict.ts'

/** What one contributor says in a verdict: made once per policy, so that judging builds no text. */
export interface Voice {
  readonly rule: RuleRef
  readonly reason: string
  /** What its rule asks for, in words; null where no rule speaks. */
  readonly condition: string | null
  readonly checks: readonly string[]
  readonly settings: CheckSettings
  readonly timeoutMs: number | null
  /** The lists of a verdict where this is the only contributor. */
  readonly alone: { readonly contributors: readonly RuleRef[]; readonly reasons: readonly string[] }
}

function voice(rule: RuleRef, reason: string, said?: Rule): Voice {
  const alone = { contributors: Object.freeze([rule]), reasons: Object.freeze([reason]) }
  const { checks = [], settings = NO_SETTINGS, timeoutMs = null } = said ?? {}
  const condition = said === undefined ? null : conditionText(said)
  return { rule, reason, condition, checks: Object.freeze([...new Set(checks)].sort()), settings, timeoutMs, alone }
}

/** How a rule came to speak: it matched, could not be ruled out, or matched a risk above its `up_to`. */
export type RuleStand = 'matched' | 'open' | 'exceeded'

export function ruleVoice(rule: Rule, ref: RuleRef, stand: RuleStand): Voice {
  return voice(ref, ruleReason(rule, stand), rule)
}

function ruleReason(rule: Rule, stand: RuleStand): string {
  const because = rule.reason === null ? '' : `: ${rule.reason}`
  if (stand === 'exceeded') return `\`${rule.id}\` says ${rule.supervision} only up to ${riskWords(rule.upTo)}`
  if (stand === 'matched') return `\`${rule.id}\` says ${rule.floor ? 'at least ' : ''}${rule.supervision}${because}`
  const held = rule.supervision === 'deny' ? 'manual' : rule.supervision
  return `\`${rule.id}\` says ${rule.supervision} and could not be ruled out, so at least ${held}${because}`
}

export function rowVoice(row: PresetRow, level: RiskLevel): Voice {
  const reason = `the ${row.preset} preset says ${row.byRisk[level]} for ${riskWords(level)}`
  return voice(presetRef(row, level), reason)
}

function riskWords(level: RiskLevel): string {
  return level === 'none' ? 'no risk' : `${level} risk`
}

export function undescribedVoice(row: PresetRow): Voice {
  const reason = `nobody described what this tool does, so the ${row.preset} preset says ${row.undescribed}`
  return voice(presetRef(row, 'undescribed'), reason)
}

/** A tool that asks for confirmation, or comes from an MCP server, where no rule speaks. */
export function declarationVoice(source: 'declared' | 'mcp'): Voice {
  const declared = source === 'declared'
  const reason = declared
    ? 'the tool asks to be confirmed where no rule speaks'
    : 'tools of MCP servers are confirmed where no rule speaks'
  return voice({ id: `builtin.${source}-confirm`, layer: 'builtin', file: 'builtin', line: 1 }, reason)
}

/** A call that makes more or deeper calls than are looked at, while rules ask for some. */
export function uncountedVoice(supervision: Supervision, unseen: 'calls' | 'arguments'): Voice {
  const what =
    unseen === 'calls'
      ? 'makes more or deeper calls than are looked at'
      : 'makes calls with arguments that cannot be read'
  const reason = `it ${what}, and no rule can be ruled out for them, so at least ${supervision}`
  return voice({ id: 'builtin.inner-calls', layer: 'builtin', file: 'builtin', line: 1 }, reason)
}

export function limitVoice(limit: Limit): Voice {
  const { name, layer, file, line } = limit
  return voice(
    { id: `limits.${name}`, layer, file, line },
    `the call passes the limit of ${limitLabel(limit)}, so at least confirm`,
  )
}

export function grantReason(grant: string): string {
  return `grant \`${grant}\` stands for a person’s confirmation`
}

const GRANT_REASON = /^grant `([^`]+)` stands for a person’s confirmation$/

/** The grant that a call ran by, from the reasons that the journal keeps: it stands last. */
export function grantOfReasons(reasons: readonly unknown[]): string | null {
  return GRANT_REASON.exec(String(reasons.at(-1)))?.[1] ?? null
}

function presetRef(row: PresetRow, name: string): RuleRef {
  return { id: `preset.${row.preset}.${name}`, layer: 'preset', file: `preset:${row.preset}`, line: 1 }
}

/** A fixed order of contributors, for naming only. */
export function compareRefs(a: RuleRef, b: RuleRef): number {
  return compare(a.id, b.id) || compare(a.file, b.file) || a.line - b.line || compare(a.layer, b.layer)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const LONGEST = 400
const PLAIN = /^[\w./*$~{}@+-]+$/

/** What a rule asks for, as it could stand in a policy file; `any call` for a rule without conditions. */
export function conditionText({ when, unless }: Pick<Rule, 'when' | 'unless'>): string {
  const asked = { ...when, ...(unless === null ? {} : { unless }) } as unknown as Json
  const text = flow(asked, false)
  if (text === '') return 'any call'
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
}

/** YAML of one line; a list of one is written as its item, as people do. */
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
