import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

async function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), 'version: 1\nnever_allow: ["format_*"]\n')
  const { gate } = await openGate({ home: at.home, workspace: at.cwd })
  await gate.run({ id: 'one', tool: 'read_file', args: { path: 'a' } }, () => 'text')
  await gate.run({ id: 'two', tool: 'format_disk', args: {} }, () => 'never')
  await gate.run({ id: 'three', tool: 'read_file', args: { path: '\x1b[2J' } }, () => Promise.reject(new Error('no')))
  await gate.close()
  const run = (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more })
  return Object.assign(run, { store: join(at.home, 'store.db') })
}

const ids = (value: unknown) => (value as { id: string }[]).map(({ id }) => id)

describe('countersign history', () => {
  it('lists past calls with their outcomes, newest first', async () => {
    const run = await place()
    const { stdout } = await run('history', { columns: 80 })
    const [heading, ...rows] = stdout.trimEnd().split('\n')
    expect(heading).toMatch(/^opened +call +outcome +risk +what$/)
    expect(rows.map((row) => row.slice(21).split(/ +/).slice(0, 2))).toEqual([
      ['three', 'failed'],
      ['two', 'denied'],
      ['one', 'completed'],
    ])
    expect(stdout).not.toContain('\x1b')
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  })

  it.each([
    ['--outcome denied', ['two']],
    ['--tool read_file', ['three', 'one']],
    ['--tool read_file --outcome failed', ['three']],
    ['--limit 1', ['three']],
    ['--since 1h', ['three', 'two', 'one']],
    ['--since 2200-01-01', []],
  ])('filters by %s', async (flags, expected) => {
    const run = await place()
    expect(ids((await run(`history --json ${flags}`)).json())).toEqual(expected)
  })

  it('warns about a row that is not what the journal says', async () => {
    const run = await place()
    const database = new DatabaseSync(run.store)
    database.exec("UPDATE call SET outcome = 'completed' WHERE id = 'two'")
    database.close()
    expect((await run('history')).stderr).toContain('outcome of `two` does not match the journal')
    expect((await run('history --json')).json()).toContainEqual(
      expect.objectContaining({ id: 'two', disagrees: ['outcome'] }),
    )
  })

  it('shows no arguments', async () => {
    const run = await place()
    const [first] = (await run('history --json')).json() as object[]
    expect(first).not.toHaveProperty('sealed')
    expect(first).toHaveProperty('mark', null)
  })

  it.each(['--outcome good', '--since never', '--limit 0'])('refuses %s in one line', async (flags) => {
    const run = await place()
    const { stdout, stderr, code } = await run(`history ${flags}`)
    expect({ stdout, code, lines: stderr.trimEnd().split('\n').length }).toEqual({ stdout: '', code: 125, lines: 1 })
  })
})
