import { decompose } from '../../command/decompose.ts'
import type { CommandProblem, Decomposition } from '../../command/model/decomposition.ts'
import { type FlowPart, rateDataFlow } from '../flow/data-flow.ts'
import { locatePaths, pathUse, type RiskCircumstances } from '../path/located-path.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { Gathered } from '../report/finding-collector.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'
import type { RatedPart, RiskReason } from '../report/report.ts'
import { rateGivenCommands } from './commands-in-arguments.ts'
import { gateMention } from './gate-folder-mention.ts'
import { productionParts, rateOnProduction } from './production-host.ts'
import { ratePart } from './rate-simple-command.ts'

/** A command rated part by part. */
export interface RatedCommand {
  readonly parts: readonly RatedPart[]
  /** Both are the caller's to go on with. */
  readonly reasons: RiskReason[]
  readonly findings: RiskFinding[]
  readonly understood: boolean
}

const PROBLEM_TEXT: Readonly<Record<CommandProblem['kind'], string>> = {
  syntax: 'could not be parsed as bash',
  'too-long': 'is too long to be analysed',
  'too-deep': 'is nested too deeply to be analysed',
  'too-many': 'has too many commands to be analysed',
  dynamic: '',
  'odd-characters': '',
  'odd-text': '',
}

const REACHES_GATE = finding('critical', 'path.gate', 'reaches for the policy, store or keys of the gate', 'no')

/** Characters of words that are rated as commands on the chance that they are some; more are taken for the worst. */
const MAX_GIVEN = 16 * 1024
/** Commands given inside commands that are given. */
const MAX_GIVEN_DEPTH = 2

/** Rates every simple command of a decomposition, what flows between them, and what could not be told. */
export function rateCommand(
  decomposition: Decomposition,
  cwd: string,
  now: RiskCircumstances,
  depth = 0,
): RatedCommand {
  const { parts, problems } = decomposition
  let left = MAX_GIVEN
  const rateText = (text: string): RiskLevel | null => {
    left -= text.length
    return left < 0 ? 'critical' : worstOf(rateCommand(decompose(text), cwd, now, depth + 1))
  }
  const located = parts.map((part): FlowPart => ({ part, paths: locatePaths(part, cwd, now) }))
  const flows = rateDataFlow(located)
  const production = productionParts(parts)
  const gathered = new Gathered()
  const rated = located.map(({ part, paths }, index): RatedPart => {
    gathered.begin()
    const inner = index + 1 < parts.length && hasInner(parts, index)
    ratePart({ part, paths, places: now.places, cwd, hasInner: inner }, now, gathered)
    for (const flow of flows) if (flow.index === index) gathered.add(flow.finding, part.span)
    const given = inner || depth === MAX_GIVEN_DEPTH ? null : rateGivenCommands(part, rateText)
    if (given !== null) gathered.add(given, part.span)
    const mentioned = gateMention(part, paths, now.places)
    if (mentioned !== null) gathered.add(REACHES_GATE, part.span)
    const raised = production.has(index) ? rateOnProduction(gathered.level) : null
    if (raised !== null) gathered.add(raised, part.span)
    const uses = paths.map(pathUse)
    return { command: part, level: gathered.level, paths: mentioned === null ? uses : [...uses, mentioned] }
  })
  const { findings, reasons } = gathered
  let understood = true
  for (const problem of problems) {
    if (problem.kind !== 'dynamic' && problem.kind !== 'odd-text') understood = false
    const one = rateProblem(problem)
    findings.push(one)
    reasons.push({
      level: one.level,
      rule: one.rule,
      text: one.text,
      ...(problem.span === undefined ? {} : { span: problem.span }),
    })
  }
  return { parts: rated, reasons, findings, understood }
}

function rateProblem(problem: CommandProblem): RiskFinding {
  const level: RiskLevel = problem.kind === 'odd-text' ? 'low' : 'high'
  const text = PROBLEM_TEXT[problem.kind]
  return finding(level, `shell.${problem.kind}`, text === '' ? problem.message : text, 'unknown')
}

/** The level of the worst command in a text; null when the text is no command. */
function worstOf({ parts, understood }: RatedCommand): RiskLevel | null {
  if (!understood) return null
  let worst: RiskLevel | null = null
  for (const { command, level } of parts)
    if (command.program && (worst === null || riskRank(level) > riskRank(worst))) worst = level
  return worst
}

/** Whether the part after this one is what it runs. */
function hasInner(parts: Decomposition['parts'], index: number): boolean {
  const part = parts[index]
  const next = parts[index + 1]
  if (part === undefined || next === undefined || next.via.length <= part.via.length) return false
  return (
    part.via.every((label, at) => next.via[at] === label) &&
    next.span.start >= part.span.start &&
    next.span.end <= part.span.end &&
    !/^[$<>]\(/.test(next.via[part.via.length] ?? '')
  )
}
