import { readdirSync } from 'node:fs'
import { processStat } from './proc-stat.ts'

const LOOK_EVERY_MS = 20

/** Sends a signal to every process of a group; false when it has none. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal)
    return true
  } catch {
    return false
  }
}

/** Whether anything of a group still runs. The dead that nobody has buried yet do not count, where that can be seen. */
export function isGroupAlive(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((name) => {
    const stat = /^\d+$/.test(name) ? processStat(Number(name)) : undefined
    return stat?.group === leader && !stat.ended
  })
}

/**
 * Ends a process group: asks with SIGTERM, then after `graceMs` insists with SIGKILL. Resolves when the group is empty or
 * has been killed. A process that left the group by itself (its own `setsid`) is not reached: see `endLeftBehind`.
 */
export function endGroup(leader: number, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    signalGroup(leader, 'SIGTERM')
    // A stopped process handles SIGTERM only after SIGCONT.
    signalGroup(leader, 'SIGCONT')
    const done = (): void => {
      clearInterval(look)
      clearTimeout(insist)
      resolve()
    }
    const look = setInterval(() => {
      if (!isGroupAlive(leader)) done()
    }, LOOK_EVERY_MS)
    const insist = setTimeout(() => {
      signalGroup(leader, 'SIGKILL')
      done()
    }, graceMs)
  })
}
