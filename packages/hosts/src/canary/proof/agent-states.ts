import type { Home } from '@countersign/node'
import { HOST_NAMES, type HostName } from '../../contract/host-name.ts'
import { contractOf } from '../../hosts/contracts.ts'
import { readHostSetup } from '../../sessions/host-setup.ts'
import { fileMark, readProofs } from './keep-proof.ts'
import { isAsItShould, isProven, type ProbeResult } from './probe.ts'

/**
 * What is known of an agent that `init` put behind the gate. `updated`: its program changed since it was tested. `contract only`:
 * it can't be tested, because its program is not on npm.
 */
export type ProofState = 'proven' | 'failed' | 'updated' | 'never tried' | 'contract only'

export interface AgentState {
  readonly host: HostName
  readonly title: string
  readonly state: ProofState
  /** The version that was tested. */
  readonly version: string | null
  /** When it was tested, in milliseconds. */
  readonly at: number | null
  /** Failures after which this agent still runs the tool. */
  readonly runsAnyway: readonly ProbeResult[]
}

/** Every agent behind the gate, with its test results. Starts no program. */
export function agentStates(home: Home): readonly AgentState[] {
  return HOST_NAMES.filter((host) => isSetUp(home, host)).map((host) => agentState(home, host))
}

function agentState(home: Home, host: HostName): AgentState {
  const { title, evidence } = contractOf(host)
  const [proof] = readProofs(home, host)
  const about = { host, title, version: proof?.version ?? null, at: proof?.at ?? null }
  if (evidence === 'contract only') return { ...about, state: 'contract only', runsAnyway: [] }
  if (proof === undefined) return { ...about, state: 'never tried', runsAnyway: [] }
  const runsAnyway = proof.results.filter((result) => result.fate === 'ran' && !isAsItShould(result))
  if (fileMark(proof.program) !== proof.fileMark) return { ...about, state: 'updated', runsAnyway }
  return { ...about, state: isProven(proof) ? 'proven' : 'failed', runsAnyway }
}

/** A damaged file counts: its agent has a hook, which refuses everything. */
function isSetUp(home: Home, host: HostName): boolean {
  try {
    return readHostSetup(home, host) !== undefined
  } catch {
    return true
  }
}

/** One line on an agent, for a person. `when` is the time of the test. */
export function stateWords({ title, state, version }: AgentState, when: string | null): string {
  const name = version === null ? title : `${title} ${version}`
  switch (state) {
    case 'proven':
      return `${name}: tested, the gate holds${when === null ? '' : ` ${when}`}`
    case 'failed':
      return `${name}: the gate does NOT hold${when === null ? '' : ` (tested ${when})`}; run countersign doctor --hosts`
    case 'updated':
      return `${title}: updated since it was tested${version === null ? '' : ` (${version})`}; run countersign doctor --hosts`
    case 'never tried':
      return `${title}: not tested; run countersign doctor --hosts`
    case 'contract only':
      return `${title}: can’t be tested without an account`
  }
}
