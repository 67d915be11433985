import { findHostTool } from '../../knowledge/tools.ts'
import { highestRisk, riskRank } from '../../risk/report/level.ts'
import { compileNameGlob } from '../match/glob.ts'
import { compileNames } from '../match/names.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { Conditions, Rule } from '../model/rule.ts'

/** Likely mistakes in one rule. */
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

/** Allowing a shell by name allows every command. */
const shellByName: Lint = (rule) => {
  if (!loosens(rule) || mentions(rule.when, 'command') || mentions(rule.when, 'args')) return null
  const shell = rule.when.tool === undefined ? undefined : shellAmong(rule.when.tool)
  const named = shell ?? (rule.when.kind?.includes('execute') ? 'execute' : undefined)
  if (named === undefined) return null
  return `${quote(rule.id)} allows every command of ${quote(named)} up to ${rule.upTo} risk; add \`command: { program: … }\``
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
    ? `${quote(rule.id)}: deny is always a floor; \`floor\` has no effect`
    : null

const deniedWait: Lint = (rule) =>
  rule.supervision === 'deny' && (rule.timeoutMs !== null || rule.checks.length > 0)
    ? `${quote(rule.id)}: \`timeout\` and \`checks\` have no effect on a deny`
    : null

const bareDeny: Lint = (rule) => {
  if (rule.supervision !== 'deny' || rule.when.server !== undefined) return null
  const tools = rule.when.tool ?? []
  const bare = tools.find((tool) => !tool.includes('/') && !tool.startsWith('*') && !tools.includes(`*/${tool}`))
  return bare === undefined
    ? null
    : `${quote(rule.id)} does not deny tools of servers with that name; add ${quote(`*/${bare}`)} to include them`
}

const loosensByAgent: Lint = (rule) =>
  loosens(rule) && rule.when.agent !== undefined
    ? `${quote(rule.id)} never loosens: an agent's name can only tighten`
    : null

const outOfReach: Lint = (rule) => {
  const least = rule.when.risk?.at_least
  if (!loosens(rule) || least === undefined || riskRank(least) <= riskRank(rule.upTo)) return null
  return `${quote(rule.id)} never applies: it starts at ${least} risk and ends at ${rule.upTo}; write \`up_to: ${least}\` to apply it`
}

/** Conditions that exclude each other. Those of `all` hold together with those beside it. */
const contradiction: Lint = (rule) => {
  const together = conjunction(rule.when)
  const least = highestRisk(together.map(({ risk }) => risk?.at_least ?? 'none'))
  const low = together.find(({ risk }) => risk?.at_most !== undefined && riskRank(risk.at_most) < riskRank(least))
  if (low !== undefined)
    return `${quote(rule.id)} never applies: no risk is at least ${least} and at most ${low.risk?.at_most ?? least}`
  const tools = together.flatMap(({ tool = [] }) => tool)
  const servers = together.flatMap(({ server }) => (server === undefined ? [] : [compileNames(server)]))
  const elsewhere = tools.filter(
    (tool) => /^[^*]+\//.test(tool) && !servers.every((matches) => matches(tool.split('/')[0] ?? '')),
  )
  if (tools.length > 0 && elsewhere.length === tools.length)
    return `${quote(rule.id)} never applies: ${quote(tools[0] ?? '')} is not a tool of that server`
  const excluded = [...together.flatMap(({ not }) => not ?? []), ...(rule.unless === null ? [] : [rule.unless])]
  const all = excluded.find((without) => covers(without, tools))
  return all === undefined
    ? null
    : `${quote(rule.id)} never applies: its \`not\` or \`unless\` excludes all that it names`
}

function conjunction(when: Conditions): readonly Conditions[] {
  return [when, ...(when.all ?? []).flatMap(conjunction)]
}

/** Whether conditions consist of tools alone, and match every one of these. */
function covers({ tool, ...others }: Conditions, tools: readonly string[]): boolean {
  if (tool === undefined || Object.keys(others).length > 0 || tools.length === 0) return false
  const matches = compileNames(tool)
  return tools.every((name) => !name.includes('*') && matches(name))
}

const widest: Lint = (rule) =>
  loosens(rule) && rule.upTo === 'critical' ? `${quote(rule.id)} runs even critical calls without asking` : null

const zoneless: Lint = (rule) =>
  [rule.when, ...(rule.unless ? [rule.unless] : [])].some(hasZonelessHours)
    ? `${quote(rule.id)} has hours without a zone; they are in UTC`
    : null

const LINTS: readonly Lint[] = [
  shellByName,
  redundantFloor,
  deniedWait,
  bareDeny,
  loosensByAgent,
  outOfReach,
  contradiction,
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
