import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decompose } from '../../packages/core/src/command/decompose.ts'
import { MARK, shellCommands } from './shell-fragments.ts'

const RUNS = 600

let folder = ''
let runs = 0

/** Programs that note how they are called instead of doing anything. */
const NOTED = ['cat', 'head', 'wc', 'diff', 'touch']
const REAL = ['env', 'timeout', 'nice', 'xargs', 'bash', 'sh']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-exact-'))
  await mkdir(join(folder, 'bin'))
  // `cat` still prints its input, so that substitutions have a value.
  const shim = [
    '#!/bin/bash',
    // One write, since several may run at the same time.
    'printf -v line "%s\\037" "$PWD" "${0##*/}" "$@"',
    'printf "%s\\n" "$line" >> "$NOTES"',
    '[ $# -gt 0 ] || /bin/cat',
    '',
  ].join('\n')
  for (const name of NOTED) {
    await writeFile(join(folder, 'bin', name), shim)
    await chmod(join(folder, 'bin', name), 0o755)
  }
  for (const name of REAL)
    await symlink(name === 'bash' || name === 'sh' ? `/bin/${name}` : `/usr/bin/${name}`, join(folder, 'bin', name))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** The commands that bash really starts, each as its folder, program and words; and the files afterwards. */
async function started(
  command: string,
): Promise<{ readonly calls: readonly string[][]; readonly files: readonly string[] }> {
  const root = join(folder, String(runs++))
  const cwd = join(root, 'work')
  await mkdir(join(cwd, 'd'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'b c.txt', 'd/a.txt', 'd/b.txt']) await writeFile(join(cwd, name), `${name}\n`)
  await writeFile(join(cwd, 'list'), 'a.txt\nb.txt\n')
  const notes = join(root, 'notes')
  await writeFile(notes, '')
  const child = spawn('/bin/bash', ['-c', command], {
    cwd,
    env: { PATH: join(folder, 'bin'), NOTES: notes, HOME: root },
    stdio: 'ignore',
    timeout: 10_000,
  })
  await new Promise((resolve) => {
    child.once('error', resolve)
    child.once('close', resolve)
  })
  const lines = (await readFile(notes, 'utf8')).split('\n').filter((line) => line !== '')
  const calls = lines.map((line) => {
    const [at = '', ...words] = line.split('\x1f').slice(0, -1)
    return [at.slice(cwd.length + 1), ...words]
  })
  const files = await readdir(cwd, { recursive: true })
  await rm(root, { recursive: true, force: true })
  return { calls, files }
}

describe.skipIf(process.platform === 'win32')('the exact words of a command', () => {
  it('are those that bash passes on, whatever else it runs', { timeout: 180_000 }, async () => {
    let exactOnes = 0
    await fc.assert(
      fc.asyncProperty(shellCommands, async (command) => {
        const { exact } = decompose(command)
        if (exact == null) return
        exactOnes++
        const expected = exact.parts.map(({ cwd, program, args }) => ({
          words: [cwd ?? '?', program ?? '?', ...args.map(({ value }) => value ?? '?')],
          isPattern: args.some(({ glob, value }) => glob || value === '/dev/fd/63'),
        }))
        const { calls, files } = await started(command)
        for (const call of calls) {
          const isListed = expected.some(({ words, isPattern }) =>
            isPattern
              ? words[0] === call[0] && words[1] === call[1]
              : words.length === call.length && words.every((word, at) => word === call[at]),
          )
          expect(isListed, `${command}\nran ${JSON.stringify(call)}\nexpected ${JSON.stringify(expected)}`).toBe(true)
        }
        if (!expected.some(({ words }) => words[1] === 'touch')) expect(files, command).not.toContain(MARK)
      }),
      { numRuns: RUNS },
    )
    // Enough of them are exact for the comparison to mean something.
    expect(exactOnes).toBeGreaterThan(RUNS / 50)
  })
})
