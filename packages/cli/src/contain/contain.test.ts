import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spawnBash, spawnCli } from '@countersign/testing/command/spawn-cli'
import { describeContained } from '@countersign/testing/contain/contained'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it } from 'vitest'

function project() {
  const root = temporaryFolder()
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const home = join(root, 'home')
  const run = (...argv: readonly string[]) => spawnCli(['contain', '--home', home, ...argv], workspace)
  return { root, workspace, home, run }
}

describeContained('countersign contain', () => {
  it('runs a command that may write the workspace, and passes on output and exit code', async () => {
    const { workspace, run } = project()
    expect(await run('--', 'echo out; echo err >&2; echo x > made; exit 7')).toEqual({
      stdout: 'out\n',
      stderr: 'err\n',
      code: 7,
    })
    expect(readFileSync(join(workspace, 'made'), 'utf8')).toBe('x\n')
  })

  it('passes exact words, stdin and the name of a program on', async () => {
    const { root, workspace, home } = project()
    const line = `printf "a b" | countersign contain --home ${home} -- sed 's/a b/$HOME;*/'; countersign contain --home ${home} -- cat /nowhere`
    const ended = await spawnBash(line, workspace, root)
    expect(ended.stdout).toBe('$HOME;*')
    expect(ended.stderr).toContain('cat: /nowhere: No such file')
  })

  it('tells what the sandbox refused', async () => {
    const { workspace, run } = project()
    const ended = await run('--read-only', '--', 'touch', 'made')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain(`countersign: sandbox: refused a change to \`${join(workspace, 'made')}\``)
    expect(readdirSync(workspace)).toEqual([])
  })

  it('opens more folders', async () => {
    const { root, run } = project()
    mkdirSync(join(root, 'other'))
    expect((await run('--', 'echo x > ../other/a')).code).not.toBe(0)
    expect((await run('--write', '../other', '--', 'echo x > ../other/a')).code).toBe(0)
    expect((await run('--read', '../other', '--', 'cat ../other/a')).stdout).toBe('x\n')
  })

  it('fails a command that plants a file for another program', async () => {
    const { workspace, home, run } = project()
    const ended = await run('--', 'mkdir .vscode; echo evil > .vscode/tasks.json')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('.vscode` is protected; the change was undone')
    expect(existsSync(join(workspace, '.vscode'))).toBe(false)
    expect(readdirSync(join(home, 'contained/quarantine'))).toHaveLength(1)
  })

  it.each([
    ['a folder it may not open', ['--write', '/'], 125, 'can’t be opened to a command in the sandbox'],
    ['unknown credentials', ['--credentials', 'nope'], 125, 'unknown credentials `nope`; use project, '],
    ['a missing folder', ['--read', 'nope'], 125, 'does not exist'],
  ])('does not run with %s', async (_, flags, code, words) => {
    const { workspace, run } = project()
    const ended = await run(...flags, '--', 'touch ran')
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) })
    expect(ended.stderr).toMatch(/ \[CS_SANDBOX\]\n$/)
    expect(readdirSync(workspace)).toEqual([])
  })

  it('reports a missing program as a shell does', async () => {
    expect(await project().run('--', 'no-such-program', 'x')).toMatchObject({ code: 127 })
  })
})
