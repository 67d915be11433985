import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { SUBCOMMANDS } from './subcommands.ts'
import { EXIT } from './terminal/exit-codes.ts'

function run(line: string) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'home'), { mode: 0o700 })
  return runInProcess(line === '' ? [] : line.split(' '), { cwd: folder, home: join(folder, 'home') })
}

describe('the command line', () => {
  it.each([
    ['hepl', 'unknown command `hepl`; did you mean `help`?'],
    ['exce -- ls', 'unknown command `exce`; did you mean `exec`?'],
    ['hel', 'unknown command `hel`; did you mean `held` or `help`?'],
    ['exec --tiemout 5s -- ls', 'unknown option `--tiemout`; did you mean `--timeout`?'],
    ['exec', 'missing required argument `command`; see `--help`'],
    ['exec --timeout soon -- ls', 'can’t read `soon` as a duration; try 30s, 5m or 2h'],
    ['help nonsense', 'unknown help topic `nonsense`; see `--help`'],
    ['held --home=', 'option `--home <dir>` argument `` is invalid; name a folder, or leave it out; see `--help`'],
    [
      'approve --grant all x',
      'option `--grant <scope>` argument `all` is invalid; allowed choices are exact, network, pattern, fields, file, folder, tool; see `--help`',
    ],
  ])('answers `%s` with one line and the usage exit code', async (line, message) => {
    expect(await run(line)).toMatchObject({
      stdout: '',
      stderr: `countersign: ${message} [CS_USAGE]\n`,
      code: EXIT.error.code,
    })
  })

  it('escapes quoted input', async () => {
    expect((await run('\x1b[2J')).stderr).toContain('⟦ESC⟧[2J')
  })

  it('shows help with examples first, and reports the missing subcommand on stderr', async () => {
    const helped = await run('--help')
    expect(helped.stdout).toMatch(/^Examples:\n/)
    expect(helped.code).toBe(0)
    expect(await run('')).toMatchObject({ stdout: '', stderr: helped.stdout, code: EXIT.error.code })
  })

  it.each(SUBCOMMANDS.filter(({ hidden }) => hidden !== true).map(({ name }) => name))(
    'has help for `%s`, by flag and by name, with an example first',
    async (name) => {
      const byFlag = await run(`${name} --help`)
      expect(byFlag.stdout).toMatch(/^Examples:\n {2}.*countersign /)
      expect(byFlag.code).toBe(0)
      expect((await run(`help ${name}`)).stdout).toBe(byFlag.stdout)
    },
  )

  it('prints every exit code once', async () => {
    const { stdout } = await run('help exit-codes')
    for (const { code, means } of Object.values(EXIT))
      expect(
        stdout.split('\n').filter((line) => line.trimStart().startsWith(`${code}  `) && line.endsWith(means)),
      ).toHaveLength(1)
    expect(new Set(Object.values(EXIT).map(({ code }) => code)).size).toBe(Object.keys(EXIT).length)
  })

  it('prints its version', async () => {
    expect((await run('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('accepts global flags before and after the subcommand', async () => {
    expect((await run('--json held')).stdout).toBe('[]\n')
    expect((await run('held --json')).stdout).toBe('[]\n')
  })

  it('does not read the gated command’s flags as its own', async () => {
    const { stdout, stderr, code } = await run('exec --no-input -- nosuchprogram --json --help')
    expect({ stdout, code }).toEqual({ stdout: '', code: 127 })
    expect(stderr).toContain('program `nosuchprogram` not found')
  })
})
