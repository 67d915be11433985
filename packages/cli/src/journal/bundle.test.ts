import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markOf } from '@countersign/core'
import { openGate, openHome, readApprovers } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'

/** A home whose journal has five automatic calls, and another folder: a machine that has nothing else. */
async function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(at.cwd)
  mkdirSync(at.home, { mode: 0o700 })
  const { gate } = await openGate({ home: at.home, workspace: at.cwd })
  for (let index = 0; index < 5; index++)
    await gate.run({ id: `call-${index}`, tool: 'read_file', args: { path: `f${index}` } }, () => 'text')
  await gate.close()
  const elsewhere = { cwd: at.cwd, home: join(folder, 'no-home') }
  const run = (line: string) => runInProcess(line.split(' '), at)
  const runElsewhere = (line: string) => runInProcess(line.split(' '), elsewhere)
  const fingerprint = (text: string) => /fingerprint of the gate’s key: ([0-9a-f]{64})\n/.exec(text)?.[1] ?? ''
  return { ...at, folder, run, runElsewhere, fingerprint }
}

describe('countersign journal export --bundle', () => {
  it('writes an archive that verifies where there is no home, with and without the key', async () => {
    const { run, runElsewhere, fingerprint } = await place()
    const made = await run('journal export --bundle a.tar')
    expect(made.stdout).toContain('exported entries 1 to 16 of 16')
    const plain = await runElsewhere('journal verify --bundle a.tar')
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringMatching(/^intact: entries 1 to 16, .*\nproven:\n/) })
    expect(plain.stdout).toContain('- whose key that is: get its fingerprint from the owner of the gate')
    const key = fingerprint(made.stdout)
    const known = await runElsewhere(`journal verify --bundle a.tar --key ${key}`)
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('this is the key you gave') })
    expect(known.stdout).not.toContain('whose key that is')
    expect((await runElsewhere(`journal verify --bundle a.tar --key ${key} --json`)).json()).toMatchObject({
      kind: 'intact',
      range: { from: 1, through: 16 },
      isKeyGiven: true,
      fingerprint: key,
      proven: expect.any(Array),
      trusted: expect.any(Array),
    })
  })

  it('writes the same bytes for the same journal, and never over a file', async () => {
    const { run, cwd } = await place()
    await run('journal export --bundle a.tar')
    await run('journal export --bundle b.tar')
    expect(readFileSync(join(cwd, 'a.tar')).equals(readFileSync(join(cwd, 'b.tar')))).toBe(true)
    expect((await run('journal export --bundle a.tar')).stderr).toContain('already exists')
  })

  it.each([
    ['--from 4 --to 9', 4, 9],
    ['--from 4', 4, 16],
    ['--to 9', 1, 9],
    ['--to 900', 1, 16],
    ['--from 1h', 1, 16],
    [`--from 2020-01-01 --to ${new Date().toLocaleDateString('sv')}`, 1, 16],
  ])('takes the range %s', async (flags, from, through) => {
    const { run } = await place()
    expect((await run(`journal export --bundle a.tar ${flags} --json`)).json()).toMatchObject({
      range: { from, through },
      head: { size: 16 },
    })
    expect((await run('journal verify --bundle a.tar')).code).toBe(0)
  })

  it.each([
    ['--to 2020-01-01', 'there is no entry in this range; the journal has entries 1 to 16'],
    ['--from 17', 'there is no entry in this range'],
    ['--from soon', 'can’t read `soon` as a time'],
    ['--out b.jsonl', '`--bundle` goes with `--from` and `--to` only'],
  ])('refuses %s', async (flags, message) => {
    const { run } = await place()
    expect(await run(`journal export --bundle a.tar ${flags}`)).toMatchObject({
      code: 125,
      stderr: expect.stringContaining(message),
    })
    expect((await run('journal export --from 1')).stderr).toContain('need `--bundle <file>`')
  })

  it('has archived entries as well, and only their hashes once the archive was deleted', async () => {
    const { run, runElsewhere, home } = await place()
    await run('journal rotate --keep 6')
    expect((await run('journal export --bundle a.tar')).stdout).toContain('exported entries 1 to 17 of 17')
    expect((await runElsewhere('journal verify --bundle a.tar')).code).toBe(0)
    expect((await run('journal export --bundle b.tar --from 2020-01-01 --to 12')).stdout).toContain('entries 1 to 12')
    rmSync(join(home, 'archive'), { recursive: true })
    const later = await run('journal export --bundle c.tar')
    expect(later.stdout).toContain('exported entries 11 to 17 of 17')
    expect(later.stderr).toContain('entries 1 to 10 are in archives that were deleted')
    expect((await runElsewhere('journal verify --bundle c.tar')).code).toBe(0)
    expect((await run('journal export --bundle d.tar --from 3')).stderr).toContain('begin with `--from 11`')
  })
})

describe('countersign journal verify --bundle', () => {
  it('knows the enrolment of a key that the first decision made, also after it was removed', async () => {
    const { run, runElsewhere, home, cwd } = await place()
    const { gate, desk } = await openGate({ home, workspace: cwd })
    const ended = gate.run({ tool: 'send_report', args: {}, description: { kind: 'send' } }, () => 'sent')
    const view = await until('the held call', async () => (await desk.list())[0])
    expect((await run(`reject ${markOf(view)} --reason no`)).code).toBe(0)
    expect(await ended).toMatchObject({ outcome: 'rejected' })
    await gate.close()
    const [key = ''] = readApprovers(openHome(home)).map(({ id }) => id)
    expect((await run(`approvers remove ${key}`)).code).toBe(0)
    expect((await run('journal export --bundle a.tar')).code).toBe(0)
    expect((await runElsewhere('journal verify --bundle a.tar --json')).json()).toMatchObject({
      kind: 'intact',
      decisions: { all: 1, signed: 1 },
      unrecorded: [],
    })
  })

  it('exits with 1 for a damaged bundle, and 125 for a wrong call', async () => {
    const { run, runElsewhere, cwd } = await place()
    await run('journal export --bundle a.tar')
    writeFileSync(
      join(cwd, 'b.tar'),
      String(readFileSync(join(cwd, 'a.tar'), 'latin1')).replace('call-3', 'call-4'),
      'latin1',
    )
    const damaged = await runElsewhere('journal verify --bundle b.tar')
    expect(damaged).toMatchObject({ code: 1, stdout: expect.stringMatching(/^damaged: `[a-z]+\.[a-z]+`: .*\n$/) })
    expect((await runElsewhere('journal verify --bundle b.tar --json')).json()).toMatchObject({ kind: 'damaged' })
    expect(await runElsewhere(`journal verify --bundle a.tar --key ${'0'.repeat(64)}`)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('signed by another gate'),
    })
    for (const [flags, message] of [
      ['--bundle none.tar', 'cannot be read (ENOENT)'],
      ['--bundle a.tar --key x', '`--key` must be the fingerprint'],
      ['--bundle a.tar --file a.jsonl', 'leave out `--file`'],
    ])
      expect(await runElsewhere(`journal verify ${flags}`)).toMatchObject({
        code: 125,
        stderr: expect.stringContaining(message ?? ''),
      })
  })
})
