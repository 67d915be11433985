import { type DrivenHost, type FoundAgent, loadCanary, type ProbeResult } from '@countersign/hosts'
import { type Home, systemClock } from '@countersign/node'
import { type Io, say } from '../terminal/io.ts'
import { showLine } from './show-line.ts'

const { DRIVEN_HOSTS, fileMark, helpFor, isAsItShould, keepProof, probeWords, tryAgent } = await loadCanary()

/** What a test run needs besides the agent. */
export interface ProvePlace {
  readonly home: Home
  readonly launcher: readonly string[]
}

/** Tests one agent, shows each result as it arrives, and stores them. Null if it can't be started here. */
export async function proveAgent(
  { agent, program, version }: FoundAgent,
  { home, launcher }: ProvePlace,
  io: Io,
): Promise<readonly ProbeResult[] | null> {
  const host = DRIVEN_HOSTS.find((name) => name === agent.name)
  if (host === undefined || program === null) {
    const why = host === undefined ? 'this agent can’t be started without an account' : 'its program was not found'
    if (!io.json) showLine(`  · not tested: ${why}`, null, 4, io)
    return null
  }
  if (!io.json && io.isTty.stderr) say(io, `starting ${agent.title} in a temporary folder, with a stand-in model …`)
  const mark = fileMark(program)
  const results = await tryAgent({ host: host satisfies DrivenHost, program, version, launcher }, (result) => {
    if (!io.json) showResult(result, io)
  })
  const isTried = results.some(({ fate }) => fate !== 'unreached')
  if (mark !== null && isTried)
    keepProof(home, agent.name, { version, at: systemClock.now(), program, fileMark: mark, results })
  return results
}

function showResult(result: ProbeResult, io: Io): void {
  const isTested = result.fate !== 'unreached'
  const isGood = isAsItShould(result)
  const mark = !isTested ? '·' : isGood ? '✓' : '✗'
  showLine(`  ${mark} ${probeWords(result)}`, isTested && !isGood ? 'red' : null, 4, io)
  const help = isTested && !isGood ? helpFor(result) : null
  if (help !== null) showLine(`    → ${help}`, 'dim', 6, io)
}
