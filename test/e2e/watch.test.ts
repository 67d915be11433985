import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPtyMaker, onTerminal, type PtyMaker, startOnTerminal } from '@countersign/testing/command/pty'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { endOf, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const PATIENCE = { timeout: 30_000, interval: 50 }
const ENTER = '\r'
const ESC = '\x1b'
const ENTRY = fileURLToPath(new URL('../../packages/cli/src/entry.ts', import.meta.url))
/** Starts node in its own session, without a controlling terminal. */
const APART =
  "const { spawn } = require('node:child_process'); spawn(process.execPath, process.argv.slice(1), { detached: true, stdio: 'inherit' }).on('exit', (code) => { process.exitCode = code })"

/** A project, a home, and agents that ask from their own processes. */
function place() {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  return {
    cwd,
    home,
    path: (name: string) => join(cwd, name),
    /** Asks, and waits until the call is held. */
    async ask(command: string, ...flags: readonly string[]) {
      const child = startCli(['exec', '--home', home, ...flags, '--', command], cwd)
      onTestFinished(() => void child.kill('SIGKILL'))
      let said = ''
      child.stderr?.on('data', (chunk: string) => {
        said += chunk
      })
      const ended = endOf(child)
      await expect.poll(() => said, PATIENCE).toContain('held as')
      return { ended }
    },
    async held(): Promise<number> {
      const { stdout } = await runInProcess(['held', '--json'], { cwd, home })
      return (JSON.parse(stdout) as readonly unknown[]).length
    },
  }
}

type Place = ReturnType<typeof place>

/** `countersign watch` on its own terminal, with a simulated person. */
function watch(at: Place, maker: PtyMaker, env: NodeJS.ProcessEnv = {}, before = '') {
  const line = `stty cols 80 rows 24; ${before} countersign --home '${at.home}' watch`
  const terminal = startOnTerminal(line, maker, { cwd: at.cwd, env })
  onTestFinished(() => void terminal.child.kill('SIGKILL'))
  let seen = 0
  const news = (): string =>
    terminal
      .raw()
      .slice(seen)
      .replaceAll(/\x1b\[[0-9;]*m/g, '')
  return {
    ended: terminal.ended,
    raw: terminal.raw,
    /** Types, and considers only what is drawn afterwards. */
    type(keys: string): void {
      seen = terminal.raw().length
      terminal.type(keys)
    },
    async shows(text: string | RegExp): Promise<void> {
      const isThere = (): boolean => (typeof text === 'string' ? news().includes(text) : text.test(news()))
      await expect.poll(() => (isThere() ? 'shown' : news().slice(-2_500)), PATIENCE).toBe('shown')
    },
    /** Waits until the last frame is a card that accepts keys. */
    async takesKeys(): Promise<void> {
      const last = (text: string): number => news().lastIndexOf(text)
      const isArmed = (): boolean => Math.max(last('[Approve]'), last('[Reject]')) > last('one moment')
      await expect.poll(() => (isArmed() ? 'armed' : news().slice(-2_500)), PATIENCE).toBe('armed')
    },
    forget(): void {
      seen = terminal.raw().length
    },
  }
}

describe('watch without a terminal', () => {
  it('prints one line and exits (34)', async () => {
    const at = place()
    const ended = await spawnCli(['watch', '--home', at.home], at.cwd)
    expect(ended.code).toBe(124)
    expect(ended.stderr).toMatch(/^countersign: watch needs a terminal; [^\n]* \[CS_NO_INTERFACE\]\n$/)
    expect(ended.stdout).toBe('')
  })
})

const maker = findPtyMaker()

describe.runIf(maker !== null)(onTerminal('watch on a terminal', maker), { timeout: 90_000 }, () => {
  const made = maker ?? 'script'

  it('decides calls of other processes, only by deliberate keys (A5, 29, 41, 42, 48)', async () => {
    const at = place()
    const first = await at.ask('rm -f \x1b[8mhidden \u202etxt.exe p\u0430ypal \u{e0041}; echo ran > first')
    const go = at.path('go')
    const resize = `(while [ ! -e '${go}' ]; do sleep 0.1; done; stty cols 40 rows 12 < /dev/tty) &`
    const screen = watch(at, made, {}, resize)
    screen.type('y\ny')
    await screen.takesKeys()
    for (const mark of ['⟦ESC⟧', '⟦U+202E⟧', '⟦U+0430⟧', '⟦U+E0041⟧']) expect(screen.raw()).toContain(mark)
    expect(screen.raw()).not.toContain('\x1b[8m')
    expect(await at.held()).toBe(1)

    screen.type(`\x1b[200~${'y\r'.repeat(5_000)}\x1b[201~`)
    await screen.shows('pasted text is ignored here')
    await screen.takesKeys()
    expect(await at.held()).toBe(1)

    screen.forget()
    writeFileSync(at.path('second'), '')
    const second = await at.ask('rm second')
    await screen.shows('2 held')
    await screen.takesKeys()
    screen.type('j')
    await screen.shows('│ rm second')
    await screen.takesKeys()
    screen.type('y')
    await screen.shows('approved by')
    expect((await second.ended).code).toBe(0)
    expect(existsSync(at.path('second'))).toBe(false)
    expect(existsSync(at.path('first'))).toBe(false)

    writeFileSync(go, '')
    await screen.shows(/┏━{38}┓/)
    await screen.takesKeys()
    screen.type(ESC)
    await screen.shows('Esc decides nothing')
    screen.type('n')
    await screen.shows('rejected by')
    expect((await first.ended).code).toBe(120)
    screen.type('q')
    const { code, screen: left } = await screen.ended
    expect(code).toBe(0)
    expect(left).toMatch(/approved by .*[\s\S]*rejected by /)
    expect(existsSync(at.path('first'))).toBe(false)
  })

  it.each(['watch', 'chat --script script.yaml'])(
    '%s reports that it has no controlling terminal (34)',
    async (line) => {
      const at = place()
      writeFileSync(at.path('script.yaml'), 'version: 1\nturns:\n  - text: hello\n')
      const start = `'${process.execPath}' -e "${APART}" -- --conditions=countersign-source --no-warnings`
      const terminal = startOnTerminal(`${start} '${ENTRY}' --home '${at.home}' ${line}`, made, { cwd: at.cwd })
      onTestFinished(() => void terminal.child.kill('SIGKILL'))
      const { code, screen } = await terminal.ended
      expect(screen).toMatch(/^countersign: (?:watch|chat) needs a terminal[^\n]*\[CS_NO_INTERFACE\]\n$/)
      expect(code).toBe(124)
    },
  )

  it('passes Ctrl-C to an editor, runs edited arguments, and lets an open card expire (27, 47)', async () => {
    const at = place()
    const editor = join(at.home, 'editor')
    writeFileSync(editor, '#!/bin/sh\necho the editor is ready\nread word\nsed -i "s/asked/$word/" "$1"\n')
    chmodSync(editor, 0o755)
    const asked = await at.ask('rm -f z; echo ran > asked')
    // The surrounding sh gets the Ctrl-C too.
    const screen = watch(at, made, { EDITOR: editor }, 'trap : INT;')
    await screen.takesKeys()
    screen.type('e')
    await screen.shows('the editor is ready')
    screen.type('\x03')
    await screen.shows('nothing changed')
    expect(readdirSync(join(at.home, 'run')).filter((name) => name.startsWith('edit-'))).toEqual([])
    await screen.takesKeys()
    screen.type('e')
    await screen.shows('the editor is ready')
    screen.type(`edited${ENTER}`)
    await screen.shows('edited: a new call')
    await screen.shows(/[+] {3}"command": "rm -f z; echo ran > edited"/)
    await screen.takesKeys()
    screen.type('y')
    await screen.shows('approved edited by')
    expect((await asked.ended).code).toBe(0)
    expect(readFileSync(at.path('edited'), 'utf8')).toBe('ran\n')
    expect(existsSync(at.path('asked'))).toBe(false)

    screen.forget()
    const late = await at.ask('rm -f late', '--timeout', '15s')
    await screen.shows('rm -f late')
    expect((await late.ended).code).toBe(122)
    await screen.shows(/◌ .*expired/)
    screen.type('\x03')
    expect((await screen.ended).code).toBe(0)
  })
})
