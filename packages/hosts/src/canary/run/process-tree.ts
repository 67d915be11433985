import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks every process of one run. */
export const RUN_MARK = 'COUNTERSIGN_HOST_RUN'

/** Processes that inherited the mark, wherever in the process tree they are now. Linux only; elsewhere none are found. */
export function markedProcesses(mark: string): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(`${RUN_MARK}=${mark}`))
}

/** Undefined for a process that has ended. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Ends the process group of a run, and the marked processes that have left it, each by its id. */
export function endProcesses(leader: number | undefined, mark: string): void {
  if (leader !== undefined) kill(-leader)
  // A process may start another one while the list is read.
  for (let round = 0; round < 5; round += 1) {
    const left = markedProcesses(mark)
    if (left.length === 0) return
    for (const pid of left) kill(pid)
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
