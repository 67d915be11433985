import { resolve } from 'node:path'
import { CountersignError } from '@countersign/core'
import { type FoundAgent, loadCanary, loadSettings, type ProbeResult } from '@countersign/hosts'
import { openHome } from '@countersign/node'
import { onlyHosts } from '../agents/init-flags.ts'
import { planOptions } from '../agents/plan-options.ts'
import { proveAgent } from '../agents/prove-agent.ts'
import { showLine } from '../agents/show-line.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, printJson } from '../terminal/io.ts'

const { checkSettings, isProven } = await loadCanary()
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

/** Checks the settings of every agent on this machine, and tests those that can be started. */
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
    const results = await proveAgent(one, { home, launcher }, io)
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
  showLine(`${agent.title}${version === null ? '' : ` ${version}`}`, 'bold', 2, io)
  if (problems.length === 0) showLine('  ✓ settings: the hooks are installed, and nothing turns them off', null, 4, io)
  for (const problem of problems) showLine(`  ✗ settings: ${problem}`, 'red', 4, io)
}
