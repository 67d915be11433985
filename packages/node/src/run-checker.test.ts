import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import { openPrograms } from './run-checker.ts'

const { answer } = openPrograms()

function script(body: string, mode = 0o700): string {
  const path = join(temporaryFolder(), 'checker')
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, mode)
  return path
}

const run = (program: string, ms = 5_000, signal = new AbortController().signal) =>
  answer([program, 'a b', '$HOME'], '{"call":1}\n', ms, signal)

describe('a checker that is a program', () => {
  it('gets its exact words and its input, without a shell, in a folder and an environment of ours', async () => {
    const printed = await run(script('cat; printf "%s|" "$@" "$PWD"; env | cut -d= -f1 | sort | tr "\\n" ,'))
    const [input, rest] = printed.split('\n')
    expect(input).toBe('{"call":1}')
    expect(rest).toMatch(/^a b\|\$HOME\|\/\|/)
    const names = (rest?.split('|').at(-1) ?? '').split(',').filter((name) => name !== '')
    const known = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'OLDPWD', 'PATH', 'PWD', 'SHLVL', 'TZ', 'USER', '_']
    for (const name of names) expect(known).toContain(name)
  })

  it('need not read what it is given', async () => {
    expect(await run(script('echo done'))).toBe('done\n')
  })

  it.each([
    ['ends with another code', 'echo no >&2; exit 3', 'ended with exit code 3: no'],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
    ['prints without end', 'yes', 'printed more than'],
    ['prints no text', "printf '\\377\\376'", 'no UTF-8'],
  ])('fails when it %s', async (_, body, message) => {
    await expect(run(script(body))).rejects.toMatchObject({
      code: 'CS_CHECK_BLOCKED',
      message: expect.stringContaining(message),
    })
  })

  it('fails when it is missing, is no program, or anyone may rewrite it', async () => {
    const folder = temporaryFolder()
    for (const program of [join(folder, 'none'), folder, 'no-such-checker-anywhere', '~/no-such-checker-anywhere'])
      await expect(run(program)).rejects.toThrow('was not found')
    await expect(run(script('echo', 0o600))).rejects.toThrow('was not found')
    await expect(run(script('echo', 0o707))).rejects.toThrow('anyone may write')
  })

  it('is ended with everything it started, when it is late or no longer waited for', async () => {
    const mark = join(temporaryFolder(), 'pids')
    const body = `sleep 60 & echo $! >> ${mark}; sleep 60 & echo $! >> ${mark}; wait`
    await expect(run(script(body), 400)).rejects.toThrow('did not answer within 400 ms')
    const gone = new AbortController()
    const waiting = run(script(`echo started > ${mark}.b; sleep 60`), 60_000, gone.signal)
    gone.abort()
    await expect(waiting).rejects.toThrow('no longer waited for')
    expect(existsSync(mark)).toBe(true)
    const alive = readFileSync(mark, 'utf8')
      .trim()
      .split('\n')
      .filter((pid) => isRunning(pid))
    expect(alive).toEqual([])
  })

  it('does not wait for what it left behind', async () => {
    expect(await run(script('sleep 60 & echo ok'))).toBe('ok\n')
  })
})

/** A process that was killed and not yet buried runs no more. */
function isRunning(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
