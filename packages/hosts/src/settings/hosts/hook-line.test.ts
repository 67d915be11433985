import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { containedCommand } from '../../answer/contained-command.ts'
import { clineScript } from '../../hosts/cline-script.ts'
import { hookLine, hookWords, inPosixShell, readHookLine } from './hook-line.ts'

const EVENT = { name: 'PreToolUse', kind: 'before' } as const
const TOKEN = '0123456789abcdef'.repeat(2)

/** A program in place of ours, and code that an environment variable would load into it. */
function place() {
  const folder = temporaryFolder()
  const program = join(folder, "the person's program.mjs")
  const evil = join(folder, 'evil.cjs')
  const loaded = join(folder, 'loaded')
  writeFileSync(program, 'process.stdout.write(JSON.stringify(process.argv.slice(2)))\n')
  writeFileSync(evil, `require('node:fs').writeFileSync(${JSON.stringify(loaded)}, '')\n`)
  const words = { host: 'cline', launcher: [process.execPath, program], token: TOKEN, home: null } as const
  const run = (line: string) => {
    const env = { ...process.env, NODE_OPTIONS: `--require=${evil}` }
    const { stdout } = spawnSync('/bin/sh', ['-c', line], { encoding: 'utf8', env })
    return { stdout, isLoaded: existsSync(loaded) }
  }
  return { words, run }
}

type Words = ReturnType<typeof place>['words']

describe('what starts our own process in an agent', () => {
  it.each<[string, (words: Words) => string]>([
    ['a hook line', (words) => hookLine(words, EVENT)],
    ['a hook line in a shell of its own', (words) => inPosixShell(hookLine(words, EVENT))],
    ['the script for Cline', (words) => clineScript(hookWords(words), EVENT)],
    [
      'a command in the sandbox',
      ({ launcher }) => containedCommand({ session: 's', callId: 'c' }, 'ls', launcher, null),
    ],
  ])('loads no code that the environment names: %s', (_, lineOf) => {
    const { words, run } = place()
    const { stdout, isLoaded } = run(lineOf(words))
    expect(JSON.parse(stdout)).toContain(stdout.includes('--ticket') ? 'ls' : '--token')
    expect(isLoaded).toBe(false)
  })

  it('is recognized as ours', () => {
    const { words } = place()
    expect(readHookLine(hookLine(words, EVENT))).toEqual({ host: 'cline', token: TOKEN })
    expect(readHookLine(JSON.stringify(hookWords(words)))).toEqual({ host: 'cline', token: TOKEN })
  })
})
