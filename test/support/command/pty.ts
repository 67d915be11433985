import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { COMMAND_ENV, COMMAND_LINE } from './command.ts'

/** A way to give a process its own terminal on this machine. */
export type PtyMaker = 'script' | 'python3'

/** The first one that works; null if none does, which is reported, and an error in CI. */
export function findPtyMaker(): PtyMaker | null {
  const found = tryMakers()
  if (found !== null) return found
  const missing = 'NOT RUN: tests that need a terminal; install script(1) or python3'
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.warn(missing)
  return null
}

/** The title of tests that need a terminal; it says if they did not run. */
export function onTerminal(title: string, maker: PtyMaker | null): string {
  return maker === null ? `${title}: NOT RUN, neither script(1) nor python3 is installed` : title
}

function tryMakers(): PtyMaker | null {
  const works = (file: string, args: readonly string[]): boolean =>
    spawnSync(file, args, { stdio: ['ignore', 'pipe', 'ignore'] }).status === 3
  if (works('script', ['-qec', 'exit 3', '/dev/null'])) return 'script'
  return works('python3', ['-c', PYTHON, 'sh', '-c', 'exit 3']) ? 'python3' : null
}

const PYTHON = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

const DRAWING = /\x1b\[[0-9;]*[mK]/g

/** The command on a terminal, with a simulated person. */
export interface OnTerminal {
  /** Waits until the screen has shown this, and returns all output so far. */
  shows(text: string | RegExp): Promise<string>
  type(keys: string): void
  /** The raw output. */
  raw(): string
  /** The exit code, and the output without colours and control sequences. */
  readonly ended: Promise<{ readonly code: number | null; readonly screen: string }>
  readonly child: ChildProcess
}

/** Starts a sh line on a new terminal; `countersign` in it is the command from its sources. */
export function startOnTerminal(
  line: string,
  maker: PtyMaker,
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): OnTerminal {
  const whole = `countersign() { ${COMMAND_LINE} "$@"; }; ${line}`
  const [file, args] =
    maker === 'script'
      ? ['script', ['-qec', `exec sh -c ${quote(whole)}`, '/dev/null']]
      : ['python3', ['-c', PYTHON, 'sh', '-c', whole]]
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...COMMAND_ENV, TERM: 'xterm', NO_COLOR: '', ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let raw = ''
  let screen = ''
  const waiting = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk
    screen = raw.replaceAll(DRAWING, '').replaceAll('\r', '\n').replaceAll('\n\n', '\n')
    for (const look of waiting) look()
  })
  child.stdin.on('error', () => {}) // it may have exited already
  const ended = new Promise<{ code: number | null; screen: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
  return {
    child,
    ended,
    raw: () => raw,
    type(keys) {
      child.stdin.write(keys)
    },
    shows(text) {
      const isThere = (): boolean => (typeof text === 'string' ? screen.includes(text) : text.test(screen))
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!isThere()) return
          waiting.delete(look)
          resolve(screen)
        }
        waiting.add(look)
        look()
        void ended.then(
          () =>
            isThere() ? resolve(screen) : reject(new Error(`it ended before it showed ${String(text)}:\n${screen}`)),
          reject,
        )
      })
    },
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
