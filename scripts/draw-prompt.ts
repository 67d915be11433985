/**
 * Draws `docs/pictures/prompt.svg`: a real gate holds a real call, and the command's own prompt shows it.
 * Run `npx node --conditions=countersign-source scripts/draw-prompt.ts` after a change of the prompt.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, type HeldCallView, openView } from '@countersign/core'
import { openGate } from '@countersign/node'
import { openPrompt } from '../packages/cli/src/prompt/run-prompt.ts'
import type { Terminal } from '../packages/cli/src/terminal/controlling-terminal.ts'
import { terminalPicture } from './pictures/terminal-picture.ts'

const COLUMNS = 84
const TYPED = 'countersign exec -- "git status && rm -rf ../shop"'
const COMMAND = 'git status && rm -rf ../shop'
/** Shown instead of a temporary folder. */
const SHOWN_FOLDER = '/home/you/shop'
const LEFT_MS = 287_000

/** The picture of the prompt for a compound command that hides an `rm`. */
export async function promptPicture(): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-picture-')))
  const project = join(root, 'shop')
  mkdirSync(project)
  const managed = { folder: join(root, 'none'), owner: 0 }
  const { gate, ports } = await openGate({ home: join(root, 'home'), workspace: project, session: 'none', managed })
  const gone = new AbortController()
  try {
    const held = new Promise<HeldCallView>((resolve) => {
      gate.subscribe((event) => {
        if (event.kind === 'held') resolve(event.view)
      })
    })
    const asked = gate.ask({ tool: 'exec', source: 'builtin', args: { command: COMMAND } }, gone.signal)
    const opened = openView(await held, ports.crypto)
    const terminal = createRecorder()
    const clock = createStillClock(opened.body.expiresAt - LEFT_MS)
    openPrompt(opened, {
      terminal,
      clock,
      decide: () => Promise.reject(new Error('nobody decides here')),
      withdraw: () => {},
    })
    clock.pass(1000)
    gone.abort()
    await asked
    const written = `\x1b[32m$\x1b[0m ${TYPED}\n${terminal.written()}`.replaceAll(project, SHOWN_FOLDER)
    return terminalPicture(written, { columns: COLUMNS, title: `The prompt that ${TYPED} shows` })
  } finally {
    await gate.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** A terminal that keeps its output. */
function createRecorder(): Terminal & { written(): string } {
  let text = ''
  return {
    columns: COLUMNS,
    rows: 60,
    plain: false,
    color: true,
    write(more) {
      text += more
    },
    listen: () => () => {},
    close() {},
    written: () => text,
  }
}

/** A fixed clock, so that the picture is always the same. */
function createStillClock(start: number): Clock & { pass(ms: number): void } {
  let now = start
  let waiting: readonly { readonly at: number; readonly wake: () => void }[] = []
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, wake) {
      const timer = { at: now + ms, wake }
      waiting = [...waiting, timer]
      return () => {
        waiting = waiting.filter((one) => one !== timer)
      }
    },
    pass(ms) {
      now += ms
      const due = waiting.filter(({ at }) => at <= now)
      waiting = waiting.filter(({ at }) => at > now)
      for (const { wake } of due) wake()
    },
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/pictures/prompt.svg', import.meta.url), await promptPicture())
}
