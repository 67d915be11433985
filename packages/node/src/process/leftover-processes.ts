import { readdirSync, readFileSync } from 'node:fs'
import { monotonicMs } from '../system/clock.ts'
import { isGroupAlive, signalGroup } from './group.ts'
import { processStat } from './proc-stat.ts'

const LOOK_EVERY_MS = 50
/** Rounds of killing: whoever forks faster than it is found is not chased for ever. INVARIANT: L10. */
const MOST_ROUNDS = 10

/** What belongs to a command: its process group, and whatever has its mark in the environment it was started with. */
export interface Belonging {
  readonly leader: number
  readonly mark: string
}

const MARK = 'COUNTERSIGN_COMMAND'

/** The environment by which whatever a command starts is found again. A command within a command has the marks of both. */
export function markedEnvironment(env: NodeJS.ProcessEnv, mark: string | null): NodeJS.ProcessEnv {
  if (mark === null) return env
  const outer = env[MARK]
  return { ...env, [MARK]: outer === undefined ? mark : `${outer}:${mark}` }
}

/**
 * Ends what a command left behind: waits `patienceMs` for what is about to end by itself, asks with SIGTERM, and after
 * `graceMs` insists. Gives how many processes it ended; without `/proc` only the group is found, and counts as one.
 */
export async function endLeftBehind(whose: Belonging, patienceMs: number, graceMs: number): Promise<number> {
  if ((await untilGone(whose, patienceMs)) === 0) return 0
  const found = belongings(whose)
  for (const pid of found) for (const signal of ['SIGTERM', 'SIGCONT'] as const) tell(pid, signal)
  await untilGone(whose, graceMs)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const stubborn = belongings(whose)
    if (stubborn.length === 0) break
    for (const pid of stubborn) tell(pid, 'SIGKILL')
    await pause()
  }
  return found.length
}

/** Waits until no process is left, at most `mostMs`; returns how many still run. */
async function untilGone(whose: Belonging, mostMs: number): Promise<number> {
  const until = monotonicMs() + mostMs
  for (;;) {
    const { length } = belongings(whose)
    if (length === 0 || monotonicMs() >= until) return length
    await pause()
  }
}

/** What still runs, as numbers for `kill`: a negative one is a whole group. */
function belongings({ leader, mark }: Belonging): readonly number[] {
  if (process.platform !== 'linux') return isGroupAlive(leader) ? [-leader] : []
  return readdirSync('/proc').flatMap((name) => {
    const pid = /^\d+$/.test(name) ? Number(name) : process.pid
    if (pid === process.pid) return []
    const stat = processStat(pid)
    if (stat === undefined || stat.ended) return []
    return stat.group === leader || isMarked(pid, mark) ? [pid] : []
  })
}

/** Survives `setsid`, `nohup` and a parent that ended; not a program that empties its environment. */
function isMarked(pid: number, mark: string): boolean {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return variables.some((one) => one.startsWith(`${MARK}=`) && one.includes(mark))
  } catch {
    return false
  }
}

function tell(pid: number, signal: NodeJS.Signals): void {
  if (pid < 0) signalGroup(-pid, signal)
  else
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself.
    }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
