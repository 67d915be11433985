import { decompose } from '../../command/decompose.ts'
import type { CommandPart, CommandProblem, Decomposition } from '../../command/model/decomposition.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { rateDataFlow } from '../flow/data-flow.ts'
import type { FlowPart } from '../flow/taint.ts'
import { isInside, type Places } from '../path/category.ts'
import { type LocatedPath, locatePaths, pathUse, type RiskCircumstances } from '../path/located-path.ts'
import { FindingCollector, finding, type RiskFinding } from '../report/finding.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'
import type { PathUse, RatedPart, RiskReason } from '../report/report.ts'
import { rateCommandsInArguments } from './commands-in-arguments.ts'
import { productionParts, rateOnProduction } from './production-host.ts'
import { ratePart } from './rate-simple-command.ts'

/** A command rated part by part. */
export interface RatedCommand {
  readonly parts: readonly RatedPart[]
  /** The caller may add to both. */
  readonly reasons: RiskReason[]
  readonly findings: RiskFinding[]
  readonly understood: boolean
}

const PROBLEM_TEXT: Readonly<Record<CommandProblem['kind'], string>> = {
  syntax: 'can’t be parsed as bash',
  'too-long': 'is too long to analyse',
  'too-deep': 'is nested too deeply to analyse',
  'too-many': 'has too many commands to analyse',
  dynamic: '',
  'odd-characters': '',
  'odd-text': '',
}

const REACHES_GATE = finding('critical', 'path.gate', 'reaches the gate’s policy, store or keys', 'no')

/** Characters of arguments that are rated as possible commands; more count as critical. */
const MAX_ARGUMENT_TEXT = 16 * 1024
/** How deep commands inside arguments are followed. */
const MAX_ARGUMENT_DEPTH = 2

/** Rates every simple command of a decomposition, the data flow between them, and the problems of parsing. */
export function rateCommand(
  decomposition: Decomposition,
  cwd: string,
  now: RiskCircumstances,
  depth = 0,
): RatedCommand {
  const { parts, problems } = decomposition
  let left = MAX_ARGUMENT_TEXT
  const rateText = (text: string): RiskLevel | null => {
    left -= text.length
    return left < 0 ? 'critical' : worstOf(rateCommand(decompose(text), cwd, now, depth + 1))
  }
  const located = parts.map((part): FlowPart => ({ part, paths: locatePaths(part, cwd, now) }))
  const flows = rateDataFlow(located)
  const production = productionParts(parts)
  const collector = new FindingCollector()
  const rated = located.map(({ part, paths }, index): RatedPart => {
    collector.begin()
    const inner = index + 1 < parts.length && hasInner(parts, index)
    ratePart({ part, paths, places: now.places, cwd, hasInner: inner }, now, collector)
    for (const flow of flows) if (flow.index === index) collector.add(flow.finding, part.span)
    const given = inner || depth === MAX_ARGUMENT_DEPTH ? null : rateCommandsInArguments(part, rateText)
    if (given !== null) collector.add(given, part.span)
    const mentioned = gateMention(part, paths, now.places)
    if (mentioned !== null) collector.add(REACHES_GATE, part.span)
    const raised = production.has(index) ? rateOnProduction(collector.level) : null
    if (raised !== null) collector.add(raised, part.span)
    const uses = paths.map(pathUse)
    return { command: part, level: collector.level, paths: mentioned === null ? uses : [...uses, mentioned] }
  })
  const { findings, reasons } = collector
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

/** The level of the worst command in a text; null if the text is not a command. */
function worstOf({ parts, understood }: RatedCommand): RiskLevel | null {
  if (!understood) return null
  let worst: RiskLevel | null = null
  for (const { command, level } of parts)
    if (command.program && (worst === null || riskRank(level) > riskRank(worst))) worst = level
  return worst
}

/** Whether the next part is a command that this part runs. */
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

/**
 * The gate's folder as a written path, if a program that is not a plain reader gets a path in it or a text that names it:
 * an editor, an interpreter's code, a mount. SECURITY: A3, only the program knows which of its arguments it writes.
 */
function gateMention(part: CommandPart, paths: readonly LocatedPath[], places: Places): PathUse | null {
  if (part.program === '' || (part.program !== null && PROGRAMS.fileReaders.has(part.program))) return null
  if (!isInGate(paths, places) && !namesGate(part, places)) return null
  return { given: places.gate, real: places.gate, use: 'write' }
}

function isInGate(paths: readonly LocatedPath[], { gate }: Places): boolean {
  for (const { real, at } of paths) if (isInside(real ?? at ?? '/', gate)) return true
  return false
}

function namesGate({ args }: CommandPart, { gate, home }: Places): boolean {
  for (const { value, text } of args) {
    const word = value ?? text
    // Rules out most words by their length.
    if (word.length <= gate.length - home.length) continue
    if (word.includes(gate)) return true
    if (isInside(gate, home) && gate !== home && word.includes(`~${gate.slice(home.length)}`)) return true
  }
  return false
}
