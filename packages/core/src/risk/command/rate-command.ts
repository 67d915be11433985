import { decomposeUnproven } from '../../command/decompose.ts'
import type { CommandPart, CommandProblem, Decomposition } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { printsOnly } from '../arguments/prints-only.ts'
import { rateDataFlow } from '../flow/data-flow.ts'
import type { FlowPart } from '../flow/taint.ts'
import { commandHosts } from '../hosts/command-hosts.ts'
import { locatePaths, pathUse, type RiskCircumstances } from '../path/located-path.ts'
import { MAX_PATHS } from '../path/paths-to-resolve.ts'
import { rowOf } from '../programs/rate-program.ts'
import { changesOf } from '../proof/command-changes.ts'
import type { PathChange } from '../proof/path-change.ts'
import { proveExact } from '../proof/prove-exact.ts'
import { provePart, provePrinted, rateOptions } from '../proof/prove-part.ts'
import { ownPart, proveRunners } from '../proof/prove-runners.ts'
import { FindingCollector, finding, type RiskFinding } from '../report/finding.ts'
import { type RiskLevel, riskRank } from '../report/level.ts'
import type { RatedPart, RiskReason } from '../report/report.ts'
import { rateCommandsInArguments } from './commands-in-arguments.ts'
import { gateContext, gateMention } from './gate-mention.ts'
import { productionParts, rateInProduction, rateOnProduction } from './production-host.ts'
import { asksForHelp, ratePart } from './rate-simple-command.ts'

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
  'too-long': 'is too long to analyze',
  'too-deep': 'is nested too deeply to analyze',
  'too-many': 'has too many commands to analyze',
  dynamic: '',
  evaluated: '',
  'odd-characters': '',
  'odd-text': '',
}

const LOW = riskRank('low')
/** Problems of a command that was still parsed whole. */
const UNDERSTOOD: ReadonlySet<CommandProblem['kind']> = new Set(['dynamic', 'evaluated', 'odd-text'])

const REACHES_GATE = finding('critical', 'path.gate', 'reaches the gate’s policy, store or keys', 'no')

/** Characters of arguments that are rated as possible commands; more count as critical. */
const MAX_ARGUMENT_TEXT = 16 * 1024
/** How deep commands inside arguments are followed. */
const MAX_ARGUMENT_DEPTH = 2

interface RateOptions {
  readonly depth?: number
  /** Also prove what only reads, or only changes files of the workspace. */
  readonly proves?: boolean
}

/** Rates every simple command of a decomposition, the data flow between them, and the problems of parsing. */
export function rateCommand(
  decomposition: Decomposition,
  cwd: string,
  now: RiskCircumstances,
  { depth = 0, proves = false }: RateOptions = {},
): RatedCommand {
  const { parts, problems } = decomposition
  let left = MAX_ARGUMENT_TEXT
  const rateText = (text: string): RiskLevel | null => {
    left -= text.length
    return left < 0 ? 'critical' : worstOf(rateCommand(decomposeUnproven(text), cwd, now, { depth: depth + 1 }))
  }
  const gate = gateContext(parts, cwd, now)
  const place = gate.dots ? { ...now, dots: true } : now
  const located = parts.map((part): FlowPart => ({ part, paths: locatePaths(part, cwd, place) }))
  // INVARIANT: L10, of more paths some were not resolved.
  const isOverfull = located.reduce((sum, { paths }) => sum + paths.length, 0) > MAX_PATHS
  const flows = rateDataFlow(located)
  const production = productionParts(parts)
  const collector = new FindingCollector()
  let changed: readonly PathChange[] | undefined
  const changes = (): readonly PathChange[] => {
    changed ??= changesOf(located, now.looks ?? new Map())
    return changed
  }
  const single = located.map(({ part, paths }, index): RatedPart => {
    collector.begin(whereOf(part))
    const inner = index + 1 < parts.length && hasInner(parts, index)
    ratePart({ part, paths, places: now.places, cwd, hasInner: inner }, now, collector)
    for (const flow of flows) if (flow.index === index) collector.add(flow.finding, part.span)
    const given = inner || depth === MAX_ARGUMENT_DEPTH ? null : rateCommandsInArguments(part, rateText)
    if (given !== null) collector.add(given, part.span)
    const mentioned = gateMention(part, paths, gate)
    if (mentioned !== null) collector.add(REACHES_GATE, part.span)
    const unseen = part.inside?.opaque ?? []
    if (unseen.length > 0) collector.add(rateUnseen(unseen), part.span)
    const held = part.inside?.held?.[0]
    if (held !== undefined)
      collector.add(
        finding('medium', 'runs.settings', `takes settings that may run programs: ${held}`, 'unknown'),
        part.span,
      )
    const row = inner ? undefined : knownRow(part, now)
    const option = row === undefined || riskRank(collector.level) > LOW ? null : rateOptions(part, row)
    if (option !== null) collector.add(option, part.span)
    const raised = production.has(index)
      ? rateOnProduction(collector.level)
      : now.inProduction === true
        ? rateInProduction(collector.level)
        : null
    if (raised !== null) collector.add(raised, part.span)
    const uses = paths.map(pathUse)
    const found = {
      paths,
      isHarmless: collector.level === 'none',
      changesFiles: collector.changesFiles,
      command: { parts, index, changes },
      changesRepository: collector.changesRepository,
    }
    const isIntricate = decomposition.intricate === true || part.intricate === true
    const proof =
      !proves || isIntricate || isOverfull
        ? null
        : printsOnly(part)
          ? provePrinted(ownPart(part), found, now)
          : row && provePart(ownPart(part), row, found, now)
    const { more = [], ...proven } = proof ?? {}
    const all = more.length === 0 ? uses : [...uses, ...more]
    return {
      command: part,
      level: collector.level,
      ...containedRating(part, collector),
      ...proven,
      paths: mentioned === null ? all : [...all, mentioned],
      hosts: commandHosts(part, now.knowledge),
    }
  })
  const rated = proves ? proveParts(single, decomposition, cwd, now, depth) : single
  const { findings, reasons } = collector
  let understood = true
  for (const problem of problems) {
    if (!UNDERSTOOD.has(problem.kind)) understood = false
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

function proveParts(
  parts: readonly RatedPart[],
  { exact, intricate = false }: Decomposition,
  cwd: string,
  now: RiskCircumstances,
  depth: number,
): readonly RatedPart[] {
  const proven = proveRunners(parts, intricate, now, exact)
  if (exact === undefined) return proven
  const rate = (words: readonly CommandPart[], known: RiskCircumstances) =>
    rateCommand({ parts: words, problems: [] }, cwd, known, { depth: depth + 1, proves: true }).parts
  return proveExact(exact, proven, intricate, now, rate)
}

const MAX_SHOWN = 80

/** Where a command in a file is written, for its reasons: "package.json:12 `rm -rf ~`: ". */
function whereOf({ origin, text }: CommandPart): string {
  if (origin === undefined) return ''
  const line = text.replace(/\s+/g, ' ').trim()
  const shown = line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line
  return `${origin.file}:${origin.line} \`${shown.replaceAll('`', "'")}\`: `
}

/** Runs something that could not be read or followed. Not a risk by itself, but nothing about it is proven. */
function rateUnseen(why: readonly string[]): RiskFinding {
  const more = why.length > 1 ? ` (and ${why.length - 1} more)` : ''
  return finding('low', 'runs.opaque', `can’t be seen through: ${why[0]}${more}`, 'unknown')
}

/** How a part is judged inside the sandbox. */
function containedRating(
  part: CommandPart,
  { level, contained, onlyReads, runsProject }: FindingCollector,
): Pick<RatedPart, 'contained' | 'onlyReads' | 'runsProject'> {
  const bounded = part.origin === undefined || isPlainHarm(part, contained) ? contained : lowest(contained)
  return {
    ...(bounded === level ? {} : { contained: bounded }),
    ...(onlyReads ? { onlyReads: true } : {}),
    ...(runsProject || part.origin !== undefined ? { runsProject: true } : {}),
  }
}

/** What a file of the project does inside the sandbox is the project's own business, unless it plainly destroys something. */
function isPlainHarm({ args }: CommandPart, contained: RiskLevel): boolean {
  return riskRank(contained) >= riskRank('high') && args.every(({ value, glob }) => value !== null && !glob)
}

function lowest(level: RiskLevel): RiskLevel {
  return riskRank(level) > riskRank('low') ? 'low' : level
}

/** What is known of a part's program, unless it only prints help, the source defines it, or a person taught the gate about it. */
function knownRow(part: CommandPart, { knowledge }: RiskCircumstances): ProgramRow | undefined {
  if (!part.program || part.defined === true || asksForHelp(part, part.program)) return undefined
  const program = lowerCase(part.program)
  const isTaught = (knowledge?.programs.get(program)?.replacing.length ?? 0) > 0
  return isTaught ? undefined : rowOf(program)
}

function rateProblem(problem: CommandProblem): RiskFinding {
  const level = problem.kind === 'odd-text' ? 'low' : problem.kind === 'evaluated' ? 'medium' : 'high'
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
    next.origin?.file === part.origin?.file &&
    next.origin?.line === part.origin?.line &&
    next.span.start >= part.span.start &&
    next.span.end <= part.span.end &&
    !/^[$<>]\(/.test(next.via[part.via.length] ?? '')
  )
}
