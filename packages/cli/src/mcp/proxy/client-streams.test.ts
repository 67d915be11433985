import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { COMMAND_ENV } from '@countersign/testing/command/command'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

/** Writes far more to stderr than a pipe holds, with a child that has the same stderr or its own. */
const PROGRAM = `
const { personOutput } = await import(${JSON.stringify(join(import.meta.dirname, 'client-streams.ts'))})
const { spawn } = await import('node:child_process')
const words = personOutput({ stderr: process.stderr })
const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
  stdio: ['pipe', 'ignore', words.server === undefined ? 'inherit' : 'pipe'],
})
child.on('spawn', async () => {
  for (let line = 0; line < 20_000; line += 1) words.stderr.write('x'.repeat(99) + '\\n')
  child.stdin.end()
  await words.close()
  console.log('went on')
})
`

/** A named pipe, open at both ends, that nobody reads. */
function unreadPipe(): number {
  const path = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [path])
  const fd = openSync(path, constants.O_RDWR)
  onTestFinished(() => closeSync(fd))
  return fd
}

describe('unread output on stderr', () => {
  it.each([
    ['a pipe', unreadPipe],
    ['a socket', () => 'pipe' as const],
  ])('does not block the proxy if stderr is %s', async (_what, stderr) => {
    const child = spawn(
      process.execPath,
      ['--conditions=countersign-source', '--no-warnings', '--input-type=module', '-e', PROGRAM],
      { env: COMMAND_ENV, stdio: ['ignore', 'pipe', stderr()] },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    for await (const chunk of child.stdout ?? []) said += String(chunk)
    expect(said).toBe('went on\n')
  })
})
