import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ContainedWorld, containedWorld, describeContained, RUNNERS } from '@countersign/testing/contain/contained'
import { describe, expect, it } from 'vitest'

const NAMES = [
  '.vscode/tasks.json',
  '.idea/workspace.xml',
  '.envrc',
  '.husky/pre-commit',
  '.claude/settings.json',
  '.cursor/rules',
  '.countersign/policy.yaml',
  '.github/workflows/ci.yml',
  '.npmrc',
  'CLAUDE.md',
  'AGENTS.md',
  '.mcp.json',
  'demo.code-workspace',
  '.cargo/config.toml',
  '.gitattributes',
  'packages/app/.vscode/tasks.json',
  'deep/er/still/.envrc',
  '.VSCode/tasks.json',
] as const

function put(world: ContainedWorld, path: string, text: string): string {
  const file = join(world.workspace, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function git(world: ContainedWorld, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'safe.directory=*']
  return execFileSync('git', [...identity, ...args], { cwd: world.workspace, encoding: 'utf8', stdio: 'pipe' })
}

/** Ways to replace a file whose folders may be renamed. */
function attacks(path: string): string {
  const [top = path] = path.split('/')
  return [
    `echo evil > ${path}`,
    `echo evil >> ${path}`,
    `rm -rf ${top}`,
    `mv ${top} moved-away`,
    `mkdir -p ${dirname(path)}`,
    `echo evil > ${path}`,
    `echo evil > new-file && mv -f new-file ${path}`,
    `echo evil > other && ln -f other ${path}`,
    `ln -sfn /tmp ${top}`,
    `cp -r ${top} copy && echo evil > copy/x && mv -T copy ${top}`,
  ].join('; ')
}

describeContained('protected names', () => {
  describe.each(RUNNERS)('as %s', (runner) => {
    it.each(NAMES)('keeps an existing %s', async (name) => {
      const world = containedWorld(runner)
      const file = put(world, name, 'kept')
      await world.run(attacks(name))
      expect(readFileSync(file, 'utf8')).toBe('kept')
    })

    it.each(NAMES)('takes away a new %s, and says so', async (name) => {
      const world = containedWorld(runner)
      put(world, 'deep/er/file', 'x')
      const ended = await world.run(`mkdir -p ${dirname(name)} && echo evil > ${name}; true`)
      expect(existsSync(join(world.workspace, name))).toBe(false)
      expect(ended.exitCode).toBe(1)
      expect(ended.sandbox.line).toContain('the change was undone')
      const kept = ended.sandbox.restored[0]?.kept ?? ''
      expect(kept.startsWith(world.gate)).toBe(true)
      expect(existsSync(kept)).toBe(true)
      expect((await world.run('true')).exitCode).toBe(0)
    })
  })

  it('races of renames between folders do not bring a protected name in', async () => {
    const world = containedWorld()
    put(world, '.vscode/settings.json', 'kept')
    put(world, '.git/config', '[core]\n')
    put(world, '.git/hooks/sample', 'kept')
    const race = `
      mkdir -p stage/.vscode stage/hooks; echo evil > stage/.vscode/tasks.json; echo evil > stage/hooks/pre-commit
      for i in $(seq 200); do
        mv -T stage/.vscode .vscode; mv -T .git/hooks old; mv -T stage/hooks .git/hooks; mv -T .git away; mv -T away .git
        ln -sfn stage/.vscode .vscode; ln -sfn stage/hooks .git/hooks; mv stage sub; mv sub stage
      done 2>/dev/null`
    const ended = await world.run(race)
    expect(readdirSync(join(world.workspace, '.vscode'))).toEqual(['settings.json'])
    expect(readdirSync(join(world.workspace, '.git/hooks'))).toEqual(['sample'])
    expect(ended.sandbox.restored.map(({ path }) => path)).toEqual([join(world.workspace, 'stage/.vscode')])
  })

  it('finds a name that was planted in a folder made unreadable, or moved there whole', async () => {
    const world = containedWorld()
    put(world, 'a/file', 'x')
    const ended = await world.run('mkdir -p b/c/.vscode; mv b a/b; mkdir d; mv a d/a; true')
    expect(ended.sandbox.restored).toMatchObject([{ path: join(world.workspace, 'd/a/b/c/.vscode') }])
  })

  describe('git', () => {
    function repository(): ContainedWorld {
      const world = containedWorld()
      git(world, 'init', '-q')
      put(world, 'a', 'one\n')
      git(world, 'add', '.')
      git(world, 'commit', '-qm', 'one')
      return world
    }

    it('works as usual: status, add, commit, branch, stash, gc, merge', async () => {
      const world = repository()
      const ended = await world.run(
        `set -e; git config user.name >/dev/null || export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b
         git status --short; echo two >> a; git stash -q; git stash pop -q; git commit -qam two; git switch -qc other; echo b > b; git add b
         git commit -qm b; git switch -q -; git merge -q other; git gc -q; git log --oneline | wc -l; git init -q nested; git worktree list >/dev/null`,
      )
      expect(ended).toMatchObject({ exitCode: 0, sandbox: { restored: [] } })
      expect(git(world, 'log', '--format=%s')).toBe('b\ntwo\none\n')
    })

    it.each([
      ['a hook', 'echo evil > .git/hooks/pre-commit'],
      ['a hook in a replaced folder', 'mv .git/hooks .git/x; mkdir .git/hooks; echo evil > .git/hooks/pre-commit'],
      ['a whole new repository', 'mv .git old; cp -r old .git; echo evil > .git/hooks/pre-commit'],
      ['settings', 'git config core.fsmonitor evil; printf "[core]\\n\\tfsmonitor = evil\\n" >> .git/config'],
      ['settings by rename', 'printf "[core]\\n\\tfsmonitor = evil\\n" > .git/c; mv .git/c .git/config'],
      ['a common folder', 'mkdir c; printf "[core]\\n\\tfsmonitor = evil\\n" > c/config; echo ../c > .git/commondir'],
      ['settings of a worktree', 'printf "[core]\\n\\tfsmonitor = evil\\n" > .git/config.worktree'],
      ['attributes', 'mkdir -p .git/info; echo "* filter=evil" > .git/info/attributes'],
    ])('cannot be given %s', async (_, attack) => {
      const world = repository()
      const before = [
        readFileSync(join(world.workspace, '.git/config'), 'utf8'),
        readdirSync(join(world.workspace, '.git/hooks')),
      ]
      await world.run(`${attack}; true`)
      const after = [
        readFileSync(join(world.workspace, '.git/config'), 'utf8'),
        readdirSync(join(world.workspace, '.git/hooks')),
      ]
      expect(after).toEqual(before)
      for (const name of ['commondir', 'config.worktree', 'info/attributes'])
        expect(existsSync(join(world.workspace, '.git', name))).toBe(false)
    })

    it.each([
      [
        'with a hook',
        'git init -q sub; echo evil > sub/.git/hooks/pre-commit; chmod +x sub/.git/hooks/pre-commit',
        'sub/.git',
      ],
      ['with a program in its settings', 'git init -q sub; git -C sub config core.fsmonitor evil', 'sub/.git'],
      [
        'with settings on a section’s line',
        'git init -q sub; echo "[core] fsmonitor = evil" >> sub/.git/config',
        'sub/.git',
      ],
      ['that includes other settings', 'git init -q sub; git -C sub config include.path ../evil', 'sub/.git'],
      ['with a helper as its remote', 'git init -q sub; git -C sub remote add origin "ext::evil"', 'sub/.git'],
      [
        'in the shape of a bare one',
        'mkdir -p sub/objects sub/refs; echo "ref: x" > sub/HEAD; echo "[core] fsmonitor = evil" > sub/config',
        'sub',
      ],
      ['that is a file', 'mkdir sub; echo "gitdir: /tmp/x" > sub/.git', 'sub/.git'],
    ])('takes away a new repository %s', async (_, attack, path) => {
      const world = repository()
      const ended = await world.run(`${attack}; true`)
      expect(ended.sandbox.restored).toMatchObject([{ path: join(world.workspace, path) }])
      expect(existsSync(join(world.workspace, path))).toBe(false)
    })

    it('keeps hooks and settings that its configuration names elsewhere in the workspace', async () => {
      const world = repository()
      const hook = put(world, 'tools/hooks/pre-commit', 'kept')
      const more = put(world, 'tools/more.ini', 'kept')
      git(world, 'config', 'core.hooksPath', 'tools/hooks')
      git(world, 'config', 'include.path', '../tools/more.ini')
      await world.run(`${attacks('tools/hooks/pre-commit')}; ${attacks('tools/more.ini')}`)
      expect([readFileSync(hook, 'utf8'), readFileSync(more, 'utf8')]).toEqual(['kept', 'kept'])
    })

    it.each([
      ['filter.tidy.clean', './tools/tidy.sh %f', 'tools/tidy.sh'],
      ['filter.tidy.smudge', 'node tidy.js', 'tidy.js'],
      ['diff.words.textconv', '"tools/words.py"', 'tools/words.py'],
      ['alias.st', '!sh tools/status.sh; git status', 'tools/status.sh'],
    ])('keeps a program of the workspace that its configuration runs as %s', async (key, value, program) => {
      const world = repository()
      const path = put(world, program, 'kept')
      git(world, 'config', key, value)
      await world.run(attacks(program))
      expect(readFileSync(path, 'utf8')).toBe('kept')
    })

    it('takes away a program that its configuration named before it existed', async () => {
      const world = repository()
      git(world, 'config', 'filter.tidy.clean', './tools/tidy.sh %f')
      const ended = await world.run('mkdir tools; echo evil > tools/tidy.sh')
      expect(ended.sandbox.restored).toMatchObject([{ path: join(world.workspace, 'tools/tidy.sh') }])
    })

    it('works in a linked worktree, and protects what it shares', async () => {
      const world = repository()
      const linked = join(world.root, 'linked')
      git(world, 'worktree', 'add', '-q', linked)
      const places = { ...world.places, workspace: linked }
      Object.assign(world.places, places)
      const identity = 'export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b'
      const common = join(world.workspace, '.git')
      const config = readFileSync(join(common, 'config'), 'utf8')
      expect(
        await world.run(`${identity}; echo two > a && git commit -qam two && git status --short`, { cwd: linked }),
      ).toMatchObject({ exitCode: 0 })
      expect(git(world, 'log', '-1', '--format=%s', 'linked')).toBe('two\n')
      await world.run(
        `echo evil > ${common}/hooks/pre-commit; echo evil >> ${common}/config; mv ${common} ${common}.x; echo evil > ${common}/worktrees/linked/config.worktree; echo evil > ${world.workspace}/a; echo evil > .git`,
        { cwd: linked },
      )
      expect(readFileSync(join(common, 'config'), 'utf8')).toBe(config)
      expect(existsSync(join(common, 'hooks/pre-commit'))).toBe(false)
      expect(existsSync(join(common, 'worktrees/linked/config.worktree'))).toBe(false)
      expect(readFileSync(join(world.workspace, 'a'), 'utf8')).toBe('one\n')
      expect(readFileSync(join(linked, '.git'), 'utf8')).toContain('gitdir')
    })

    it('is not led into another repository by a `.git` file', async () => {
      const victim = repository()
      const world = containedWorld()
      writeFileSync(join(world.workspace, '.git'), `gitdir: ${join(victim.workspace, '.git')}\n`)
      const ended = await world.run(`ls ${victim.workspace}/.git; echo evil > ${victim.workspace}/.git/HEAD`)
      expect(ended.output).not.toContain('HEAD\n')
      expect(readFileSync(join(victim.workspace, '.git/HEAD'), 'utf8')).toContain('ref:')
    })

    it('reads, but does not change, a repository around the workspace', async () => {
      const world = repository()
      const inner = put(world, 'packages/app/file', 'x\n')
      git(world, 'add', '.')
      git(world, 'commit', '-qm', 'two')
      const cwd = dirname(inner)
      Object.assign(world.places, { workspace: cwd })
      const ended = await world.run(
        'git log --oneline | wc -l; git status --short; echo y > file; echo evil > ../../a; echo evil > ../../.git/HEAD',
        { cwd },
      )
      expect(ended.output).toMatch(/^2\n/)
      expect(readFileSync(inner, 'utf8')).toBe('y\n')
      expect(readFileSync(join(world.workspace, 'a'), 'utf8')).toBe('one\n')
      expect(git(world, 'status', '--short')).toContain('packages/app/file')
    })
  })
})
