import { deepFreeze, freezeArgs, freezeJson } from '../call/json/freeze.ts'
import { CountersignError } from '../errors.ts'
import { strictest } from '../policy/model/supervision.ts'
import type { Clock } from '../ports/clock.ts'
import type { CheckAnswer, Checker, CheckInput, Finding, SafetyReport } from './checker.ts'

const DEFAULT_TIMEOUT_MS = 5_000
const MAX_TEXT = 2_000
const MAX_DETAILS = 65_536
const STATUSES = ['pass', 'warn', 'fail', 'skip']
const RAISES = ['automatic', 'notify', 'confirm', 'manual', 'deny']

/**
 * Runs the named checkers side by side and gathers what they found. Never throws: a checker that crashes, hangs,
 * answers nonsense or does not exist has failed, and that failure cannot be overridden.
 */
export async function runCheckers(
  checkers: ReadonlyMap<string, Checker>,
  names: readonly string[],
  input: CheckInput,
  clock: Clock,
): Promise<SafetyReport> {
  // A gate without the machine's checkers does without those of the preset. One that a rule names must be there.
  const running = names.filter((name) => checkers.has(name) || input.presetChecks?.includes(name) !== true)
  if (running.length === 0) return NOTHING_TO_CHECK
  // INVARIANT: L9, what a checker looks at it cannot change.
  const shown = deepFreeze({ ...input, places: { ...input.places } })
  return reportOf(await Promise.all(running.map((name) => runOne(checkers.get(name), name, shown, clock))))
}

/**
 * The report with what matters of the checks that only the preset asks for: what they found, and whether there is an undo.
 * Where they may only advise, none of them raises or blocks.
 */
export function withPresetFindings(
  report: SafetyReport,
  checks: readonly string[],
  answer: 'advises' | 'raises',
): SafetyReport {
  if (checks.length === 0) return report
  const isPreset = ({ checker }: Finding): boolean => checks.includes(checker)
  const isQuiet = ({ checker, status }: Finding): boolean =>
    status === 'skip' || (status === 'pass' && checker !== 'backup')
  const findings = report.findings.filter((finding) => !isPreset(finding) || !isQuiet(finding))
  if (answer === 'raises') return { ...report, findings }
  const advice = findings.map((finding) => (isPreset(finding) ? advisory(finding) : finding))
  return { ...reportOf(advice), raise: strictest(advice.filter((finding) => !isPreset(finding)).map(raiseOf)) }
}

function advisory({ raise: _, propose: __, ...finding }: Finding): Finding {
  return { ...finding, status: finding.status === 'fail' ? 'warn' : finding.status, overridable: false }
}

function reportOf(findings: readonly Finding[]): SafetyReport {
  return {
    findings,
    raise: strictest(findings.map(raiseOf)),
    blocked: findings.some((finding) => finding.status === 'fail' && !finding.overridable),
    proposed: findings.find((finding) => finding.propose !== undefined)?.propose ?? null,
  }
}

/** What is found where no checker is named. */
export const NOTHING_TO_CHECK: SafetyReport = { findings: [], raise: 'automatic', blocked: false, proposed: null }

/** INVARIANT: L9, a finding only ever raises: an overridable fail needs a person, a warning is worth a notice. */
function raiseOf(finding: Finding) {
  const least = finding.status === 'fail' ? 'confirm' : finding.status === 'warn' ? 'notify' : 'automatic'
  return strictest([least, finding.raise ?? 'automatic'])
}

async function runOne(checker: Checker | undefined, name: string, input: CheckInput, clock: Clock): Promise<Finding> {
  if (checker === undefined)
    return failed(name, `checker \`${name}\` is not registered; register it or remove it from the rule`)
  const abort = new AbortController()
  let cancel = () => {}
  const late = new Promise<Finding>((resolve) => {
    const ms = checker.timeoutMs ?? DEFAULT_TIMEOUT_MS
    cancel = clock.after(ms, () => resolve(failed(name, `checker \`${name}\` did not answer within ${ms} ms`)))
  })
  try {
    return await Promise.race([answer(checker, input, abort.signal), late])
  } catch (error) {
    return failed(name, `checker \`${name}\` crashed: ${firstLine(error)}`)
  } finally {
    cancel()
    abort.abort()
  }
}

async function answer(checker: Checker, input: CheckInput, signal: AbortSignal): Promise<Finding> {
  return toFinding(checker.name, await checker.check(input, signal))
}

/** SECURITY: A21 a checker's answer is data from outside, read once: anything but the contract is a failure. */
function toFinding(checker: string, given: CheckAnswer): Finding {
  const answered: unknown = given
  if (typeof answered !== 'object' || answered === null) throw notAnAnswer('is not an object')
  const { status, message, overridable, details, suggestion, raise, propose } = given
  if (!STATUSES.includes(status) || typeof message !== 'string') throw notAnAnswer('has no valid status and message')
  if (raise !== undefined && !RAISES.includes(raise)) throw notAnAnswer('has an invalid `raise`')
  return {
    checker,
    status,
    message: message.slice(0, MAX_TEXT).toWellFormed(),
    overridable: status === 'fail' && overridable === true,
    ...(details === undefined ? {} : { details: freezeJson(details, { root: 'details', maxBytes: MAX_DETAILS }) }),
    ...(suggestion === undefined ? {} : { suggestion: String(suggestion).slice(0, MAX_TEXT).toWellFormed() }),
    ...(raise === undefined ? {} : { raise }),
    ...(propose === undefined ? {} : { propose: freezeArgs(propose) }),
  }
}

function notAnAnswer(what: string): CountersignError {
  return new CountersignError('CS_CHECK_BLOCKED', `its answer ${what}`)
}

function failed(checker: string, message: string): Finding {
  return { checker, status: 'fail', message, overridable: false }
}

function firstLine(error: unknown): string {
  try {
    const text = String(error instanceof Error ? error.message : error)
    return text.split('\n', 1)[0]?.slice(0, 200).toWellFormed() ?? ''
  } catch {
    return 'it threw an unreadable value'
  }
}
