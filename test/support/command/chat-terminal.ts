import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createTerminalScreen } from '../../../scripts/pictures/terminal-screen.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type PtyMaker, startOnTerminal } from './pty.ts'

const CTRL_C = '\x03'
/** The status line when idle, and after a first Ctrl-C. */
const IDLE = /type a message/
const ASKS = /press Ctrl-C again to quit/
const PATIENCE = { timeout: 30_000, interval: 40 }

/** A project and its own home. */
export interface ChatPlace {
  readonly cwd: string
  readonly home: string
  path(name: string): string
  write(name: string, text: string): void
  read(name: string): string
}

/** Creates a project with a policy and files. */
export function chatPlace(policy: string, files: Readonly<Record<string, string>> = {}): ChatPlace {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), policy, { mode: 0o600 })
  const path = (name: string): string => join(cwd, name)
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text)
  return {
    cwd,
    home,
    path,
    write: (name, text) => writeFileSync(path(name), text),
    read: (name) => readFileSync(path(name), 'utf8'),
  }
}

/** A chat on its own terminal, with a simulated person. */
export interface ChatTerminal {
  type(keys: string): void
  /** Waits until this is on the screen. */
  shows(text: string | RegExp): Promise<void>
  /** Waits until this was printed, even if it scrolled off the screen. */
  printed(text: string | RegExp): Promise<void>
  screen(): string
  all(): string
  /** Resizes the terminal, like dragging a window. */
  resize(columns: number, rows: number): void
  /** Waits for its exit and returns the code. */
  ends(): Promise<number | null>
  /** Exits an idle chat by pressing Ctrl-C twice; returns the code. */
  leaves(): Promise<number | null>
}

/** Starts `countersign …` there; `env` is added to the environment. */
export function startChat(at: ChatPlace, maker: PtyMaker, argv: string, env: NodeJS.ProcessEnv = {}): ChatTerminal {
  const [columns, rows] = [80, 24]
  const size = join(at.home, 'size')
  // `stty` inside the session sends the same signal as resizing a window.
  const sizing = `(while [ ! -e '${size}.end' ]; do if [ -e '${size}' ] && mv '${size}' '${size}.now'; then . '${size}.now'; fi; sleep 0.1; done) &`
  // The surrounding shell gets the Ctrl-C of an editor too.
  const line = `trap : INT; stty cols ${columns} rows ${rows}; ${sizing} countersign --home '${at.home}' ${argv}; code=$?; touch '${size}.end'; exit $code`
  const terminal = startOnTerminal(line, maker, { cwd: at.cwd, env })
  onTestFinished(() => {
    writeFileSync(`${size}.end`, '')
    terminal.child.kill('SIGKILL')
  })
  const screen = createTerminalScreen({ columns, rows })
  let seen = 0
  const look = (): void => {
    const raw = terminal.raw()
    screen.write(raw.slice(seen))
    seen = raw.length
  }
  const now = (): string => {
    look()
    return screen.lines().join('\n')
  }
  const all = (): string => {
    look()
    return screen.all()
  }
  const until = async (text: string | RegExp, read: () => string): Promise<void> => {
    const isThere = (shown: string): boolean => (typeof text === 'string' ? shown.includes(text) : text.test(shown))
    await expect
      .poll(() => {
        const shown = read()
        return isThere(shown) ? 'shown' : `not ${String(text)} in:\n${shown.slice(-3_000)}`
      }, PATIENCE)
      .toBe('shown')
  }
  async function ends(): Promise<number | null> {
    let code: number | null | undefined
    void terminal.ended.then((ended) => {
      code = ended.code
    })
    await expect.poll(() => (code === undefined ? now() : 'ended'), PATIENCE).toBe('ended')
    return code ?? null
  }

  return {
    type: terminal.type,
    shows: (text) => until(text, now),
    printed: (text) => until(text, all),
    screen: now,
    all,
    resize(newColumns, newRows) {
      look()
      screen.resize(newColumns, newRows)
      writeFileSync(`${size}.part`, `stty cols ${newColumns} rows ${newRows} < /dev/tty\n`)
      renameSync(`${size}.part`, size) // atomic, so a second size is not lost with the first
    },
    ends,
    async leaves() {
      // A second press that came too late only asks again. Never sent to a chat that has exited, where it would be a signal.
      for (let tries = 0; tries < 5; tries += 1) {
        await until(IDLE, now)
        terminal.type(CTRL_C)
        await until(ASKS, now)
        terminal.type(CTRL_C)
        await expect.poll(() => ASKS.test(now()), PATIENCE).toBe(false)
        if (!IDLE.test(now())) break
      }
      return ends()
    },
  }
}
