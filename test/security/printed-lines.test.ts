import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
const file = join(import.meta.dirname, '../../packages/core/knowledge/programs/prints.yaml')
const { prints } = parse(readFileSync(file, 'utf8')) as { prints: { programs: string[]; words: string[] }[] }
const lines = prints.flatMap(({ programs, words }) =>
  programs.flatMap((program) => words.map((line) => ({ program, line }))),
)
const installed = lines.filter(({ program }) => FOLDERS.some((folder) => existsSync(join(folder, program))))

describe('a command line that the gate takes for printing only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'prints-'))
  const home = mkdtempSync(join(tmpdir(), 'prints-home-'))
  afterAll(() => {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true })
  })

  it('is known for the programs that every system has', () => {
    expect(installed.length).toBeGreaterThan(40)
  })

  it.each(installed)('$program $line prints, ends, and leaves no file', ({ program, line }) => {
    const { stdout, stderr, error } = spawnSync(program, line.split(' '), {
      cwd: folder,
      env: { PATH: FOLDERS.join(':'), HOME: home },
      input: '',
      encoding: 'utf8',
      timeout: 20_000,
    })
    expect(error).toBeUndefined()
    expect(`${stdout}${stderr}`).toMatch(/version|usage|\d+\.\d+|copyright|^\/\S+\n$/i)
    expect([...readdirSync(folder), ...readdirSync(home)]).toEqual([])
  })
})
