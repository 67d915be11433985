import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ContainedWorld, containedWorld, describeContained } from '@countersign/testing/contain/contained'
import { expect, it } from 'vitest'

function put(path: string, text = 'kept'): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

async function takenBy(world: ContainedWorld, command: string): Promise<readonly string[]> {
  const ended = await world.run(`${command}; true`)
  return ended.sandbox.restored.map(({ path }) => path.slice(world.workspace.length + 1))
}

describeContained('cleaning up after a run', () => {
  it.each([
    ['a folder', 'rm -r packages; ln -s "$OUTSIDE" packages'],
    ['a folder above', 'rm -r packages; mkdir x; ln -s "$OUTSIDE/.." packages'],
    ['a folder by way of another link', 'rm -r packages; ln -s "$OUTSIDE" hop; ln -s hop packages'],
  ])('moves nothing outside the workspace through a link in the place of %s', async (_, attack) => {
    const world = containedWorld()
    put(join(world.workspace, 'packages/outside/deep/file'))
    const outside = join(world.root, 'victims/outside')
    const files = ['.envrc', '.vscode/tasks.json', '.git/config', 'outside/.envrc', 'outside/deep/.git/hooks/x']
    for (const file of files) put(join(outside, file))
    const taken = await takenBy(world, `OUTSIDE=${outside}; ${attack}`)
    expect(taken).toEqual([])
    for (const file of files) expect(readFileSync(join(outside, file), 'utf8')).toBe('kept')
  })

  it.each([
    ['objects refs', ''],
    ['sub/objects sub/refs', 'sub/'],
  ])('protects everything else in a folder in the shape of a repository: %s', async (folders, at) => {
    const world = containedWorld()
    const kept = put(join(world.workspace, `${at}.vscode/tasks.json`))
    const config = put(join(world.workspace, `${at}.git/config`), '[core]\n')
    await world.run(`mkdir -p ${folders}; touch ${at}HEAD`)
    const taken = await takenBy(
      world,
      `echo evil > ${at}.vscode/tasks.json; echo evil > ${at}.git/config; echo evil > ${at}.envrc; mkdir ${at}.git/hooks`,
    )
    expect([...taken].sort()).toEqual([`${at}.envrc`, `${at}.git/hooks`].sort())
    expect([readFileSync(kept, 'utf8'), readFileSync(config, 'utf8')]).toEqual(['kept', '[core]\n'])
  })

  it('finds protected names below a name that is not valid UTF-8', async () => {
    const world = containedWorld()
    const taken = await takenBy(
      world,
      `mkdir -p $'a\\xff/.vscode'; echo evil > $'b\\xff.code-workspace'; echo x > $'c\\xff'`,
    )
    expect(taken).toHaveLength(2)
    expect(readdirSync(world.workspace)).toEqual(['c\u{fffd}'])
  })

  it('does not start where a folder has a name that is not valid UTF-8', async () => {
    const world = containedWorld()
    mkdirSync(Buffer.concat([Buffer.from(`${world.workspace}/a`), Buffer.from([0xff])]))
    const ended = await world.run('touch ran')
    expect(ended).toMatchObject({ how: 'not-started', problem: expect.stringContaining('not valid UTF-8') })
    expect(existsSync(join(world.workspace, 'ran'))).toBe(false)
  })

  it('does not start where there are more folders than it can search', async () => {
    const world = containedWorld()
    for (let at = 0; at < 20_001; at += 1) mkdirSync(join(world.workspace, `${at}`))
    const ended = await world.run('touch ran')
    expect(ended).toMatchObject({ how: 'not-started', problem: expect.stringContaining('more folders than') })
  })

  it('finds repositories in folders of installed code', async () => {
    const world = containedWorld()
    put(join(world.workspace, 'node_modules/a/index.js'))
    const config = put(join(world.workspace, 'node_modules/b/.git/config'), '[core]\n')
    const taken = await takenBy(
      world,
      'mkdir -p node_modules/a/.git/hooks x/node_modules/c; echo evil > node_modules/a/.git/hooks/pre-commit; echo evil > node_modules/b/.git/config; echo "gitdir: /x" > x/node_modules/c/.git',
    )
    expect([...taken].sort()).toEqual(['node_modules/a/.git', 'x/node_modules/c/.git'])
    expect(readFileSync(config, 'utf8')).toBe('[core]\n')
  })

  it('takes away a folder of hooks that settings named before it existed', async () => {
    const world = containedWorld()
    put(join(world.workspace, '.git/config'), '[core]\n\thooksPath = tools/hooks\n')
    expect(await takenBy(world, 'mkdir -p tools/hooks; echo evil > tools/hooks/pre-commit')).toEqual(['tools/hooks'])
  })

  it('takes away a folder that names the common folder of a repository', async () => {
    const world = containedWorld()
    expect(await takenBy(world, 'mkdir sub; echo "ref: x" > sub/HEAD; echo ../c > sub/commondir')).toEqual(['sub'])
  })

  it.each([
    [
      'a worktree with another common folder',
      'mkdir -p .git/worktrees/x; echo ../../../c > .git/worktrees/x/commondir',
      '.git/worktrees/x',
    ],
    ['settings of a worktree', 'echo evil > .git/worktrees/old/config.worktree', '.git/worktrees/old/config.worktree'],
    [
      'commands in a rebase',
      'mkdir .git/rebase-merge; printf "pick 1\\n x evil\\n" > .git/rebase-merge/git-rebase-todo',
      '.git/rebase-merge/git-rebase-todo',
    ],
  ])('takes away %s', async (_, attack, path) => {
    const world = containedWorld()
    put(join(world.workspace, '.git/config'), '[core]\n')
    const common = put(join(world.workspace, '.git/worktrees/old/commondir'), '../..\n')
    expect(await takenBy(world, `${attack}; echo evil > .git/worktrees/old/commondir`)).toEqual([path])
    expect(readFileSync(common, 'utf8')).toBe('../..\n')
  })

  it('leaves a worktree and a rebase without commands alone', async () => {
    const world = containedWorld()
    put(join(world.workspace, '.git/config'), '[core]\n')
    const make = 'mkdir -p .git/worktrees/x .git/rebase-merge; echo ../.. > .git/worktrees/x/commondir'
    expect(await takenBy(world, `${make}; echo "pick 1" > .git/rebase-merge/git-rebase-todo`)).toEqual([])
  })
})
