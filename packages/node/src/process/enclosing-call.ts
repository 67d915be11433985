import { readFileSync } from 'node:fs'
import type { Home } from '../home/home.ts'
import { agentSessions } from './agent-sessions.ts'
import { processOfOwner } from './call-owners.ts'
import { openProcessTable, type ProcessStat, type ProcessTable } from './proc-stat.ts'
import { isSessionOf, mayBeOrphanOf, pidNamespace, type RunningCommand, runningCommands } from './running-commands.ts'

/** Set for everything that the gate runs: the id of the call, or the server. */
export const INSIDE = 'COUNTERSIGN_INSIDE'

/** Why a process counts as part of a gated command. */
export interface EnclosingCall {
  readonly call: string
  readonly how: 'variable' | 'ancestor' | 'session' | 'left-behind' | 'namespace'
}

/** INVARIANT: L10. A longer chain of parents is not a person's. */
const MOST_ANCESTORS = 256
/** The initial PID namespace, which encloses all others. */
const INITIAL_NAMESPACE = 'pid:[4026531836]'

/**
 * The gated command that this process runs in; null for a person's own process. INVARIANT: L8, whoever asks can never
 * approve, with any environment: ancestors, their sessions and groups, their environment at their start, and processes
 * without a living ancestor are compared with the commands that the gate runs. Whatever a coding agent behind the gate starts
 * belongs to it.
 */
export function findEnclosingCall(
  home: Home | null,
  env: Readonly<Record<string, string | undefined>> = process.env,
  pid = process.pid,
): EnclosingCall | null {
  const own = env[INSIDE]
  if (own !== undefined && own !== '') return { call: own, how: 'variable' }
  const table = openProcessTable()
  const chain = ancestorsOf(pid, table)
  const marked = markOf(chain)
  if (marked !== null) return { call: marked, how: 'variable' }
  if (home === null) return null
  for (const command of runningCommands(home, table)) {
    const how = relation(command, chain, table)
    if (how !== null) return { call: command.call, how }
  }
  for (const { host, owner } of agentSessions(home)) {
    const pid = processOfOwner(owner)
    if (chain.some((member) => member.pid === pid)) return { call: `a call of ${host}`, how: 'ancestor' }
  }
  return null
}

interface Member extends ProcessStat {
  readonly pid: number
}

/** A process and its ancestors, without the first process of the system. */
function ancestorsOf(pid: number, table: ProcessTable): readonly Member[] {
  const chain: Member[] = []
  for (let at = pid; at > 1 && chain.length < MOST_ANCESTORS; ) {
    const stat = table(at)
    if (stat === undefined) break
    chain.push({ pid: at, ...stat })
    at = stat.parent
  }
  return chain
}

function relation(command: RunningCommand, chain: readonly Member[], table: ProcessTable): EnclosingCall['how'] | null {
  const here = pidNamespace()
  // From the initial namespace a person looks into a container. From any other, the numbers cannot be compared.
  if (command.namespace !== here) return here === INITIAL_NAMESPACE ? null : 'namespace'
  // A process that cannot see itself cannot show that it is not inside.
  if (chain.length === 0) return 'namespace'
  for (const one of [command, ...(command.left ?? [])]) {
    if (chain.some(({ pid, started }) => pid === one.pid && started === one.started))
      return one === command ? 'ancestor' : 'left-behind'
    if (chain.some(({ session, group }) => isSessionOf(one, session, table) || isSessionOf(one, group, table)))
      return 'session'
  }
  return chain.some(({ pid }) => mayBeOrphanOf(command, pid, table)) ? 'left-behind' : null
}

/** The mark in the environment that an ancestor, or the leader of its session or group, was started with. */
function markOf(chain: readonly Member[]): string | null {
  if (process.platform !== 'linux') return null
  const pids = new Set(chain.flatMap(({ pid, session, group }) => [pid, group, session ?? pid]))
  for (const pid of pids) {
    const mark = pid > 1 ? startMark(pid) : null
    if (mark !== null) return mark
  }
  return null
}

function startMark(pid: number): string | null {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    const mark = variables.find((one) => one.startsWith(`${INSIDE}=`) && one.length > INSIDE.length + 1)
    return mark === undefined ? null : mark.slice(INSIDE.length + 1)
  } catch {
    return null // another user's process: its environment cannot be read
  }
}
