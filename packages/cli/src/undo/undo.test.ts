import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { EXIT } from '../terminal/exit-codes.ts'

const COPIES =
  'rules:\n  - { id: copies, kind: [write, delete], tool: "*_file", supervision: notify, checks: [backup] }\n'

/** A project in which an agent changed one file, with a preset. */
async function place(preset = 'classic') {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  writeFileSync(join(at.home, 'policy.yaml'), `version: 1\npreset: ${preset}\n${COPIES}`, { mode: 0o600 })
  const file = (name: string) => join(at.cwd, name)
  async function write(id: string, name: string, content: string) {
    const { gate } = await openGate({ home: at.home, workspace: at.cwd })
    const args = { path: file(name), content }
    const result = await gate.run({ id, tool: 'write_file', args }, () => writeFileSync(file(name), content))
    expect(result).toMatchObject({ kind: 'completed' })
    await gate.close()
  }
  writeFileSync(file('a.txt'), 'old')
  await write('first-write', 'a.txt', 'new')
  const run = (line: string) => runInProcess(['undo', ...line.split(' ').filter((word) => word !== '')], at)
  return { at, file, write, run, text: () => readFileSync(file('a.txt'), 'utf8') }
}

describe('countersign undo', () => {
  it('shows its plan, restores, and explains how to undo that, which works', async () => {
    const { run, text, file } = await place()
    const done = await run('first')
    expect(done.stderr).toContain(`restore ${file('a.txt')}`)
    expect(text()).toBe('old')
    const again = /countersign undo ([0-9a-f]{8})`/.exec(done.stderr)?.[1] ?? ''
    expect((await run(again)).code).toBe(0)
    expect(text()).toBe('new')
  })

  it('is itself a call: judged, backed up, and in the journal', async () => {
    const { run, at } = await place()
    await run('first-write')
    const { stdout } = await runInProcess(['journal', 'tail', '--json'], at)
    const kinds = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string; tool?: string }).kind)
    expect(kinds).toEqual(expect.arrayContaining(['judged', 'backup', 'started', 'completed']))
  })

  it('is held if the policy asks, and does nothing until then', async () => {
    const { run, text } = await place('balanced')
    const { code, stderr } = await run('--no-input first-write')
    expect(code).toBe(EXIT.unasked.code)
    expect(stderr).toContain('approval is needed')
    expect(text()).toBe('new')
  })

  it('requires --force if the file changed after the call', async () => {
    const { run, text, file } = await place()
    writeFileSync(file('a.txt'), 'by a person')
    const refused = await run('first-write')
    expect(refused.stderr).toContain('changed since')
    expect(refused.stderr).toMatch(/use `--force`.* \[CS_STALE\]/)
    expect(text()).toBe('by a person')
    expect((await run('--force first-write')).code).toBe(0)
    expect(text()).toBe('old')
  })

  it('asks if there is no room for its own backup, and deletes no other', async () => {
    const { run, write, file, at } = await place()
    const bounds = 'defaults: { backups: { most: 1KB } }\n'
    writeFileSync(join(at.home, 'policy.yaml'), `version: 1\npreset: classic\n${bounds}${COPIES}`, { mode: 0o600 })
    writeFileSync(file('b.txt'), 'x'.repeat(900))
    await write('second-write', 'b.txt', 'y'.repeat(900))
    const { code, stderr } = await run('--no-input second')
    expect(code, stderr).toBe(EXIT.unasked.code)
    expect((await run('--list --json')).json()).toHaveLength(2)
  })

  it('removes files that the call created', async () => {
    const { run, write, file } = await place()
    await write('second-write', 'b.txt', 'made')
    expect((await run('second')).stderr).toContain(`remove ${file('b.txt')}`)
    expect(existsSync(file('b.txt'))).toBe(false)
  })

  it('lists the backups, and reports if there is nothing to do', async () => {
    const { run, file } = await place()
    const { stdout } = await run('--list')
    expect(stdout).toMatch(/^made +call +files +size +of\n.* first-wr +1 +3 bytes +\S+a\.txt\n$/)
    expect((await run('--list --json')).json()).toMatchObject([{ call: 'first-write', targets: [file('a.txt')] }])
    writeFileSync(file('a.txt'), 'old')
    expect(await run('first')).toMatchObject({ code: 0, stderr: expect.stringContaining('the files are unchanged') })
  })

  it('shows a plan without applying it, and prints JSON', async () => {
    const { run, text, file } = await place()
    expect((await run('--dry-run --json first')).json()).toMatchObject({
      calls: ['first-write'],
      steps: [{ path: file('a.txt'), does: 'change', type: 'file', since: 'same' }],
      left: [],
    })
    expect(text()).toBe('new')
    expect((await run('--json first')).json()).toMatchObject({ undone: ['first-write'], outcome: 'completed' })
    expect(text()).toBe('old')
  })

  it('shows what comes back as a diff, with secrets masked', async () => {
    const { run, write, file } = await place()
    const token = ['ghp', 'a1B2'.repeat(9)].join('_')
    writeFileSync(file('.env'), `REGION=eu\nTOKEN=${token}\nRETRIES=3\n`)
    await write('env-write', '.env', 'REGION=eu\nRETRIES=30\n')
    const { stdout } = await run('--dry-run env-write')
    expect(stdout).toContain('changes .env')
    expect(stdout).toMatch(/- RETRIES=30/)
    expect(stdout).toMatch(/\+ TOKEN=\[masked/)
    expect(stdout).not.toContain(token)
    expect((await run('env-write')).code).toBe(0)
    expect(readFileSync(file('.env'), 'utf8')).toContain(token)
  })

  it('shows a secret that changes as a changed line, with both values masked', async () => {
    const { run, write, file } = await place()
    writeFileSync(file('.env'), 'SECRET=1\nA=1\n')
    await write('env-write', '.env', 'SECRET=2\nA=1\nB=1\n')
    const { stdout } = await run('--dry-run env-write')
    expect(stdout).toMatch(/- SECRET=\[masked secret, 1 characters\]/)
    expect(stdout).toMatch(/\+ SECRET=\[masked secret, 1 characters, value 2\]/)
    expect(stdout).toMatch(/\+1 −2/)
  })

  it('undoes several calls together, and everything since a time, as one call', async () => {
    const { run, write, file, text, at } = await place()
    await write('second-write', 'a.txt', 'newer')
    await write('third-write', 'b.txt', 'made')
    const done = await run('first-write second-write third-write')
    expect(done.stderr).toContain('undo 3 calls')
    expect([text(), existsSync(file('b.txt'))]).toEqual(['old', false])
    const again = /countersign undo ([0-9a-f]{8})`/.exec(done.stderr)?.[1] ?? ''
    expect((await run(again)).code).toBe(0)
    expect([text(), existsSync(file('b.txt'))]).toEqual(['newer', true])
    expect((await run('--since 1h')).code).toBe(0)
    expect([text(), existsSync(file('b.txt'))]).toEqual(['old', false])
    const elsewhere = await runInProcess(['undo', '--since', '1h', '--workspace', at.home.replace('home', 'other')], at)
    expect(elsewhere.code).not.toBe(0)
  })

  it('restores only the named files of a call', async () => {
    const { run, write, file, text } = await place()
    await write('second-write', 'b.txt', 'made')
    expect((await run(`first-write second-write --only ${file('b.txt')}`)).code).toBe(0)
    expect([text(), existsSync(file('b.txt'))]).toEqual(['new', false])
  })

  it('leaves calls of other folders alone with --since', async () => {
    const { run, at, text } = await place()
    mkdirSync(join(at.cwd, 'inner'))
    const { stderr } = await run(`--since 1h --workspace ${join(at.cwd, 'inner')}`)
    expect(stderr).toContain('1 call changed files outside')
    expect(stderr).toContain('nothing to undo')
    expect(text()).toBe('new')
  })

  it('asks for one change in the way of a person’s own between two calls only with --force', async () => {
    const { run, write, file, text } = await place()
    writeFileSync(file('a.txt'), 'by a person')
    await write('second-write', 'a.txt', 'newest')
    expect((await run('first-write second-write')).stderr).toContain('[CS_STALE]')
    expect(text()).toBe('newest')
    expect((await run('second-write')).code).toBe(0)
    expect(text()).toBe('by a person')
  })

  it.each([
    ['--since yesterday', 'can’t read `yesterday` as a time', 'CS_USAGE'],
    ['first-write --since 1h', 'not both', 'CS_USAGE'],
    ['', 'no call given', 'CS_USAGE'],
    ['nothing', 'no call with a backup `nothing`', 'CS_BACKUP'],
  ])('suggests what to do for `undo %s`', async (line, message, code) => {
    const { run } = await place()
    expect((await run(line)).stderr).toMatch(new RegExp(`${message}.*\\[${code}\\]`))
  })
})
