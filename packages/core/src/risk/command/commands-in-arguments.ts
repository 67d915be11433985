import { interpreterOf } from '../../command/code/inline-code.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { SHELLS } from '../../command/nested/shells.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { isProjectTool, rowOf } from '../programs/rate-program.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'

/** Arguments that are tried as commands; a command with more of them is rated high. */
const MAX_TRIED = 32
const TEXT_NAME =
  /echo|print|\bsay|notif|log(?:ger)?$|grep|search|explain|note|todo|comment|messag|mail|slack|telegram|transl|figlet|cow|spell|lint|chat|jira|issue|quote|text|highlight|format/
const TEXT_VERB =
  /^(?:search|explain|notes?|comment|commit|echo|say|print|log|ask|chat|describe|find|grep|risk|scan|lint|show|view|info|docs?|test|t|add|new|create|edit|issue|pr|send|notify|post|version|intent|preview|check)$/
const SETTING = /^-{0,2}[A-Za-z][\w.:-]{0,64}=(.+)$/s

/** Rates a text: the highest level of the commands in it, null if it is not a command. */
export type RateText = (text: string) => RiskLevel | null

const GIVEN = finding('high', 'plain.given-command', 'has a dangerous command in its arguments', 'unknown')
const MANY = finding(
  'high',
  'plain.given-command',
  'has too many possible commands in its arguments to analyze',
  'unknown',
)

/**
 * Catches runners that no table knows: an unknown program, or one that runs the project's own code, may run a command in
 * its arguments. Only dangerous commands count.
 */
export function rateCommandsInArguments(part: CommandPart, rate: RateText): RiskFinding | null {
  const { args } = part
  if (part.program === null || !args.some(({ value }) => value !== null && mayStart(value))) return null
  const program = lowerCase(part.program)
  if (!mayRun(part, program)) return null
  const dashes = args.findIndex(({ value }) => value === '--')
  if (dashes !== -1 && isAtLeast(rate(textOf(part, dashes + 1)), 'high')) return GIVEN
  let tried = 0
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || PROGRAMS.textOptions.has(args[at - 1]?.value ?? '')) continue
    const text = SETTING.exec(value)?.[1] ?? value
    const starts = PROGRAMS.commandStarts.has(value)
    if (!starts && !/\S\s+\S/.test(text)) continue
    if (++tried > MAX_TRIED) return MANY
    const level = rate(starts ? textOf(part, at) : text)
    if (isAtLeast(level, starts ? 'critical' : 'high')) return GIVEN
  }
  return null
}

const mayStart = (value: string) => value === '--' || value.includes(' ') || PROGRAMS.commandStarts.has(value)

const isAtLeast = (level: RiskLevel | null, least: RiskLevel) => level !== null && riskRank(level) >= riskRank(least)

const textOf = (part: CommandPart, from: number) =>
  part.args
    .slice(from)
    .map(({ text }) => text)
    .join(' ')

function mayRun(part: CommandPart, program: string): boolean {
  if (PROGRAMS.textPrograms.has(program) || TEXT_NAME.test(program)) return false
  const [first] = part.args
  if (part.args.some(({ value }, at) => at < 2 && value !== null && TEXT_VERB.test(value))) return false
  if (SHELLS.has(program) || interpreterOf(program) !== null) return first?.value != null && /^[\w./]/.test(first.value)
  if (part.path?.includes('/') === true && rowOf(program) === undefined) return true
  return rowOf(program) === undefined || PROGRAMS.recipeRunners.has(program) || isProjectTool(program)
}
