import { type Assess, anyAbbreviation, anyFlag, isDryRun, type PartFacts } from './facts.ts'
import { finding } from './finding.ts'
import { highestRisk, RISK_LEVELS, type RiskLevel, riskRank } from './level.ts'

/** A flag that makes a verb worse. */
export interface Raise {
  /** Verbs it holds for; all when absent. */
  readonly verbs?: readonly string[]
  readonly flags: readonly string[]
  readonly level: RiskLevel
  readonly text: string
}

/** A program's verbs by level: comma-separated, `stash drop` before `stash`. */
export interface VerbLevels {
  readonly family: string
  readonly verbs: Readonly<Partial<Record<RiskLevel, string>>>
  /** For a verb in no list. */
  readonly otherwise: RiskLevel
  /** Without any verb. */
  readonly bare?: RiskLevel
  readonly raises?: readonly Raise[]
  /** Flags under which nothing happens, besides `--dry-run`. */
  readonly dry?: readonly string[]
  /** Verbs that know `--dry-run`; all when absent. */
  readonly dryVerbs?: readonly string[]
}

const SAYS: Readonly<Record<RiskLevel, string>> = {
  none: 'only reads',
  low: 'has a small local effect',
  medium: 'changes local or remote state',
  high: 'changes state that is hard to get back, or that others see',
  critical: 'destroys or hands over what cannot be got back',
}

/** An assessor made of a table of verbs. */
export function byVerb(table: VerbLevels): Assess {
  const levels = new Map<string, RiskLevel>()
  for (const level of RISK_LEVELS) {
    for (const verb of table.verbs[level]?.split(',') ?? []) if (verb.trim() !== '') levels.set(verb.trim(), level)
  }
  return (facts) => {
    const { part, program, verb } = facts
    if (verb.kind === 'none')
      return finding(table.bare ?? 'none', `${table.family}.bare`, `${program} without a command`)
    if (verb.kind === 'unknown')
      return finding('high', `${table.family}.unknown`, `what ${program} is told to do is not known`, 'unknown')
    const next = verb.rest.find((word) => word.value === null || !word.value.startsWith('-'))?.value ?? ''
    const pair = `${verb.verb} ${next}`
    const known = levels.get(pair) ?? levels.get(verb.verb)
    const name = levels.has(pair) ? pair : verb.verb
    const dry =
      (table.dryVerbs === undefined || table.dryVerbs.includes(verb.verb)) && isDryRun(part, ...(table.dry ?? []))
    if (dry) return finding('none', `${table.family}.dry-run`, `${program} only shows what it would do`)
    const raise = raiseOf(table, facts, name, verb.verb)
    const base = known ?? table.otherwise
    const level = raise === null ? base : highestRisk([base, raise.level])
    if (raise !== null && riskRank(raise.level) > riskRank(base)) {
      return finding(level, `${table.family}.${raise.level}`, `${program} ${shown(name, known)}: ${raise.text}`)
    }
    return finding(level, `${table.family}.${level}`, `${program} ${shown(name, known)} ${SAYS[level]}`)
  }
}

/** Only verbs of the table are named: another word could be anything. */
function shown(name: string, known: RiskLevel | undefined): string {
  return known === undefined ? 'with an unlisted command' : name
}

function raiseOf(table: VerbLevels, { part }: PartFacts, name: string, verb: string): Raise | null {
  let worst: Raise | null = null
  for (const raise of table.raises ?? []) {
    if (raise.verbs !== undefined && !raise.verbs.includes(name) && !raise.verbs.includes(verb)) continue
    if (!anyFlag(part, ...raise.flags) && !anyAbbreviation(part, ...raise.flags)) continue
    if (worst === null || riskRank(raise.level) > riskRank(worst.level)) worst = raise
  }
  return worst
}
