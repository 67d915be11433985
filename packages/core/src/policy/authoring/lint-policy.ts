import type { PolicyFile } from '../../ports/policy-files.ts'
import { compilePolicy } from '../compile/compiled-policy.ts'
import { onlyTightens } from '../load/layer-rules.ts'
import { definedCheckerNames } from '../load/merged-settings.ts'
import { type LoadPolicyOptions, loadPolicy } from '../load/policy.ts'
import { type PolicyProblem, quote, sortProblems } from '../model/policy-problem.ts'
import type { Conditions, PolicySet, Rule } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'
import { type LoadedFile, loadPolicyFile } from '../parse/policy-file.ts'
import { lintContainment, noteOutside } from './lint-containment.ts'
import { lintRisk } from './lint-risk.ts'
import { lintRule } from './lint-rule.ts'

/** Problems, which make the file invalid, warnings and notes. */
export interface PolicyLint {
  /** The policy is invalid. */
  readonly problems: readonly PolicyProblem[]
  /** The policy loads, but this is probably a mistake. */
  readonly warnings: readonly PolicyProblem[]
  /** Worth knowing: what the policy gives up on purpose. */
  readonly notes: readonly PolicyProblem[]
}

/** Reads policy files as `loadPolicy` does, and also reports likely mistakes. */
export function lintPolicy(files: readonly PolicyFile[], options: LoadPolicyOptions): PolicyLint {
  const loaded = loadPolicy(files, options)
  const checkers = [...options.checkers, ...definedCheckerNames(files)]
  const readable = files.flatMap((file) => {
    if (file.form === 'knowledge') return []
    const content = loadPolicyFile(file, { checkers })
    return content.kind === 'loaded' ? [{ file, content }] : []
  })
  const rules = readable.flatMap(({ content }) => content.rules)
  const policy = loaded.kind === 'loaded' ? loaded.policy : loaded.rest
  const warnings = [
    ...readable.flatMap(({ file, content }) => layerWarnings(file, content)),
    ...rules.flatMap(lintRule),
    ...rules.flatMap((rule) => lintRisk(rule, rules, options.crypto, policy.rating?.knowledge)),
    ...containmentWarnings(rules, policy),
    ...shadowWarnings(rules),
  ]
  const notes = sortProblems(rules.flatMap(noteOutside))
  return { problems: loaded.problems, warnings: sortProblems(warnings), notes }
}

/** The preset `classic` uses no sandbox. */
function containmentWarnings(rules: readonly Rule[], set: PolicySet): readonly PolicyProblem[] {
  if (set.row.contained === 'never') return []
  const { namesHost } = compilePolicy(set)
  return rules.flatMap((rule) => lintContainment(rule, namesHost))
}

/** Rules that can only tighten can't allow anything. */
function layerWarnings(file: PolicyFile, content: LoadedFile): readonly PolicyProblem[] {
  if (!onlyTightens(file)) return []
  const why =
    file.layer === 'managed'
      ? 'a managed file can only tighten'
      : 'the project is not trusted (see `countersign trust`)'
  return content.rules
    .filter((rule) => rule.supervision === 'automatic' && rule.raisesTo === undefined)
    .map((rule) => warning(rule, `${quote(rule.id)} has no effect: ${why}`))
}

/** Of rules with the same conditions in the same layer, only the strictest has an effect. */
function shadowWarnings(rules: readonly Rule[]): readonly PolicyProblem[] {
  const groups = new Map<string, Rule[]>()
  for (const rule of rules) {
    const key = canonicalConditions(rule.when, rule.unless)
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return [...groups.values()].flatMap((group) => {
    const ranked = group
      .filter(({ raisesTo }) => raisesTo === undefined)
      .sort((a, b) => supervisionRank(b.supervision) - supervisionRank(a.supervision))
    return ranked.slice(1).flatMap((rule): readonly PolicyProblem[] => {
      const winner = ranked.find((other) => other !== rule && silences(other, rule))
      return winner === undefined ? [] : [warning(rule, silenced(rule, winner))]
    })
  })
}

function silences(winner: Rule, loser: Rule): boolean {
  const stricter = supervisionRank(winner.supervision) - supervisionRank(loser.supervision)
  if (stricter < 0) return false
  if (winner.supervision === 'deny' || (winner.floor && loser.floor)) return true
  return winner.layer === loser.layer && winner.floor === loser.floor && winner.upTo === loser.upTo
}

function silenced(rule: Rule, winner: Rule): string {
  const where = `${quote(winner.id)} in ${quote(winner.file)} line ${winner.line}`
  if (rule.supervision === winner.supervision) return `${quote(rule.id)} duplicates ${where}`
  return `${quote(rule.id)} never wins: ${where} has the same conditions and is stricter`
}

function warning(rule: Rule, message: string): PolicyProblem {
  return { file: rule.file, line: rule.line, column: 1, message }
}

/** Conditions as text, independent of the order of keys and list items. */
function canonicalConditions(when: Conditions, unless: Conditions | null): string {
  return JSON.stringify([sorted(when), sorted(unless)])
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item) => sorted(item)).sort((a, b) => compare(JSON.stringify(a), JSON.stringify(b)))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      // The order inside a literal value matters.
      .map(([key, inner]): [string, unknown] => [key, key === 'equals' ? inner : sorted(inner)])
      .sort(([a], [b]) => compare(a, b)),
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
