import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** Made-up secrets, split so that scanners do not report this file as a leak. */
const TOKEN = `gh${'p_'}${'q7Rk2LmX9vTd4WzY8bNc3HsJ6fGp5KaE1uVo'}`

const scan = (args: readonly string[], input?: string, cwd = temporaryFolder()) =>
  runInProcess(['scan', ...args], { cwd, ...(input === undefined ? {} : { input }) })

describe('countersign scan', () => {
  it('shows kind and place, never the secret, and exits with 1', async () => {
    const { stdout, stderr, code } = await scan([`one\nkey ${TOKEN}`])
    expect(stdout.split('\n')[1]).toMatch(/^github-token +2:5 +…1uVo \(40 characters\)$/)
    expect(stdout).not.toContain(TOKEN.slice(0, 20))
    expect({ stderr, code }).toEqual({ stderr: '1 secret found\n', code: 1 })
  })

  it('exits with 0 if there is no secret', async () => {
    expect(await scan(['password: string'])).toMatchObject({ stdout: '', stderr: 'no secrets found\n', code: 0 })
  })

  it('does not scan a file name as text, and says how to read the file', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.env'), `T=${TOKEN}`)
    const named = await scan(['.env'], undefined, folder)
    expect(named).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('`.env` is a file; scan it with `--file`'),
    })
    expect((await scan(['.'], undefined, folder)).stderr).toContain('`.` is a folder')
    expect(await scan(['.envv'], undefined, folder)).toMatchObject({
      code: 0,
      stderr: 'no secrets found in this word; to scan a file, use `--file`\n',
    })
  })

  it('reads stdin by default', async () => {
    const { code } = await scan([], `Authorization: Bearer ${TOKEN}`)
    expect(code).toBe(1)
  })

  it('reads files and names the one with a secret', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.txt'), 'nothing')
    writeFileSync(join(folder, 'b.env'), `T=${TOKEN}`)
    const { stdout } = await scan(['--file', 'a.txt', 'b.env'], undefined, folder)
    expect(stdout).toContain('b.env:1:3')
    const { json } = await scan(['--json', '--file', 'a.txt', 'b.env'], undefined, folder)
    expect(json()).toEqual([
      { file: 'a.txt', found: [] },
      { file: 'b.env', found: [{ kind: 'github-token', start: 2, end: 42, line: 1, column: 3 }] },
    ])
  })

  it('answers JSON lines in order, in UTF-16 units', async () => {
    const lines = [
      { id: 1, text: `🔑 ${TOKEN}` },
      { id: 2, text: 'git status' },
    ]
    const { stdout, code } = await scan(['--jsonl'], lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(stdout).toBe('{"id":1,"found":[{"kind":"github-token","start":3,"end":43}]}\n{"id":2,"found":[]}\n')
    expect(code).toBe(0)
  })

  it('reports an error on its own line', async () => {
    const { stdout, code } = await scan(['--jsonl'], '{"id":1}\n')
    expect(JSON.parse(stdout)).toEqual({ id: 1, error: '`text` must be a string; write {"id", "text"} on each line' })
    expect(code).toBe(1)
  })

  it.each([[['--file', 'missing']], [['--jsonl', 'text']]])('refuses %j in one line', async (args) => {
    const { stderr, code } = await scan(args)
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 125, lines: 1 })
  })

  it('is not switched off by a comment in the text', async () => {
    expect((await scan([`// secretlint-disable\nconst t = "${TOKEN}"`])).code).toBe(1)
  })
})
