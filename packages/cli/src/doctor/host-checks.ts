import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { type DrivenHost, type FoundAgent, loadCanary, loadSettings, type ProbeResult } from '@countersign/hosts'
import { type Home, openHome, systemClock } from '@countersign/node'
import { createPaint, type Paint } from '@countersign/terminal/card'
import { onlyHosts } from '../init/init-flags.ts'
import { planOptions } from '../init/plan-options.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'

const { checkSettings, DRIVEN_HOSTS, fileMark, helpFor, isAsItShould, isProven, keepProof, probeWords, tryAgent } =
  await loadCanary()
const { detectAgents } = await loadSettings()

export interface HostFlags {
  readonly only?: readonly string[]
  readonly accountHome?: string
}

/** One agent as `doctor --hosts` found it. */
interface AgentFinding {
  readonly agent: string
  readonly title: string
  readonly version: string | null
  readonly evidence: string
  readonly isSetUp: boolean
  readonly problems: readonly string[]
  /** Null if it can't be tried. */
  readonly results: readonly ProbeResult[] | null
  readonly proven: boolean
}

/** Looks at the settings of every agent on this machine, and tries those that can be started. */
export async function diagnoseHosts(flags: HostFlags, io: Io): Promise<void> {
  const home = openHome(io.home === undefined ? undefined : resolve(io.cwd, io.home))
  const options = planOptions(flags, home, io)
  const { machine, launcher } = options
  const only = onlyHosts(flags)
  const found = (await detectAgents(machine)).filter(({ agent }) => only === null || only.includes(agent.name))
  if (found.length === 0)
    throw new CountersignError(
      'CS_USAGE',
      'no coding agent was found on this machine; install one, then run `countersign init`',
    )
  const findings: AgentFinding[] = []
  for (const one of found) {
    const check = await checkSettings(one, options)
    if (!io.json) showSettings(one, check.problems, io)
    const results = await proveHost(one, { home, launcher }, io)
    findings.push({ ...aboutOf(one), ...check, results, proven: results !== null && isProven({ results }) })
  }
  const isWrong = ({ isSetUp, problems, results, proven }: AgentFinding): boolean =>
    isSetUp && (problems.length > 0 || (results !== null && !proven))
  if (findings.some(isWrong)) io.exit(EXIT.failed.code)
  if (io.json) printJson(io, { agents: findings })
}

function aboutOf({ agent, version }: FoundAgent) {
  return { agent: agent.name, title: agent.title, version, evidence: agent.evidence }
}

function showSettings({ agent, version }: FoundAgent, problems: readonly string[], io: Io): void {
  const paint = createPaint(io.color)
  show(paint, `${agent.title}${version === null ? '' : ` ${version}`}`, 'bold', 2, io)
  if (problems.length === 0)
    show(paint, '  ✓ settings: our hook is in every place, and nothing turns it off', null, 4, io)
  for (const problem of problems) show(paint, `  ✗ settings: ${problem}`, 'red', 4, io)
}

/** What a try needs besides the agent. */
export interface ProvePlace {
  readonly home: Home
  readonly launcher: readonly string[]
}

/** Tries one agent, shows each result as it comes, and keeps them. Null if it can't be started here. */
export async function proveHost(
  { agent, program, version }: FoundAgent,
  { home, launcher }: ProvePlace,
  io: Io,
): Promise<readonly ProbeResult[] | null> {
  const paint = createPaint(io.color)
  const host = DRIVEN_HOSTS.find((name) => name === agent.name)
  if (host === undefined || program === null) {
    const why =
      host === undefined ? 'contract only: this agent can’t be started without an account' : 'its program was not found'
    if (!io.json) show(paint, `  · not tried, ${why}`, null, 4, io)
    return null
  }
  if (!io.json && io.isTty.stderr)
    say(io, `starting ${agent.title} in a folder of its own, with a model on this machine …`)
  const mark = fileMark(program)
  const results = await tryAgent({ host: host satisfies DrivenHost, program, version, launcher }, (result) => {
    if (!io.json) showResult(result, paint, io)
  })
  if (mark !== null) keepProof(home, agent.name, { version, at: systemClock.now(), program, fileMark: mark, results })
  return results
}

function showResult(result: ProbeResult, paint: Paint, io: Io): void {
  const isTested = result.fate !== 'unreached'
  const isGood = isAsItShould(result)
  const mark = !isTested ? '·' : isGood ? '✓' : '✗'
  show(paint, `  ${mark} ${probeWords(result)}`, isTested && !isGood ? 'red' : null, 4, io)
  const help = isTested && !isGood ? helpFor(result) : null
  if (help !== null) show(paint, `    → ${help}`, 'dim', 6, io)
}

function show(paint: Paint, text: string, style: 'bold' | 'red' | 'dim' | null, indent: number, io: Io): void {
  for (const row of hangText(safeText(text), dataColumns(io), indent))
    print(io, style === null ? row : paint(row, style))
}
