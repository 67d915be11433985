import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Home, openHome, runCommand } from '@countersign/node'
import { COMMAND_ENV, COMMAND_LINE } from '@countersign/testing/command/command'
import { endOf, spawnCli, startCli } from '@countersign/testing/command/spawn-cli'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

/** Patient enough for a slow machine; nothing depends on how long it takes. */
const PATIENCE = { timeout: 50_000, interval: 50 }
const hasTmux = spawnSync('tmux', ['-V']).status === 0
const canUnshare = spawnSync('unshare', ['-Urpf', '--mount-proc', 'true']).status === 0

describe.runIf(process.platform === 'linux')('a gated command that tries to approve', () => {
  let cwd = ''
  let home: Home
  let held = ''
  let stop: () => void = () => {}

  beforeAll(async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-inside-')))
    cwd = join(folder, 'project')
    mkdirSync(cwd)
    mkdirSync(join(folder, 'home'), { mode: 0o700 })
    writeFileSync(join(cwd, 'x'), 'precious')
    home = openHome(join(folder, 'home'))
    const child = startCli(['exec', '--home', home.dir, '--', 'rm x'], cwd)
    stop = () => {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    }
    void endOf(child)
    held = await new Promise((resolve) => {
      let text = ''
      child.stderr?.on('data', (chunk: string) => {
        text += chunk
        const id = /held as (\w+):/.exec(text)?.[1]
        if (id !== undefined) resolve(id)
      })
    })
  })
  afterAll(() => stop())

  /** Runs a line as a gated command with the attempt in `try.sh`, whose output and end it leaves in files. */
  async function attempt(
    line: string,
    words = `approve ${held} --yes`,
  ): Promise<{ readonly said: () => string; readonly folder: string }> {
    const folder = temporaryFolder()
    const script = `cd '${folder}'; ${COMMAND_LINE} ${words} --home '${home.dir}' > said 2>&1; echo $? > code`
    writeFileSync(join(folder, 'try.sh'), script)
    const gated = { home, call: 'attack' }
    const running = runCommand({ command: line }, { cwd: folder, stdio: 'pipe', env: COMMAND_ENV, gated })
    await running
    return { folder, said: () => readFileSync(join(folder, 'said'), 'utf8') }
  }

  const CLEAN = 'env -i PATH="$PATH"'
  /** Waits in the gated command for the attempt's end. */
  const WAIT = 'until [ -e code ]; do sleep 0.05; done'
  const DAEMON = `perl -e 'use POSIX; exit if fork; POSIX::setsid(); exit if fork; %ENV = (PATH => $ENV{PATH}); exec "sh", "try.sh"'`

  it.each([
    ['directly', 'sh try.sh'],
    ['without the variable', 'env -u COUNTERSIGN_INSIDE -u COUNTERSIGN_COMMAND sh try.sh'],
    ['with an empty environment', `${CLEAN} sh try.sh`],
    ['in place of the command itself', `exec ${CLEAN} sh try.sh`],
    ['in a session of its own', `${CLEAN} setsid -w sh try.sh`],
    ['in a session of its own that was adopted', `${CLEAN} setsid -f sh try.sh; ${WAIT}`],
    ['in the background of a finished subshell', `( ${CLEAN} sh try.sh & ); ${WAIT}`],
    ['as a daemon that forked twice', `${DAEMON}; ${WAIT}`],
    ['on a terminal of its own', `${CLEAN} script -qec 'sh try.sh' /dev/null`],
  ])('is refused: %s', async (_, line) => {
    expect((await attempt(line)).said()).toMatch(/cannot approve itself.*\[CS_DENIED\]/)
  })

  it.each([
    ['a setting', () => "policy set '*' automatic --reason x"],
    ['an undo', () => 'policy undo --reason x'],
    ['“always” with an approval', () => `approve ${held} --always --yes --reason x`],
    ['the end of a pause', () => 'resume --reason x'],
  ])('cannot change the policy by %s, even on a terminal of its own', async (_, words) => {
    const { said } = await attempt(`${CLEAN} script -qec 'yes yes | sh try.sh' /dev/null`, words())
    expect(said()).toMatch(/\[CS_DENIED\]/)
    expect(existsSync(join(home.policyFolder, '50-approvers.yaml'))).toBe(false)
  })

  it.runIf(hasTmux)('is refused in a tmux server that it started', async () => {
    const line = `${CLEAN} tmux -L inside -S "$PWD/tmux.sock" -f /dev/null new-session -d "sh $PWD/try.sh"; ${WAIT}`
    expect((await attempt(line)).said()).toContain('cannot approve itself')
  })

  it.runIf(canUnshare)('is refused in a PID namespace of its own', async () => {
    const line = `${CLEAN} unshare -Urpf --mount-proc sh try.sh`
    expect((await attempt(line)).said()).toContain('[CS_DENIED]')
  })

  it.each([
    ['with nohup', `nohup ${CLEAN} sh later.sh > /dev/null 2>&1 &`],
    [
      'in a session of its own',
      `${CLEAN} setsid -f sh later.sh > /dev/null 2>&1; until [ -e began ]; do sleep 0.05; done`,
    ],
  ])('is refused after the command has ended: %s', async (_, line) => {
    const script = 'touch began; until [ -e go ]; do sleep 0.05; done; sh try.sh'
    const { folder, said } = await attempt(`echo '${script}' > later.sh; ${line}`)
    writeFileSync(join(folder, 'go'), '')
    await vi.waitFor(() => expect(existsSync(join(folder, 'code'))).toBe(true), PATIENCE)
    expect(said()).toContain('cannot approve itself')
  })

  it('is refused after the command and its own parent have ended', async () => {
    const script = 'touch began; until [ -e go ]; do sleep 0.05; done; sh try.sh'
    const parent = 'echo $$ > parent; setsid sh later.sh & until [ -e over ]; do sleep 0.05; done'
    const line = `echo '${parent}' > parent.sh; ${CLEAN} setsid -f sh parent.sh > /dev/null 2>&1; until [ -e began ]; do sleep 0.05; done`
    const { folder, said } = await attempt(`echo '${script}' > later.sh; ${line}`)
    writeFileSync(join(folder, 'over'), '')
    const pid = Number(readFileSync(join(folder, 'parent'), 'utf8'))
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), PATIENCE)
    writeFileSync(join(folder, 'go'), '')
    await vi.waitFor(() => expect(existsSync(join(folder, 'code'))).toBe(true), PATIENCE)
    expect(said()).toContain('cannot approve itself')
  })

  it('is refused after the command has ended, though it replaces itself again and again', async () => {
    const relay = `perl -e 'use POSIX; exit if fork; POSIX::setsid(); open(F, ">began"); until (-e "go") { select(undef, undef, undef, 0.02); exit if fork; POSIX::setsid(); } %ENV = (PATH => $ENV{PATH}); exec "sh", "try.sh"'`
    const { folder, said } = await attempt(
      `${CLEAN} ${relay} > /dev/null 2>&1; until [ -e began ]; do sleep 0.05; done`,
    )
    writeFileSync(join(folder, 'go'), '')
    await vi.waitFor(() => expect(existsSync(join(folder, 'code'))).toBe(true), PATIENCE)
    expect(said()).toContain('cannot approve itself')
  })

  it.each(['approvers add', 'grants revoke --all', 'inbox --no-open', 'trust', 'watch'])(
    'cannot run `%s` either',
    async (words) => {
      const { said } = await attempt(`${CLEAN} ${COMMAND_LINE} ${words} --home '${home.dir}' > said 2>&1`)
      expect(said()).toContain('cannot approve itself')
    },
  )

  it('leaves the call held, and its record is gone when nothing of it runs', async () => {
    await attempt('true')
    const { stdout } = await spawnCli(['held', '--json', '--home', home.dir], cwd)
    expect(JSON.parse(stdout)).toHaveLength(1)
    await spawnCli(['approve', 'none', '--home', home.dir], cwd)
    expect(readdirSync(join(home.run, 'commands'))).toEqual([])
  })

  it('does not keep a person from deciding meanwhile', async () => {
    const folder = temporaryFolder()
    const aborting = new AbortController()
    onTestFinished(() => aborting.abort())
    const gated = { home, call: 'slow' }
    const line = 'touch began; sleep 600'
    const running = runCommand({ command: line }, { cwd: folder, stdio: 'pipe', gated, signal: aborting.signal })
    await vi.waitFor(() => expect(existsSync(join(folder, 'began'))).toBe(true), PATIENCE)
    const decided = await spawnCli(['reject', held, '--home', home.dir], cwd)
    aborting.abort()
    await running
    expect(decided).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'x'), 'utf8')).toBe('precious')
  })
})
