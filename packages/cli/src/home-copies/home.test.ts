import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginCopy, loadApprover, openApprover, openGate, openHome } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = 'version: 1\nrules:\n  - { tool: jot, supervision: automatic }\n'

/** A home with a key and an open gate that runs calls. */
async function used() {
  const cwd = temporaryFolder()
  const at = { cwd, home: join(cwd, 'home') }
  const project = join(cwd, 'project')
  mkdirSync(at.home, { mode: 0o700 })
  mkdirSync(project)
  writeFileSync(join(at.home, 'policy.yaml'), POLICY, { mode: 0o600 })
  const { gate, home } = await openGate({ home: at.home, workspace: project })
  onTestFinished(() => gate.close().catch(() => undefined))
  const key = openApprover(home, { name: 'ana' }).approver.id
  const jot = () => gate.run({ tool: 'jot', args: {} }, () => 'ran')
  expect(await jot()).toMatchObject({ kind: 'completed' })
  const run = (...words: readonly string[]) => runInProcess(words, at)
  const runAt = (folder: string, ...words: readonly string[]) => runInProcess(words, { cwd, home: join(cwd, folder) })
  return { cwd, at, key, jot, run, runAt }
}

function modesOf(folder: string): readonly number[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => statSync(join(one.parentPath, one.name)).mode & 0o777)
}

describe('countersign home', () => {
  it('backs up a home in use, and restores it with policy, key and an intact journal', async () => {
    const { cwd, key, jot, run, runAt } = await used()
    expect((await run('home', 'backup', 'copy')).stdout).toContain('copied the home to')
    expect(await jot()).toMatchObject({ kind: 'completed' })
    expect(new Set(modesOf(join(cwd, 'copy')))).toEqual(new Set([0o600]))
    expect((await runAt('new', 'home', 'restore', 'copy')).stdout).toMatch(/restored .*: \d+ journal entries, intact/)
    expect((await runAt('new', 'journal', 'verify')).code).toBe(0)
    expect(readFileSync(join(cwd, 'new', 'policy.yaml'), 'utf8')).toBe(POLICY)
    expect(loadApprover(openHome(join(cwd, 'new')))?.approver.id).toBe(key)
    expect((await runAt('new', 'journal', 'tail')).stdout).toContain('home-restored')
  })

  it('stops every process on a moved home, also one that has it open (L3)', async () => {
    const { jot, run, runAt } = await used()
    expect((await run('home', 'move', 'copy')).code).toBe(0)
    expect(await jot()).not.toMatchObject({ kind: 'completed' })
    expect((await run('journal', 'tail')).stderr).toContain('was moved away')
    expect((await runAt('new', 'home', 'restore', 'copy')).code).toBe(0)
    expect((await run('home', 'restore', 'copy')).code).toBe(0)
  })

  it('never replaces a newer home, another home, or what is not a home', async () => {
    const { cwd, jot, run, runAt } = await used()
    await run('home', 'backup', 'copy')
    await jot()
    expect((await run('home', 'restore', 'copy')).stderr).toContain('is newer than the copy')
    expect(await jot()).toMatchObject({ kind: 'completed' })
    mkdirSync(join(cwd, 'stuff'), { mode: 0o700 })
    writeFileSync(join(cwd, 'stuff', 'notes'), '')
    expect((await runAt('stuff', 'home', 'restore', 'copy')).stderr).toContain('not a home')
    const other = await used()
    expect((await other.run('home', 'restore', join(cwd, 'copy'))).stderr).toContain('is another home')
    expect((await run('home', 'backup', 'copy')).stderr).toContain('exists')
  })

  it('restores nothing older than a checkpoint that was kept elsewhere', async () => {
    const { cwd, jot, run, runAt } = await used()
    await run('home', 'backup', 'old')
    await jot()
    await run('journal', 'checkpoint', '--out', 'head.txt')
    await run('home', 'backup', 'copy')
    const refused = await runAt('new', 'home', 'restore', 'old', '--against', 'head.txt')
    expect([refused.code, refused.stderr]).toEqual([125, expect.stringContaining('is newer than the copy')])
    expect(existsSync(join(cwd, 'new'))).toBe(false)
    expect((await runAt('new', 'home', 'restore', 'copy', '--against', 'head.txt')).code).toBe(0)
    expect((await runAt('new', 'journal', 'verify', '--against', 'head.txt')).code).toBe(0)
  })

  it('refuses a copy with a changed, missing or foreign file', async () => {
    const { cwd, run, runAt } = await used()
    await run('home', 'backup', 'copy')
    const manifest = join(cwd, 'copy', 'manifest.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace('"policy.yaml"', '"../policy.yaml"'))
    expect((await runAt('new', 'home', 'restore', 'copy')).stderr).toContain('[CS_HOME]')
    writeFileSync(manifest, text)
    writeFileSync(join(cwd, 'copy', 'policy.yaml'), `${POLICY}# loosened\n`)
    expect((await runAt('new', 'home', 'restore', 'copy')).stderr).toContain('is damaged')
    expect(existsSync(join(cwd, 'new'))).toBe(false)
  })

  it('makes no copy inside a project, where commands that nobody approves could read the keys (A3)', async () => {
    const { cwd, run } = await used()
    mkdirSync(join(cwd, 'shop', '.git'), { recursive: true })
    for (const how of ['backup', 'move']) {
      const { stderr, code } = await run('home', how, join('shop', 'docs', 'copy'))
      expect([code, stderr]).toEqual([125, expect.stringContaining('is inside the project')])
    }
    expect(readdirSync(join(cwd, 'shop'))).toEqual(['.git'])
    expect((await run('home', 'backup', 'shop-copy')).code).toBe(0)
  })

  it('does not run inside a gated call (L8)', async () => {
    const { at } = await used()
    for (const name of ['backup', 'move', 'restore']) {
      const ran = await runInProcess(['home', name, 'copy'], { ...at, env: { COUNTERSIGN_INSIDE: 'call_1' } })
      expect(ran.stderr).toContain('[CS_DENIED]')
    }
  })

  it('can be moved again after a kill between marking the store and naming the copy', async () => {
    const { at, cwd, run, runAt } = await used()
    const source = `
      import { beginCopy, openHome } from './packages/node/src/index.ts'
      beginCopy(openHome(process.argv[1]), process.argv[2], 'move', 0)
      process.kill(process.pid, 'SIGKILL')`
    await expect(runNode(source, [at.home, join(cwd, 'copy')])).rejects.toThrow(
      expect.objectContaining({ signal: 'SIGKILL' }),
    )
    expect(existsSync(join(cwd, 'copy'))).toBe(false)
    expect((await run('home', 'move', 'copy')).code).toBe(0)
    expect((await runAt('new', 'home', 'restore', 'copy')).code).toBe(0)
    expect((await runAt('new', 'journal', 'verify')).code).toBe(0)
  })

  it('leaves the old home in use if the copy cannot be made', async () => {
    const { at, cwd, jot } = await used()
    writeFileSync(join(cwd, 'file'), '')
    expect(() => beginCopy(openHome(at.home), join(cwd, 'file', 'copy'), 'move', 0)).toThrow()
    expect(await jot()).toMatchObject({ kind: 'completed' })
  })
})
