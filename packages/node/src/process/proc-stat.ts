import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The facts about a process in `/proc`. */
export interface ProcessStat {
  /** Dead but not yet buried by its parent. */
  readonly ended: boolean
  readonly parent: number
  readonly group: number
  /** The session; null where the system does not tell (macOS). */
  readonly session: number | null
  /** Ticks from the start of the machine to the start of the process; seconds of the wall clock on macOS. */
  readonly started: string
}

/** Reads `/proc/<pid>/stat`; undefined when the process is gone, hidden, or there is no /proc. */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold anything, parentheses too; after the last one come plain fields.
    const [state, parent, group, session, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const started = rest[15]
    if (started === undefined) return undefined
    return {
      ended: state === 'Z' || state === 'X',
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
      started,
    }
  } catch {
    return undefined
  }
}

/** Looks up processes by number. */
export type ProcessTable = (pid: number) => ProcessStat | undefined

/** The processes of this machine: live from `/proc`, or on macOS one listing by `ps`. */
export function openProcessTable(): ProcessTable {
  if (process.platform === 'linux') return processStat
  const rows = listedProcesses()
  return (pid) => rows.get(pid)
}

const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+)$/

function listedProcesses(): ReadonlyMap<number, ProcessStat> {
  const rows = new Map<number, ProcessStat>()
  const text = execFileSync('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'latin1',
    env: { LC_ALL: 'C' },
    maxBuffer: 16 * 1024 * 1024,
  })
  for (const line of text.split('\n')) {
    const [, pid, parent, group, state = '', started = ''] = ROW.exec(line) ?? []
    if (pid === undefined) continue
    rows.set(Number(pid), {
      ended: state.startsWith('Z'),
      parent: Number(parent),
      group: Number(group),
      session: null,
      started: String(Date.parse(started) / 1000),
    })
  }
  return rows
}
