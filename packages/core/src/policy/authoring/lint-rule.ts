import { findHostTool } from '../../knowledge/tools.ts'
import { riskRank } from '../../risk/report/level.ts'
import { compileNameGlob } from '../match/glob.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { Conditions, Rule } from '../model/rule.ts'

/** What looks like a mistake in one rule. */
export function lintRule(rule: Rule): readonly PolicyProblem[] {
  return LINTS.flatMap((lint) => lint(rule) ?? []).map((message) => ({
    file: rule.file,
    line: rule.line,
    column: 1,
    message,
  }))
}

type Lint = (rule: Rule) => string | null

const SHELLS = [
  'bash',
  'shell',
  'exec',
  'terminal',
  'execute_command',
  'run_command',
  'run_shell_command',
  'run_in_terminal',
]

/** A shell by its name is every command there is; only its commands tell them apart. */
const shellByName: Lint = (rule) => {
  if (!loosens(rule) || mentions(rule.when, 'command') || mentions(rule.when, 'args')) return null
  const shell = rule.when.tool === undefined ? undefined : shellAmong(rule.when.tool)
  const named = shell ?? (rule.when.kind?.includes('execute') ? 'execute' : undefined)
  if (named === undefined) return null
  return `${quote(rule.id)} lets every command through by the name ${quote(named)}, up to risk ${rule.upTo}; add \`command: { program: … }\``
}

function shellAmong(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => {
    if (!pattern.includes('*')) return findHostTool(pattern)?.kind === 'execute'
    const matches = compileNameGlob(pattern)
    return SHELLS.some((shell) => matches(shell))
  })
}

const redundantFloor: Lint = (rule) =>
  rule.supervision === 'deny' && rule.floor
    ? `${quote(rule.id)}: deny is always a floor; \`floor\` changes nothing`
    : null

const deniedWait: Lint = (rule) =>
  rule.supervision === 'deny' && (rule.timeoutMs !== null || rule.checks.length > 0)
    ? `${quote(rule.id)}: a denied call waits for nobody; \`timeout\` and \`checks\` change nothing`
    : null

const bareDeny: Lint = (rule) => {
  if (rule.supervision !== 'deny' || rule.when.server !== undefined) return null
  const tools = rule.when.tool ?? []
  const bare = tools.find((tool) => !tool.includes('/') && !tool.startsWith('*') && !tools.includes(`*/${tool}`))
  return bare === undefined
    ? null
    : `${quote(rule.id)} does not deny servers' tools of that name; add ${quote(`*/${bare}`)} if they are meant too`
}

const loosensByAgent: Lint = (rule) =>
  loosens(rule) && rule.when.agent !== undefined
    ? `${quote(rule.id)} never loosens: the name of an agent is a claim, and only tightens`
    : null

const outOfReach: Lint = (rule) => {
  const least = rule.when.risk?.at_least
  if (!loosens(rule) || least === undefined || riskRank(least) <= riskRank(rule.upTo)) return null
  return `${quote(rule.id)} never holds: it starts at risk ${least} and ends at ${rule.upTo}; write \`up_to: ${least}\` if that is meant`
}

const widest: Lint = (rule) =>
  loosens(rule) && rule.upTo === 'critical' ? `${quote(rule.id)} runs even what is rated critical without asking` : null

const zoneless: Lint = (rule) =>
  [rule.when, ...(rule.unless ? [rule.unless] : [])].some(hasZonelessHours)
    ? `${quote(rule.id)} gives hours without a zone; they are UTC`
    : null

const LINTS: readonly Lint[] = [
  shellByName,
  redundantFloor,
  deniedWait,
  bareDeny,
  loosensByAgent,
  outOfReach,
  widest,
  zoneless,
]

function loosens(rule: Rule): boolean {
  return !rule.floor && (rule.supervision === 'automatic' || rule.supervision === 'notify')
}

function innerOf(when: Conditions): readonly Conditions[] {
  return [...(when.any ?? []), ...(when.all ?? []), ...(when.not ? [when.not] : [])]
}

function mentions(when: Conditions, key: keyof Conditions): boolean {
  return when[key] !== undefined || innerOf(when).some((inner) => mentions(inner, key))
}

function hasZonelessHours(when: Conditions): boolean {
  return (when.hours !== undefined && when.hours.zone === undefined) || innerOf(when).some(hasZonelessHours)
}
