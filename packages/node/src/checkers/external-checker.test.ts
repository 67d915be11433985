import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@countersign/testing/process-alive'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openPrograms } from './external-checker.ts'

const { answer } = openPrograms()

function script(body: string, mode = 0o700): string {
  const path = join(temporaryFolder(), 'checker')
  writeFileSync(path, `#!/bin/sh\n${body}\n`)
  chmodSync(path, mode)
  return path
}

const run = (program: string, ms = 30_000, signal = new AbortController().signal) =>
  answer([program, 'a b', '$HOME'], '{"call":1}\n', ms, signal)

describe('an external checker', () => {
  it('gets its exact arguments and input, without a shell, in our folder and environment', async () => {
    const printed = await run(script('cat; printf "%s|" "$@" "$PWD"; env | cut -d= -f1 | sort | tr "\\n" ,'))
    const [input, rest] = printed.split('\n')
    expect(input).toBe('{"call":1}')
    expect(rest).toMatch(/^a b\|\$HOME\|\/\|/)
    const names = (rest?.split('|').at(-1) ?? '').split(',').filter((name) => name !== '')
    const known = ['HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'LOGNAME', 'OLDPWD', 'PATH', 'PWD', 'SHLVL', 'TZ', 'USER', '_']
    for (const name of names) expect(known).toContain(name)
  })

  it('does not have to read its input', async () => {
    expect(await run(script('echo done'))).toBe('done\n')
  })

  it.each([
    ['exits with another code', 'echo no >&2; exit 3', 'ended with exit code 3: no'],
    ['is killed', 'kill -9 $$', 'was ended by SIGKILL'],
    ['prints endlessly', 'yes', 'printed more than'],
    ['prints no text', "printf '\\377\\376'", 'not UTF-8'],
  ])('fails if it %s', async (_, body, message) => {
    await expect(run(script(body))).rejects.toMatchObject({
      code: 'CS_CHECK_BLOCKED',
      message: expect.stringContaining(message),
    })
  })

  it('fails if it is missing, not executable, or writable by anyone', async () => {
    const folder = temporaryFolder()
    for (const program of [join(folder, 'none'), folder, 'no-such-checker-anywhere', '~/no-such-checker-anywhere'])
      await expect(run(program)).rejects.toThrow('was not found')
    await expect(run(script('echo', 0o600))).rejects.toThrow('was not found')
    await expect(run(script('echo', 0o707))).rejects.toThrow('anyone may write')
  })

  it('is killed with all its children on timeout or when no longer needed', async () => {
    const folder = temporaryFolder()
    const started = (mark: string) =>
      script(`sleep 600 & one=$!; sleep 600 & echo "$$ $one $!" > ${folder}/${mark}; wait`)
    const pidsOf = (mark: string): readonly number[] =>
      existsSync(join(folder, mark)) ? (readFileSync(join(folder, mark), 'utf8').match(/\d+/g) ?? []).map(Number) : []
    await expect(run(started('late'), 3_000)).rejects.toThrow('did not answer within 3000 ms')
    expect(pidsOf('late')).toHaveLength(3)
    await expect.poll(() => pidsOf('late').filter(isAlive)).toEqual([])
    const gone = new AbortController()
    const waiting = expect(run(started('gone'), 60_000, gone.signal)).rejects.toThrow('it was cancelled')
    await expect.poll(() => pidsOf('gone')).toHaveLength(3)
    expect(pidsOf('gone').filter(isAlive)).toHaveLength(3)
    gone.abort()
    await waiting
    await expect.poll(() => pidsOf('gone').filter(isAlive)).toEqual([])
  })

  it('does not wait for background processes it left', async () => {
    expect(await run(script('sleep 60 & echo ok'))).toBe('ok\n')
  })
})
