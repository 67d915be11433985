import type { CommandProblem, Decomposition } from '../command/decomposition.ts'
import { rateDataFlow } from './data-flow.ts'
import { finding, type RiskFinding } from './finding.ts'
import { gateMention } from './gate-mention.ts'
import { highestRisk, type RiskLevel } from './level.ts'
import { ratePart } from './rate-part.ts'
import { locateFolder, locatePaths, pathUse, type RiskCircumstances } from './rated-path.ts'
import type { RatedPart, RiskReason } from './report.ts'

/** A command rated part by part. */
export interface RatedCommand {
  readonly parts: readonly RatedPart[]
  readonly reasons: readonly RiskReason[]
  readonly findings: readonly RiskFinding[]
  readonly understood: boolean
}

const PROBLEM_TEXT: Readonly<Record<CommandProblem['kind'], string>> = {
  syntax: 'could not be parsed as bash',
  'too-long': 'is too long to be analysed',
  'too-deep': 'is nested too deeply to be analysed',
  'too-many': 'has too many commands to be analysed',
  dynamic: '',
  'odd-characters': '',
}

/** Rates every simple command of a decomposition, what flows between them, and what could not be told. */
export function rateCommand(decomposition: Decomposition, cwd: string, now: RiskCircumstances): RatedCommand {
  const { parts, problems } = decomposition
  const located = parts.map((part) => ({ part, paths: locatePaths(part, cwd, now) }))
  const flows = rateDataFlow(located)
  const findings: RiskFinding[] = []
  const reasons: RiskReason[] = []
  const rated = located.map(({ part, paths }, index): RatedPart => {
    const own = [
      ...ratePart({ part, paths, folder: locateFolder(part, cwd, now), hasInner: hasInner(parts, index) }, now),
    ]
    for (const flow of flows) if (flow.index === index) own.push(flow.finding)
    const mentioned = gateMention(part, paths, now.places)
    if (mentioned !== null)
      own.push(finding('critical', 'path.gate', 'reaches for the policy, store or keys of the gate', 'no'))
    for (const one of own) {
      findings.push(one)
      if (one.level !== 'none') reasons.push({ level: one.level, rule: one.rule, text: one.text, span: part.span })
    }
    return {
      command: part,
      level: highestRisk(own.map((one) => one.level)),
      paths: mentioned === null ? paths.map(pathUse) : [...paths.map(pathUse), mentioned],
    }
  })
  for (const problem of problems) {
    const one = rateProblem(problem)
    findings.push(one)
    reasons.push({
      level: one.level,
      rule: one.rule,
      text: one.text,
      ...(problem.span === undefined ? {} : { span: problem.span }),
    })
  }
  return { parts: rated, reasons, findings, understood: problems.every((problem) => problem.kind === 'dynamic') }
}

function rateProblem(problem: CommandProblem): RiskFinding {
  const level: RiskLevel = 'high'
  const text = PROBLEM_TEXT[problem.kind]
  return finding(level, `shell.${problem.kind}`, text === '' ? problem.message : text, 'unknown')
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
