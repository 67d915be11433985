import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, isAbsolute } from 'node:path'
import { CountersignError } from '@countersign/core'
import { isExecutable } from '../files/file-identity.ts'
import { systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { INSIDE } from './enclosing-call.ts'
import { endGroup, signalGroup } from './group.ts'
import { endLeftBehind, markedEnvironment } from './leftover-processes.ts'
import { recordCommand } from './running-commands.ts'

const SHELLS = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash', '/bin/sh']
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const GRACE_MS = 2_000
/** How long output is still read after the command ended, when something it left behind keeps the pipe open. */
const DRAIN_MS = 250

/** A command: text for a shell, or the resolved path of a program with its exact arguments. */
export type Command =
  | { readonly command: string }
  | { readonly argv: readonly [string, ...string[]]; readonly programPath: string }

/** How it runs. */
export interface RunOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** `inherit` shares this process's streams with the command; `pipe` closes its input and passes its output to `onOutput`. */
  readonly stdio: 'inherit' | 'pipe'
  readonly onOutput?: (stream: 'stdout' | 'stderr', chunk: Buffer) => void
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Between asking a stopped command to end and killing it. */
  readonly graceMs?: number
  /** Whether what it left running is ended with it, also what left its process group. Unless told, it is left. */
  readonly endLeftBehind?: boolean
  /** Where a shell is looked for; unless told, in the usual places. */
  readonly shells?: readonly string[]
  /**
   * Whether it runs outside the sandbox although nobody approved it. INVARIANT: L11, what it does was proven by how bash reads
   * it; another shell runs only what every shell reads alike.
   */
  readonly isProven?: boolean
  /** The call it runs for, and the gate's home: recorded there while it runs, so that nothing in it can decide. */
  readonly gated?: { readonly home: Home; readonly call: string }
}

/** How it ended. */
export interface Ended {
  readonly how: 'exited' | 'aborted' | 'timed-out' | 'not-started'
  /** As a shell reports it: 128 + n for a signal, 127 not found, 126 not executable. */
  readonly exitCode: number
  readonly signal: NodeJS.Signals | null
  /** Why it did not start; one line. */
  readonly problem: string | null
  /** The shell that ran it; null for the argv form. `/bin/sh` means that no bash was found. */
  readonly shell: string | null
  /** How many processes it left behind, which were ended. */
  readonly leftBehind: number
}

/**
 * Runs an approved command in a session of its own. SECURITY: A5 without a controlling terminal it can type into
 * nobody's prompt. An abort or time-out ends its whole process group, and with `endLeftBehind` also what left that.
 */
export async function runCommand(command: Command, options: RunOptions): Promise<Ended> {
  const { file, args, argv0, shell } = invocationOf(command, options.shells)
  const notStarted = (exitCode: number, problem: string): Ended => ({
    how: 'not-started',
    exitCode,
    signal: null,
    problem,
    shell,
    leftBehind: 0,
  })
  if (options.isProven === true && shell !== null && !isBash(shell) && !isReadAlike(command))
    return notStarted(126, 'without bash, this command can’t run outside the sandbox without approval; install bash')
  if (!isFolder(options.cwd))
    return notStarted(126, `the working folder \`${options.cwd}\` no longer exists; create it again`)
  if (options.signal?.aborted === true)
    return { ...notStarted(143, 'it was withdrawn before it started'), how: 'aborted' }
  const mark = randomBytes(16).toString('hex')
  const { gated } = options
  const record = gated === undefined ? undefined : recordCommand(gated.home, gated.call)
  return new Promise((resolve, reject) => {
    let child: ChildProcess
    try {
      child = spawn(file, args, {
        argv0,
        cwd: options.cwd,
        env: markedEnvironment(
          {
            ...commandEnvironment(options.env ?? process.env),
            ...(gated === undefined ? {} : { [INSIDE]: gated.call }),
          },
          options.endLeftBehind === true ? mark : null,
        ),
        stdio: options.stdio === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
    } catch (error) {
      record?.ended()
      resolve(notStarted(...problemOf(error, file)))
      return
    }
    if (child.pid === undefined) {
      record?.ended()
      child.once('error', (error) => resolve(notStarted(...problemOf(error, file))))
      return
    }
    try {
      record?.started(child.pid)
    } catch (error) {
      signalGroup(child.pid, 'SIGKILL')
      record?.ended()
      reject(error)
      return
    }
    const whose = { leader: child.pid, mark }
    void attend(child, child.pid, options).then(async ({ how, code, signal }) => {
      const patienceMs = how === 'exited' ? DRAIN_MS : 0
      const leftBehind =
        options.endLeftBehind === true ? await endLeftBehind(whose, patienceMs, options.graceMs ?? GRACE_MS) : 0
      record?.ended()
      resolve({ how, exitCode: exitCodeOf(code, signal), signal, problem: null, shell, leftBehind })
    })
  })
}

/** Stays with a running command: passes output and signals on, stops it when told to, and waits for its end. */
export async function attend(
  child: ChildProcess,
  pid: number,
  options: Pick<RunOptions, 'signal' | 'timeoutMs' | 'graceMs' | 'onOutput'>,
): Promise<{ how: Ended['how']; code: number | null; signal: NodeJS.Signals | null }> {
  let how: Ended['how'] = 'exited'
  let ending: Promise<void> | undefined
  const stop = (why: 'aborted' | 'timed-out'): void => {
    if (ending !== undefined) return
    how = why
    ending = endGroup(pid, options.graceMs ?? GRACE_MS)
  }
  const onAbort = (): void => stop('aborted')
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timed-out'), options.timeoutMs)
  const forward = (signal: NodeJS.Signals): void => void signalGroup(pid, signal)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  for (const signal of FORWARDED) process.on(signal, forward)
  child.stdout?.on('data', (chunk: Buffer) => options.onOutput?.('stdout', chunk))
  child.stderr?.on('data', (chunk: Buffer) => options.onOutput?.('stderr', chunk))
  child.on('error', () => {})
  try {
    const end = await ended(child)
    clearTimeout(timer)
    await ending
    return { how, ...end }
  } finally {
    clearTimeout(timer)
    options.signal?.removeEventListener('abort', onAbort)
    for (const signal of FORWARDED) process.off(signal, forward)
  }
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const done = (): void => {
        clearTimeout(drain)
        resolve({ code, signal })
      }
      const drain = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        done()
      }, DRAIN_MS)
      child.once('close', done)
    })
  })
}

/** How a command is started. */
export interface Invocation {
  readonly file: string
  readonly args: readonly string[]
  readonly argv0: string
  /** The shell that runs it; null for the argv form. */
  readonly shell: string | null
}

export function invocationOf(command: Command, shells: readonly string[] = SHELLS): Invocation {
  if ('argv' in command) {
    const [argv0, ...args] = command.argv
    // SECURITY: A7 a bare name would be resolved again, by a PATH that may have changed.
    if (!isAbsolute(command.programPath))
      throw new CountersignError('CS_INTERNAL', 'a program must be given by its real path')
    return { file: command.programPath, args, argv0, shell: null }
  }
  const shell = shells.find(isExecutable)
  if (shell === undefined) throw new CountersignError('CS_TOOL_FAILED', 'no shell was found; install bash')
  // A bash started over ssh reads .bashrc even for -c, unless told not to; `--` keeps a command that begins with a dash.
  const quiet = isBash(shell) ? ['--noprofile', '--norc'] : []
  return { file: shell, args: [...quiet, '-c', '--', command.command], argv0: basename(shell), shell }
}

/** Plain words, separators and pipes. In quotes nothing is expanded, and no word starts with a keyword of bash alone. */
function isReadAlike(command: Command): boolean {
  return !('command' in command) || /^(?:[\w ./=,:'%+-]|;|\|\|?|&&)*$/.test(command.command)
}

function isBash(shell: string): boolean {
  return basename(shell) === 'bash'
}

function problemOf(error: unknown, file: string): [exitCode: number, problem: string] {
  const code = systemCode(error)
  if (code === 'ENOENT') return [127, `\`${file}\` was not found; install it or correct its name`]
  return [126, `\`${file}\` cannot be run (${code ?? 'unknown'}); check its permissions`]
}

export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Variables that make a shell run code or change its behaviour without the command showing it. */
const SHELL_TRAPS = new Set(['BASH_ENV', 'ENV', 'SHELLOPTS', 'BASHOPTS', 'PS4', 'CDPATH', 'GLOBIGNORE'])

/**
 * The environment for an approved command. SECURITY: A28 start-up files, shell options and exported functions would make
 * the shell do other things than were shown. PATH, NODE_OPTIONS, LD_PRELOAD and the like stay: they are the person's own
 * set-up, and were already there when this process, too, was started.
 */
function commandEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !SHELL_TRAPS.has(name) && !name.startsWith('BASH_FUNC_')),
  )
}

/**
 * The environment of a command that runs outside the sandbox although nobody approved it, because of what its words prove.
 * INVARIANT: L11, git must not run programs that files of the workspace name, Python must not load compiled copies in place of
 * the modules that were read, Perl must load only its own modules, and npm neither writes logs nor looks for a new version.
 */
export function unaskedEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = {
    'safe.bareRepository': 'explicit',
    'core.fsmonitor': 'false',
    'core.pager': 'cat',
    // What tidies up after a commit must end with it.
    'gc.autoDetach': 'false',
    'maintenance.autoDetach': 'false',
  }
  const pairs = Object.entries(settings).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ])
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('PERL'))),
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: `${Object.keys(settings).length}`,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PAGER: 'cat',
    PYTHONDONTWRITEBYTECODE: '1',
    // Modules are found where they were read.
    PYTHONSAFEPATH: '',
    // A place where nothing can be.
    PYTHONPYCACHEPREFIX: '/dev/null/none',
    npm_config_update_notifier: 'false',
    npm_config_logs_max: '0',
  }
}
