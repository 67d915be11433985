import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Duplex, Readable, Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { inheritedDescriptors } from './descriptors.ts'
import type { RunAccount } from './profile/run-account.ts'
import { seccompFilter } from './profile/seccomp.ts'

const SECCOMP_FD = 3
const STATUS_FD = 4
const ARGUMENTS_FD = 5
/** Bubblewrap closes this one after the last mount, and then waits for the end of the next one. */
const MOUNTED_FD = 6
const CHECK_FD = 7
/** Arguments longer than this go through a descriptor. */
const LONG_BYTES = 64 * 1024

/** What bubblewrap told about itself. */
export interface BubblewrapStatus {
  /** The first process of the sandbox, as this process sees it. */
  readonly childPid?: number
  /** Absent: the command never started, or was killed. */
  readonly exitCode?: number
}

export interface StartedBubblewrap {
  readonly child: ChildProcess
  status(): BubblewrapStatus
  /** Resolves when all mounts are made, or bubblewrap has failed. */
  readonly mounted: Promise<void>
  /** Lets the command start. Until then bubblewrap waits. */
  release(): void
}

export interface StartOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** `inherit` passes this process's input on, unless it is a terminal. */
  readonly stdin: 'inherit' | 'ignore'
  readonly account: RunAccount
}

/**
 * Starts bubblewrap with a profile and a command. SECURITY: its environment is the command's, because the command can read
 * it; its output is always a pipe, because a file or terminal could be opened again, for more than writing.
 */
export function startBubblewrap(
  bubblewrap: string,
  profile: readonly string[],
  command: readonly string[],
  { cwd, env, stdin, account }: StartOptions,
): StartedBubblewrap {
  const fixed = ['--seccomp', `${SECCOMP_FD}`, '--json-status-fd', `${STATUS_FD}`, '--chdir', cwd]
  const isLong = profile.reduce((sum, word) => sum + word.length + 1, 0) > LONG_BYTES
  const check = [MOUNTED_FD, CHECK_FD].flatMap((fd) => ['--file', `${fd}`, `/run/countersign/${fd}`])
  const args = [...fixed, ...(isLong ? ['--args', `${ARGUMENTS_FD}`] : profile), ...check]
  const input = stdin === 'inherit' ? inputKind() : 'ignore'
  const nothing = openSync('/dev/null', 'r')
  try {
    const stdio: StdioOptions = [input, 'pipe', 'pipe', 'pipe', 'pipe', isLong ? 'pipe' : 'ignore', 'pipe', 'pipe']
    for (const fd of inheritedDescriptors()) {
      while (stdio.length <= fd) stdio.push('ignore')
      if (fd > CHECK_FD || (fd === ARGUMENTS_FD && !isLong)) stdio[fd] = nothing
    }
    const child = spawn(bubblewrap, [...args, '--', ...command], {
      cwd: '/',
      env: { ...env },
      stdio,
      detached: true,
      ...(account ?? {}),
    })
    feed(child, SECCOMP_FD, seccompFilter())
    if (isLong) feed(child, ARGUMENTS_FD, `${profile.join('\0')}\0`)
    if (input === 'pipe' && child.stdin !== null) {
      child.stdin.on('error', () => {})
      process.stdin.pipe(child.stdin)
      child.once('exit', () => process.stdin.unpipe().pause())
    }
    const status = readStatus(child)
    const mounted = closedByChild(child, MOUNTED_FD).then(() => knownProcess(child, status))
    return { child, status, mounted, release: () => feed(child, CHECK_FD, '') }
  } finally {
    closeSync(nothing)
  }
}

/**
 * A pipe is passed on as it is. A file or socket is copied through a pipe: a socket belongs to the network it was made in,
 * and could be connected to another host. A terminal or device is not passed on.
 */
function inputKind(): 'inherit' | 'pipe' | 'ignore' {
  try {
    const stats = fstatSync(0)
    return stats.isFIFO() ? 'inherit' : stats.isFile() || stats.isSocket() ? 'pipe' : 'ignore'
  } catch {
    return 'ignore'
  }
}

function feed(child: ChildProcess, fd: number, content: Buffer | string): void {
  const stream = child.stdio[fd] as Writable | null | undefined
  // Bubblewrap that has ended closes its end; its status tells.
  stream?.on('error', () => {})
  stream?.end(content)
}

function closedByChild(child: ChildProcess, fd: number): Promise<void> {
  const stream = child.stdio[fd] as Duplex | null | undefined
  feed(child, fd, '')
  return new Promise((resolve) => {
    if (stream === null || stream === undefined) resolve()
    else stream.once('end', resolve).once('close', resolve).resume()
  })
}

/** Bubblewrap tells the process before it mounts anything, but on another descriptor. */
async function knownProcess(child: ChildProcess, status: () => BubblewrapStatus): Promise<void> {
  while (status().childPid === undefined && child.exitCode === null && child.signalCode === null) await setImmediate()
}

function readStatus(child: ChildProcess): () => BubblewrapStatus {
  let text = ''
  const stream = child.stdio[STATUS_FD] as Readable | null | undefined
  stream?.on('error', () => {})
  stream?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  return () => {
    const childPid = /"child-pid": (\d+)/.exec(text)?.[1]
    const exitCode = /"exit-code": (\d+)/.exec(text)?.[1]
    return {
      ...(childPid === undefined ? {} : { childPid: Number(childPid) }),
      ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
    }
  }
}
