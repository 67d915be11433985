import { readFileSync, readlinkSync } from 'node:fs'
import { processStat } from './proc-stat.ts'

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh', 'busybox'])
/** A hook's command line may be started through a few shells. */
const MOST_SHELLS = 4

/**
 * The process of the coding agent whose hook this is: the parent, or the one above the shells that run the hook's command
 * line. A shell that a person types into is itself the asker.
 */
export function agentProcess(parent = process.ppid): number {
  let pid = parent
  for (let shells = 0; shells < MOST_SHELLS; shells += 1) {
    const above = isCommandShell(pid) ? processStat(pid)?.parent : undefined
    if (above === undefined || above <= 1) return pid
    pid = above
  }
  return pid
}

/** The folder that a process works in; undefined where the system does not tell. */
export function agentFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Whether this is a shell that runs one command line (`sh -c …`). */
function isCommandShell(pid: number): boolean {
  try {
    const [program = '', ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const name = program.slice(program.lastIndexOf('/') + 1).replace(/^-/, '')
    return SHELLS.has(name) && words.some((word) => /^-[a-z]*c$/.test(word))
  } catch {
    return false
  }
}
