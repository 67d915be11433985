import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { isGroupAlive } from './group.ts'
import { type Command, type RunOptions, runCommand } from './run-command.ts'

let cwd: string

beforeEach(() => {
  cwd = temporaryFolder()
})

async function run(command: Command, options: Partial<RunOptions> = {}) {
  let output = ''
  const ended = await runCommand(command, { cwd, stdio: 'pipe', onOutput: (_, chunk) => (output += chunk), ...options })
  return { ...ended, output }
}

describe('running a command', () => {
  it.each([
    ['true', 0],
    ['exit 7', 7],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
    ['no-such-program-here', 127],
    ['/dev/null', 126],
  ])('returns the exit code of `%s`: %d', async (command, exitCode) => {
    expect(await run({ command })).toMatchObject({ how: 'exited', exitCode })
  })

  it('runs bash, in the folder that was shown, and passes on its output', async () => {
    expect(await run({ command: 'shopt -q extglob; echo "$BASH_VERSION:$PWD"; echo no >&2' })).toMatchObject({
      shell: expect.stringMatching(/bash$/),
      output: expect.stringMatching(new RegExp(`^\\d.*:${cwd}\nno\n$`)),
    })
  })

  it.each(['[[ a > b ]]', 'cat {a,b}', "cat $'a'", 'cat <(true)', 'echo a &> b', 'x=a; cat $x'])(
    'does not run `%s` unasked in a shell that reads it otherwise than bash (L11)',
    async (command) => {
      const options = { shells: ['/bin/sh'] }
      expect(await run({ command }, { ...options, isProven: true })).toMatchObject({
        how: 'not-started',
        exitCode: 126,
      })
      expect(existsSync(join(cwd, 'b'))).toBe(false)
      expect(await run({ command: "cd . && echo 'a b'" }, { ...options, isProven: true })).toMatchObject({
        output: 'a b\n',
      })
      expect(await run({ command: 'x=a; echo $x' }, options)).toMatchObject({ shell: '/bin/sh', output: 'a\n' })
    },
  )

  it('runs exact words without a shell, by the given path', async () => {
    const words = ['ec$(ho)', '; rm -rf /', '$HOME', '*'] as const
    const script = join(cwd, 'print')
    writeFileSync(script, '#!/bin/sh\nprintf "[%s]" "$@"\n')
    chmodSync(script, 0o755)
    expect(await run({ argv: words, programPath: script })).toMatchObject({
      exitCode: 0,
      shell: null,
      output: '[; rm -rf /][$HOME][*]',
    })
  })

  it('does not look up a bare name', async () => {
    await expect(run({ argv: ['sh'], programPath: 'sh' })).rejects.toThrow(
      expect.objectContaining({ code: 'CS_INTERNAL' }),
    )
  })

  it('reports why it could not start, with a shell’s exit code', async () => {
    writeFileSync(join(cwd, 'plain'), 'text', { mode: 0o644 })
    expect(await run({ argv: ['x'], programPath: join(cwd, 'gone') })).toMatchObject({
      how: 'not-started',
      exitCode: 127,
    })
    expect(await run({ argv: ['x'], programPath: join(cwd, 'plain') })).toMatchObject({
      how: 'not-started',
      exitCode: 126,
    })
    expect(await run({ command: 'true' }, { cwd: join(cwd, 'gone') })).toMatchObject({
      how: 'not-started',
      exitCode: 126,
    })
  })

  it('runs a command that starts with a dash', async () => {
    expect(await run({ command: '-x; echo ran' })).toMatchObject({ output: expect.stringContaining('ran\n') })
  })

  it('ignores environment variables that would change what runs', async () => {
    writeFileSync(join(cwd, 'trap'), 'echo trapped\n')
    const env = {
      ...process.env,
      BASH_ENV: join(cwd, 'trap'),
      ENV: join(cwd, 'trap'),
      SHELLOPTS: 'xtrace',
      PS4: '$(echo trapped >&2)',
      'BASH_FUNC_ls%%': '() { echo trapped; }',
      CDPATH: '/',
      KEPT: 'kept',
    }
    expect((await run({ command: 'ls; cd etc 2>/dev/null; echo $KEPT' }, { env })).output).toBe('trap\nkept\n')
  })

  it('has no controlling terminal to type into (A5)', async () => {
    expect((await run({ command: 'exec 3<>/dev/tty && echo typed' })).output).not.toContain('typed')
    const fields = (await run({ command: 'ps -o pid=,sid=,tty= -p $$' })).output.trim().split(/\s+/)
    expect(fields[0]).toBe(fields[1])
    expect(fields[2]).toBe('?')
  })

  it('does not wait for background processes that keep the output open', async () => {
    const ended = await run({ command: 'sleep 600 & echo $!' })
    expect(ended).toMatchObject({ how: 'exited', exitCode: 0, output: expect.stringMatching(/^\d+\n$/) })
    process.kill(Number(ended.output.trim()), 'SIGKILL')
  })
})

describe('stopping a command', () => {
  const stubborn = 'trap "" TERM; (trap "" TERM; sleep 600) & sleep 600 & echo $$ > leader; wait'
  const gentle = 'sleep 600 & echo $$ > leader; wait'

  it.each([
    ['that ends on SIGTERM', gentle, 10_000],
    ['that ignores SIGTERM', stubborn, 100],
  ])('kills the whole process tree %s', async (_, command, graceMs) => {
    const stop = new AbortController()
    const running = run({ command }, { signal: stop.signal, graceMs })
    await expect
      .poll(() => existsSync(join(cwd, 'leader')) && readFileSync(join(cwd, 'leader'), 'utf8'))
      .toMatch(/^\d+\n$/)
    const leader = Number(readFileSync(join(cwd, 'leader'), 'utf8'))
    stop.abort()
    expect(await running).toMatchObject({ how: 'aborted', exitCode: graceMs === 100 ? 137 : 143 })
    await expect.poll(() => isGroupAlive(leader)).toBe(false)
  })

  it('happens automatically after the timeout', async () => {
    expect(await run({ command: 'sleep 600' }, { timeoutMs: 20 })).toMatchObject({ how: 'timed-out', exitCode: 143 })
  })

  it('before it starts means it never starts', async () => {
    const stop = new AbortController()
    stop.abort()
    expect(await run({ command: 'echo x > made' }, { signal: stop.signal })).toMatchObject({ how: 'aborted' })
    expect(existsSync(join(cwd, 'made'))).toBe(false)
  })

  it('by a signal to this process reaches the command, and this process keeps running', async () => {
    const listening = process.listenerCount('SIGHUP')
    const running = run({ command: 'trap "echo told; exit 9" INT; echo $$ > leader; while :; do sleep 0.01; done' })
    await expect.poll(() => existsSync(join(cwd, 'leader'))).toBe(true)
    process.emit('SIGINT', 'SIGINT')
    expect(await running).toMatchObject({ how: 'exited', exitCode: 9, output: 'told\n' })
    expect(process.listenerCount('SIGHUP')).toBe(listening)
  })
})
