import { readFileSync, readlinkSync } from 'node:fs'
import { processStat } from './proc-stat.ts'

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ash', 'ksh', 'fish', 'busybox'])
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

/** What a process was started with; null for what can't be read. */
export interface ProcessStart {
  readonly argv: readonly string[] | null
  readonly env: Readonly<Record<string, string>> | null
}

/** The command line and the environment that a process was started with. */
export function processStart(pid: number): ProcessStart {
  const words = startText(pid, 'cmdline')
  const variables = startText(pid, 'environ')
  // A process that changed its title wrote it over its words, and filled the rest with nothing.
  const argv = words === null || words.length === 0 || words.endsWith('\0\0') ? null : words.split('\0').slice(0, -1)
  const env = variables?.split('\0').map((one): [string, string] => {
    const at = one.indexOf('=')
    return [one.slice(0, at), one.slice(at + 1)]
  })
  return { argv, env: env === undefined ? null : Object.fromEntries(env) }
}

function startText(pid: number, name: 'cmdline' | 'environ'): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return null
  }
}

/**
 * Whether a person may sit before a process: it has a terminal, or shows windows. Unknown systems count as attended: what the
 * person does not answer does not run.
 */
export function isAttended(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const terminal = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[4]
    if (terminal !== '0') return true
    const variables = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0')
    return variables.some((one) => /^(?:DISPLAY|WAYLAND_DISPLAY)=./.test(one))
  } catch {
    return true
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
