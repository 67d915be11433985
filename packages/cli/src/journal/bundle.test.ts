import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
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
})
