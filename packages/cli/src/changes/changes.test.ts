import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openGate } from '@countersign/node'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

/** A workspace in which an agent changed one file and made another. */
async function place() {
  const folder = temporaryFolder()
  const at = { cwd: join(folder, 'project'), home: join(folder, 'home') }
  mkdirSync(join(at.cwd, 'src'), { recursive: true })
  writeFileSync(join(at.cwd, 'src/a.ts'), 'one\ntwo\n')
  const { gate } = await openGate({ home: at.home, workspace: at.cwd })
  for (const [path, content] of [
    ['src/a.ts', 'one\n2\n'],
    ['src/b.ts', 'new\n'],
  ] as const) {
    const call = { tool: 'write_file', source: 'builtin', args: { path, content }, agent: { name: 'bot' } } as const
    const result = await gate.run(call, () => writeFileSync(join(at.cwd, path), content))
    if (result.kind !== 'completed') throw new Error('the agent could not write')
  }
  await gate.close()
  const run = (line: string, more = {}) => runInProcess(line.split(' '), { ...at, ...more })
  return { ...at, run }
}

describe('countersign changes', () => {
  it('lists files that agents changed, and shows what changed since you last saw them', async () => {
    const { run } = await place()
    expect((await run('changes list', { columns: 80 })).stdout).toBe(
      'change   file      by\nchanged  src/a.ts  bot\nchanged  src/b.ts  bot\n',
    )
    const { stdout } = await run('changes diff src/a.ts')
    expect(stdout).toBe('changes src/a.ts  +1 −1\n@@ −1 +1 @@\n  one\n- two\n+ 2\n')
    expect((await run('changes diff src/b.ts')).stdout).toBe('new file src/b.ts  +1 −0\n@@ −1 +1 @@\n+ new\n')
  })

  it('marks files as seen, until they change again', async () => {
    const { run, cwd } = await place()
    expect((await run('changes seen src/a.ts')).stderr).toBe('marked 1 file as seen\n')
    expect((await run('changes list --json')).json()).toMatchObject({ files: [{ path: 'src/b.ts' }] })
    expect((await run('changes seen --all')).stderr).toBe('marked 1 file as seen\n')
    expect(await run('changes list')).toMatchObject({ stdout: '', stderr: 'no unseen changes\n', code: 0 })
    expect((await run('journal tail -n 1')).stdout).toContain('changes-seen')
    writeFileSync(join(cwd, 'src/a.ts'), 'evil\n')
    expect((await run('changes list --json')).json()).toMatchObject({ files: [{ path: 'src/a.ts' }] })
  })

  it('restores one file of a call', async () => {
    const { run, cwd } = await place()
    const { stderr } = await run('changes undo src/a.ts --no-input')
    expect(stderr).toContain('restore')
    writeFileSync(join(cwd, '..', 'home', 'policy.yaml'), 'version: 1\ntools: { undo: notify }\n', { mode: 0o600 })
    expect(await run('changes undo src/a.ts')).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, 'src/a.ts'), 'utf8')).toBe('one\ntwo\n')
    expect((await run('changes list --json')).json()).toMatchObject({ files: [{ path: 'src/b.ts' }] })
  })

  it.each([
    ['changes seen', /name files, or use `--all`.*\[CS_USAGE\]/],
    ['changes seen src/a.ts --all', /name files, or use `--all`/],
    ['changes seen other.ts', /`other.ts` has no unseen change; list them.*\[CS_USAGE\]/],
    ['changes diff ../x', /`..\/x` is not in the workspace/],
    ['changes undo nothing', /has no unseen change/],
  ])('suggests what to do for `%s`', async (line, message) => {
    const { run } = await place()
    const { stderr, code } = await run(line)
    expect(stderr).toMatch(message)
    expect(code).toBe(125)
  })
})
