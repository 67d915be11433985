import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPtyMaker, type OnTerminal, onTerminal, startOnTerminal } from '@countersign/testing/command/pty'
import { type Ran, runInProcess } from '@countersign/testing/command/run-in-process'
import { type Ended, endOf, spawnBash, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

interface Place {
  readonly cwd: string
  readonly home: string
  path(name: string): string
  /** `exec` in its own process, without a terminal. */
  exec(...argv: readonly string[]): Promise<Ended>
  /** Any other command, run in this process. */
  cli(...argv: readonly string[]): Promise<Ran>
}

/** A project with a file, and its own home. */
function place(): Place {
  const folder = temporaryFolder()
  const cwd = join(folder, 'project')
  const home = join(folder, 'home')
  mkdirSync(cwd)
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(cwd, 'x'), 'precious')
  return {
    cwd,
    home,
    path: (name) => join(cwd, name),
    exec: (...argv) => spawnCli(['exec', '--home', home, ...argv], cwd),
    cli: (...argv) => runInProcess(argv, { cwd, home }),
  }
}

/** The outcomes in the history, newest first. */
async function outcomes({ cli }: Place): Promise<readonly unknown[]> {
  const { stdout } = await cli('history', '--json')
  return (JSON.parse(stdout) as readonly { readonly outcome: unknown }[]).map(({ outcome }) => outcome)
}

/** Starts exec without a terminal and waits until it prints the short id of the held call. */
async function startHeld(at: Place, ...argv: readonly string[]) {
  const child = startCli(['exec', '--home', at.home, ...argv], at.cwd)
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = endOf(child)
  const id = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stderr?.on('data', (chunk: string) => {
      text += chunk
      const found = /held as (\w+):/.exec(text)?.[1]
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ stderr }) => reject(new Error(`it was never held: ${stderr}`)))
  })
  return { id, ended, child }
}

describe('exec without a terminal', () => {
  it('runs a safe command and passes its output and exit code through (1)', async () => {
    const at = place()
    expect(await at.exec('--', 'cat', 'x')).toEqual({ stdout: 'precious', stderr: '', code: 0 })
    expect((await at.exec('--', 'cat x; exit 7')).code).toBe(7)
    expect((await at.cli('exec', '--', 'nosuchprogram', 'x')).code).toBe(127)
  })

  it('passes piped input to the command', async () => {
    const at = place()
    const { stdout, code } = await spawnBash(
      `echo from the pipe | countersign exec --home '${at.home}' -- cat`,
      at.cwd,
      at.home,
    )
    expect({ stdout, code }).toEqual({ stdout: 'from the pipe\n', code: 0 })
  })

  it('refuses at once with --no-input if approval is needed, and leaves nothing held (34)', async () => {
    const at = place()
    const { code, stderr } = await at.cli('exec', '--no-input', '--', 'rm -f x')
    expect(code).toBe(124)
    expect(stderr).toMatch(/^countersign: not run, withdrawn: approval is needed .* \[CS_NO_INTERFACE\]\n$/)
    expect(existsSync(at.path('x'))).toBe(true)
    expect((await at.cli('held', '--json')).stdout).toBe('[]\n')
    expect(await outcomes(at)).toEqual(['withdrawn'])
  })

  it('denies by policy, with its own exit code (2)', async () => {
    const at = place()
    writeFileSync(
      join(at.home, 'policy.yaml'),
      'version: 1\npreset: balanced\nrules:\n  - id: no-rm\n    command: { program: rm }\n    supervision: deny\n',
      { mode: 0o600 },
    )
    const { code, stderr } = await at.cli('exec', '--json', '--', 'rm -f x')
    expect(code).toBe(121)
    expect(JSON.parse(stderr)).toMatchObject({
      ran: false,
      outcome: 'denied',
      code: 'CS_DENIED',
      exitCode: 121,
      rule: { id: 'no-rm' },
    })
    expect(existsSync(at.path('x'))).toBe(true)
  })

  it('expires if nobody decides, and reports it (27)', async () => {
    const at = place()
    const { code, stderr } = await at.exec('--timeout', '1s', '--', 'rm -f x')
    expect(code).toBe(122)
    expect(stderr).toMatch(/held as \w+: approve with `countersign approve [^`]+`.*\n.*expired.*\[CS_EXPIRED\]/)
    expect(existsSync(at.path('x'))).toBe(true)
  })

  it('runs exactly once after a person approves from another process (25)', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'rm x && echo removed')
    const shown = await at.cli('held', id, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      tool: 'exec',
      risk: 'medium',
      request: { call: { args: { command: 'rm x && echo removed' } } },
    })
    const approved = await spawnCli(['approve', id, '--home', at.home], at.cwd)
    expect(approved.code).toBe(0)
    expect(approved.stdout).toMatch(/approved by/)
    expect(approved.stderr).toContain('│ rm x && echo removed')
    expect(await ended).toMatchObject({ stdout: 'removed\n', code: 0 })
    const late = await at.cli('approve', id)
    expect(late).toMatchObject({ code: 125, stdout: '' })
    expect(late.stderr).toMatch(/already approved by \S+, then completed \([\d: -]+ UTC, cli\) \[CS_DECISION_LATE\]/)
  })

  it('does not run a rejected command, and passes the reason on (26)', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'rm x')
    expect((await at.cli('reject', id, '--reason', 'not today')).code).toBe(0)
    const { code, stderr } = await ended
    expect(code).toBe(120)
    expect(stderr).toMatch(/rejected: .*“not today”.*Risk: medium: .*\[CS_REJECTED\]/)
    expect(existsSync(at.path('x'))).toBe(true)
  })

  it.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    'withdraws on %s, and a late approval has no effect (32)',
    async (signal) => {
      const at = place()
      const { id, ended, child } = await startHeld(at, '--', 'rm x')
      child.kill(signal)
      expect((await ended).code).toBe(123)
      expect((await at.cli('approve', id)).stderr).toMatch(/already withdrawn/)
      expect(existsSync(at.path('x'))).toBe(true)
    },
  )

  it('requires the code for high risk without a terminal (A5)', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'git reset --hard; echo done')
    const refused = await at.cli('approve', id, '--yes')
    expect(refused.code).toBe(125)
    expect(refused.stderr).toMatch(/without a terminal, high and critical risk need `--code`/)
    const { code } = JSON.parse((await at.cli('held', id, '--json')).stdout) as { code: string }
    expect((await at.cli('approve', id, '--code', code)).code).toBe(0)
    expect((await ended).stdout).toBe('done\n')
  })

  it('does not let the command it runs decide (L8)', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'rm x')
    const denied = await at.cli('exec', '--', `countersign approve ${id}`)
    expect(denied.code).toBe(121)
    const hidden = await spawnBash(
      `COUNTERSIGN_INSIDE=abc countersign approve ${id} --home '${at.home}'`,
      at.cwd,
      at.home,
    )
    expect(hidden.code).toBe(125)
    expect(hidden.stderr).toMatch(/which cannot approve itself/)
    expect((await at.cli('reject', id)).code).toBe(0)
    expect((await ended).code).toBe(120)
  })

  it('refuses if the file changed before the decision (39)', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'rm x')
    writeFileSync(at.path('x'), 'something else')
    expect(await at.cli('approve', id)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('the call did not run: stale'),
    })
    expect(await ended).toMatchObject({ code: 123, stderr: expect.stringContaining('[CS_STALE]') })
    expect(readFileSync(at.path('x'), 'utf8')).toBe('something else')
  })
})

const maker = findPtyMaker()

describe.skipIf(maker === null)(onTerminal('exec on a terminal', maker), () => {
  const made = maker ?? 'script'

  function start(at: Place, line: string, env: NodeJS.ProcessEnv = {}): OnTerminal {
    const terminal = startOnTerminal(`countersign --home '${at.home}' ${line}`, made, { cwd: at.cwd, env })
    onTestFinished(() => void terminal.child.kill('SIGKILL'))
    return terminal
  }

  const READY = '[Approve]'

  it('ignores a y typed ahead; a later one approves (A5)', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "rm x; echo gone"')
    terminal.type('y\ny')
    await terminal.shows(READY)
    expect(existsSync(at.path('x'))).toBe(true)
    terminal.type('y')
    const { code, screen } = await terminal.ended
    expect(screen).toMatch(/approved by[^\n]*\n[\s\S]*gone/)
    expect(code).toBe(0)
    expect(existsSync(at.path('x'))).toBe(false)
  })

  it('decides nothing on Esc, and rejects on n (41)', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "rm x"')
    await terminal.shows(READY)
    terminal.type('\x1b')
    await terminal.shows('Esc decides nothing; press n to reject')
    terminal.type('n')
    expect((await terminal.ended).code).toBe(120)
    expect(existsSync(at.path('x'))).toBe(true)
  })

  it('asks twice at high risk, with the focus on Reject (41)', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "git reset --hard; exit 5"')
    await terminal.shows('[Reject]')
    terminal.type('y')
    await terminal.shows('press y again to approve')
    terminal.type('y')
    expect((await terminal.ended).code).toBe(5)
    const enter = start(at, 'exec -- "git reset --hard; exit 5"')
    await enter.shows('[Reject]')
    enter.type('\r')
    expect((await enter.ended).code).toBe(120)
  })

  it('asks for details, code and reason under manual supervision (46)', async () => {
    const at = place()
    writeFileSync(
      join(at.home, 'policy.yaml'),
      'version: 1\npreset: balanced\nrules:\n  - id: careful\n    command: { program: rm }\n    supervision: manual\n',
      { mode: 0o600 },
    )
    const terminal = start(at, 'exec -- "rm x"')
    await terminal.shows('[Reject]')
    terminal.type('y')
    await terminal.shows('read the details first')
    terminal.type('d')
    const code = /code {8}([a-z0-9]{4})/.exec(await terminal.shows(/code {8}[a-z0-9]{4}/))?.[1] ?? ''
    terminal.type('y')
    await terminal.shows(`type ${code} to approve:`)
    terminal.type(`${code}\r`)
    await terminal.shows('reason:')
    terminal.type('agreed\r')
    expect((await terminal.ended).code).toBe(0)
    expect(existsSync(at.path('x'))).toBe(false)
  })

  it('withdraws on Ctrl-C (32)', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "rm x"')
    await terminal.shows(READY)
    terminal.type('\x03')
    const { code, screen } = await terminal.ended
    expect(code).toBe(123)
    expect(screen).toMatch(/withdrawn/)
    expect(await outcomes(at)).toEqual(['withdrawn'])
  })

  it('closes the prompt with one line when the call expires (27)', async () => {
    const at = place()
    const terminal = start(at, 'exec --timeout 2s -- "rm x"')
    const { code, screen } = await terminal.ended
    expect(code).toBe(122)
    expect(screen).toMatch(/◌ \d\d:\d\d:\d\d expired: nobody decided/)
  })

  it('closes the prompt when another terminal decides, with its name and place', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "rm x"')
    await terminal.shows(READY)
    const [held] = JSON.parse((await at.cli('held', '--json')).stdout) as readonly { readonly mark: string }[]
    expect((await at.cli('approve', held?.mark ?? '')).code).toBe(0)
    const { code, screen } = await terminal.ended
    expect(screen).toMatch(/✔ \d\d:\d\d:\d\d approved by \S+ \(cli\)/)
    expect(code).toBe(0)
  })

  it('asks on the terminal while input is piped to the command', async () => {
    const at = place()
    const terminal = startOnTerminal(
      `echo from the pipe | countersign exec --home '${at.home}' -- 'tee copy; rm x'`,
      made,
      { cwd: at.cwd },
    )
    onTestFinished(() => void terminal.child.kill('SIGKILL'))
    await terminal.shows(READY)
    terminal.type('y')
    expect((await terminal.ended).code).toBe(0)
    expect(readFileSync(at.path('copy'), 'utf8')).toBe('from the pipe\n')
  })

  it('prints no escape sequences with NO_COLOR', async () => {
    const at = place()
    const terminal = start(at, 'exec -- "rm x"', { NO_COLOR: '1' })
    await terminal.shows(READY)
    terminal.type('n')
    const { code } = await terminal.ended
    expect(terminal.raw()).not.toContain('\x1b')
    expect(code).toBe(120)
  })

  it('approves a high-risk call from another terminal by a second confirmation', async () => {
    const at = place()
    const { id, ended } = await startHeld(at, '--', 'git reset --hard; echo done')
    const terminal = start(at, `approve ${id}`)
    await terminal.shows('press y again to approve')
    terminal.type('y')
    const { screen, code } = await terminal.ended
    expect(screen).toMatch(/│ git reset --hard; echo done/)
    expect(code).toBe(0)
    expect((await ended).stdout).toBe('done\n')
  })
})
