import { readFileSync } from 'node:fs'

/** The facts about a process in `/proc`. */
export interface ProcessStat {
  /** Dead but not yet buried by its parent. */
  readonly ended: boolean
  readonly group: number
  /** Ticks from the start of the machine to the start of the process. */
  readonly started: string
}

/** Reads `/proc/<pid>/stat`; undefined when the process is gone, hidden, or there is no /proc. */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, parentheses too; after the last one come plain fields.
    const [state, , group, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const started = rest[16]
    if (started === undefined) return undefined
    return { ended: state === 'Z' || state === 'X', group: Number(group), started }
  } catch {
    return undefined
  }
}
