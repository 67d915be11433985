import { describe, expect, it } from 'vitest'
import type { PendingFiles, WorkTreeStates } from '../../ports/repositories.ts'
import { look, NOTHING_TOLD, type Project, projectPorts } from '../fixture.mts'

const PLAIN: Project = {
  '.git/config':
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://x.example/a.git\n[branch "main"]\n\tremote = origin\n\tvscode-merge-base = origin/main\n[alias]\n\tst = status\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/refs/x': '',
  'src/a.ts': '',
}

/** What the last part of a command is proven to do, where git lists these files as changed. */
async function proven(
  command: string,
  project: Project = PLAIN,
  pending: readonly string[] | undefined = ['a.ts'],
  between?: readonly string[],
) {
  const asked: (PendingFiles | WorkTreeStates)[] = []
  const repositories = {
    ...NOTHING_TOLD,
    between: async (_top: string, states: WorkTreeStates) => {
      asked.push(states)
      return between
    },
    pending: async (_top: string, which: PendingFiles) => {
      asked.push(which)
      return pending
    },
  }
  const { risk } = await look(command, project, { ...projectPorts(project), repositories })
  const { proven: effect, provided } = risk.parts.findLast(({ command: { origin } }) => origin === undefined) ?? {}
  return { effect: provided === undefined ? effect : undefined, asked }
}

describe('a change of the repository is proven', () => {
  it.each([
    'git add -A',
    'git add src/a.ts',
    'git add .',
    'git commit -qm "feat: x"',
    "git commit -am 'fix: y' --author='A <a@x.example>'",
    'git commit --allow-empty --message=x',
    'git tag v1',
    'git tag -a v1 -m one',
    'git branch feature',
    'git branch -d feature',
    'git checkout -q -b feature',
    'git switch -c feature',
    'git reset -q HEAD~1',
    'git restore --staged src/a.ts',
    'cd src && git add a.ts',
    'git -c user.name=Ana -c advice.detachedHead=false commit -m x',
    'GIT_AUTHOR_DATE=2026-01-01 TZ=UTC git commit -m x',
  ])('%s', async (command) => {
    expect((await proven(command)).effect).toBe('changes')
  })

  it.each([
    'git ls-remote --heads .',
    'git config --get user.name',
    'git config core.bare',
    'git config --local --list',
    'git --git-dir=.git config --get core.bare',
    'git clean -ndx',
    'git format-patch --stdout -1',
    "git for-each-ref --format='%(refname)'",
    'git worktree list',
    'git stash list',
    'git branch --list',
    'git -c core.pager=cat -c color.ui=never log',
    'GIT_PAGER=cat git log',
    'GIT_CONFIG_GLOBAL=/dev/null git status',
  ])('and that %s only reads', async (command) => {
    expect((await proven(command)).effect).toBe('reads')
  })

  it.each([
    'git add -p',
    'git add --edit',
    'git add --pathspec-from-file=list',
    "git add ':(glob)**'",
    "git add '*.ts'",
    'git add ../other',
    'git commit',
    'git commit -m x --edit',
    'git commit -m x --ed',
    'git commit -m x -e',
    'git commit -m x --no-verify',
    'git commit -m x -n',
    'git commit -m x -S',
    'git commit --amend -m x',
    'git commit -m x -p',
    'git tag -a v1',
    'git tag -s v1 -m x',
    'git branch -D feature',
    'git branch --edit-description',
    'git branch -u origin/main',
    'git checkout main',
    'git checkout -b x origin/main',
    'git checkout -b x -- a',
    'git checkout -B x',
    'git reset --hard',
    'git reset --keep HEAD~1',
    'git restore --staged --worktree src/a.ts',
    'git stash',
    'git stash pop',
    'git merge feature',
    'git clean -fd',
    'git clean -fd -e -n',
    'git format-patch -1',
    'git format-patch --to --stdout -1',
    'git ls-remote',
    'git ls-remote origin',
    'git ls-remote ../other',
    'git ls-remote --upload-pack=./x .',
    'git config --list',
    'git config --get http.extraheader',
    'git config --get-regexp .',
    'git config user.name Ana',
    'git config --get user.name --file=x',
    'git cat-file --batch-all-objects --batch',
    'git cat-file --textconv HEAD:a',
    'git -c core.hooksPath=h commit -m x',
    'git -c alias.x=y tag v1',
    'git -c commit.template=x commit -m x',
    'git -c core.pager=less log',
    'git -c include.path=x status',
    'git --exec-path=x tag v1',
    'git --work-tree=.. add -A',
    'git --namespace=x tag v1',
    'GIT_DIR=x git tag v1',
    'GIT_INDEX_FILE=x git add -A',
    'GIT_EXEC_PATH=. git tag v1',
    'GIT_TRACE=/tmp/x git tag v1',
    'GIT_AUTHOR_NAME=$X git commit -m x',
    'PATH=. git tag v1',
    'LD_PRELOAD=x git tag v1',
  ])('but not of %s', async (command) => {
    expect((await proven(command)).effect).toBeUndefined()
  })

  it('with the files that are staged listed as git would stage them', async () => {
    const which = async (command: string) => (await proven(command)).asked
    expect(await which('git add -A')).toEqual([{ paths: [], untracked: 'new' }])
    expect(await which('git add -f src')).toEqual([{ paths: ['src'], untracked: 'ignored' }])
    expect(await which('git add -u')).toEqual([{ paths: [], untracked: 'none' }])
    expect(await which('cd src && git add . ../b.ts')).toEqual([{ paths: ['src', 'b.ts'], untracked: 'new' }])
    expect(await which('git commit -m x')).toEqual([{ paths: [], untracked: 'none' }])
    expect(await which('git tag v1')).toEqual([])
    // A list of ignored files that the same command writes is not the one that git reads now.
    const ignored = [{ paths: [], untracked: 'ignored' }]
    expect(await which('echo dist > .gitignore; git add -A')).toEqual(ignored)
    expect(await which('cp -r next/. . && git add -A')).toEqual(ignored)
    expect(await which('echo a > a.txt; git add -A')).toEqual([{ paths: [], untracked: 'new' }])
  })

  it.each<[string, readonly string[] | undefined]>([
    ['git add -A', ['.env']],
    ['git add -A', ['a.ts', 'keys/server.pem']],
    ['git add -f id_rsa', ['id_rsa']],
    ['git add -A', ['sub/']],
    ['git add -A', undefined],
    ['git commit -am x', ['.env']],
  ])('but not of %s where git lists %j', async (command, pending) => {
    expect((await proven(command, PLAIN, pending ?? (null as never))).effect).toBeUndefined()
  })
})

describe('moving the work tree between states is proven', () => {
  const moved = (command: string, between?: readonly string[], more: Project = {}) =>
    proven(command, { ...PLAIN, ...more }, undefined, between)

  it.each<[string, WorkTreeStates]>([
    ['git checkout -q main', { switched: ['main'], merged: [], stashes: [] }],
    ['git switch feature/x', { switched: ['feature/x'], merged: [], stashes: [] }],
    ['git checkout HEAD~1', { switched: ['HEAD~1'], merged: [], stashes: [] }],
    ['git checkout main && git merge -q --no-edit x', { switched: ['main'], merged: ['x'], stashes: [] }],
    ['git stash -q && git status && git stash pop', { switched: [], merged: [], stashes: ['stash', 'pop'] }],
    ["git stash push -m 'half done'", { switched: [], merged: [], stashes: ['stash'] }],
  ])('%s', async (command, states) => {
    const { effect, asked } = await moved(command, ['src/a.ts', 'Makefile'])
    expect({ effect, states: asked.at(-1) }).toEqual({ effect: 'changes', states })
  })

  it.each([
    ['.vscode/tasks.json'],
    ['sub/.husky/pre-commit'],
    ['.gitattributes'],
    ['.gitmodules'],
    ['.env'],
    ['CLAUDE.md'],
  ])('but not where %s differs', async (path) => {
    expect((await moved('git checkout main', ['a.ts', path])).effect).toBeUndefined()
  })

  it.each([
    'git checkout main -- .',
    'git checkout main x -- a.ts',
    'git checkout main -- ../b.ts',
    "git checkout -- '*.ts'",
    'git checkout -- a.ts && git checkout main',
    'git restore -s main a.ts',
    'git restore -p a.ts',
    'cd src && git restore a.ts',
    'cd missing; git add -f .',
    'git checkout -f main',
    'git checkout -m main',
    'git checkout --recurse-submodules main',
    'git checkout .',
    'git checkout -',
    'git switch --discard-changes main',
    'git merge --no-ff x',
    'git merge -s ours x',
    'git merge x y',
    'git stash -u',
    'git stash -a',
    'git stash -p',
    'git stash drop',
    "git stash pop 'stash@{1}'",
    'git checkout main && git stash pop',
    'git commit -m x && git checkout main',
    'git commit -m x && git checkout HEAD^2',
    'git add ../x && git checkout HEAD',
    'git checkout-index -f --prefix=../ a.ts',
    'git update-index --cacheinfo 100644,1234,a.ts',
    'git fetch origin',
    'git fetch --upload-pack=./x .',
    'git checkout HEAD~1 && git checkout HEAD~1',
    'echo x > notes.txt && git stash',
    'git tag -f v1 x && git checkout v1',
    'cd src && git checkout main',
    'git -C src checkout main',
    'GIT_WORK_TREE=.. git checkout main',
    'git --work-tree=.. checkout main',
    'git apply p.diff',
    'git cherry-pick x',
    'git revert HEAD',
    'git pull',
    'git rebase main',
  ])('but not %s', async (command) => {
    expect((await moved(command, [])).effect).toBeUndefined()
  })

  it('after a commit, with what it may mean: the commit before, or the one before that', async () => {
    const { effect, asked } = await moved('git commit -qam next && git checkout -q HEAD~1', ['a.ts'])
    expect(effect).toBe('changes')
    expect(asked).toContainEqual(expect.objectContaining({ switched: ['HEAD~1', 'HEAD~0'] }))
  })

  it.each(['git fetch -q .', 'git update-index --add a.ts', 'git checkout-index -f a.ts'])(
    'and so is %s',
    async (command) => {
      expect((await moved(command, ['a.ts'])).effect).toBe('changes')
      const config = `${PLAIN['.git/config']}[remote "."]\n\turl = https://x.example/b.git\n`
      expect((await proven(command, { ...PLAIN, '.git/config': config }, ['a.ts'], ['a.ts'])).effect).toBeUndefined()
    },
  )

  it('but not where git can’t tell, or a link is in the way', async () => {
    expect((await moved('git checkout main')).effect).toBeUndefined()
    const linked: Project = { 'docs/a.md': { leads: '../src/a.ts' } }
    expect((await moved('git checkout main', ['docs/a.md'], linked)).effect).toBeUndefined()
  })

  it('but not with filters that the person set for all', async () => {
    const filters: Project = { '/home/you/.gitconfig': '[filter "lfs"]\n\tsmudge = git-lfs smudge -- %f\n' }
    expect((await moved('git checkout main', ['a.bin'], filters)).effect).toBeUndefined()
    expect((await moved('git tag v1', [], filters)).effect).toBe('changes')
  })

  it('and binds what the names mean', async () => {
    const project: Project = { ...PLAIN, '.git/refs/heads/x': 'abc\n', '.git/packed-refs': '' }
    const repositories = { ...NOTHING_TOLD, between: async () => [] }
    const { seen } = await look('git checkout x', project, { ...projectPorts(project), repositories })
    const bound = [...(seen?.files.map(({ path }) => path) ?? []), ...(seen?.absent ?? [])]
    for (const name of ['HEAD', 'packed-refs', 'refs/heads/x', 'refs/heads/main', 'refs/tags/x'])
      expect(bound).toContain(`/home/you/app/.git/${name}`)
  })
})

describe('no change of a repository is proven', () => {
  const config = PLAIN['.git/config']
  it.each<[string, Project]>([
    ['with a hook', { '.git/hooks/pre-commit': '#!/bin/sh\n./check.sh\n' }],
    [
      'with a hook of the workspace',
      { '.git/config': `${config}[core]\n\thooksPath = tools\n`, 'tools/commit-msg': 'x' },
    ],
    ['with hooks outside', { '.git/config': `${config}[core]\n\thooksPath = /opt/hooks\n` }],
    ['with hooks that the person set for all', { '/home/you/.gitconfig': '[core]\n\thooksPath = .tools\n' }],
    [
      'with such hooks in an included file',
      {
        '/home/you/.gitconfig': '[includeIf "gitdir:~/app/"]\n\tpath = ~/.gitconfig-app\n',
        '/home/you/.gitconfig-app': '[core]\n\thooksPath = ~/hooks\n',
      },
    ],
    ['with a filter', { '.git/config': `${config}[filter "x"]\n\tclean = cat\n` }],
    ['with a file system monitor', { '.git/config': `${config}[core]\n\tfsmonitor = ./x\n` }],
    ['with a setting that is not listed', { '.git/config': `${config}[remote "origin"]\n\tpromisor = true\n` }],
    ['with submodules', { '.git/config': `${config}[submodule "x"]\n\tactive = true\n` }],
    ['with settings that can’t be parsed', { '.git/config': `${config}[core\n\tx = y\n` }],
    ['with two sections in one line', { '.git/config': `${config}[user] [core] fsmonitor = ./x\n` }],
    ['with a setting below a comment', { '.git/config': `${config}# \\\n[core]\n\tfsmonitor = ./x\n` }],
    [
      'with a setting below a value with a comment',
      { '.git/config': `${config}\tname = x # \\\n[core]\n\tfsmonitor = ./x\n` },
    ],
    [
      'with settings of a worktree',
      {
        '.git/config': `${config}[extensions]\n\tworktreeConfig = true\n`,
        '.git/config.worktree': '[core]\n\tfsmonitor = ./x\n',
      },
    ],
    ['that takes its settings from elsewhere', { '.git/commondir': '../store\n' }],
  ])('%s', async (_, more) => {
    expect((await proven('git commit -m x', { ...PLAIN, ...more })).effect).toBeUndefined()
  })

  it('and git is not asked about it, where its settings are not all known', async () => {
    const included = { ...PLAIN, '.git/config': '[include]\n\tpath = /tmp/x\n' }
    const bare: Project = { 'view/HEAD': 'x', 'view/config': '', 'view/objects/x': '', 'view/refs/x': '' }
    expect((await proven('git add -A', included)).asked).toEqual([])
    expect((await proven('cd view && git add -A', bare)).asked).toEqual([])
  })

  it('outside a `.git` folder, since it may borrow objects from elsewhere', async () => {
    const bare: Project = { 'view/HEAD': 'x', 'view/config': '', 'view/objects/x': '', 'view/refs/x': '' }
    for (const command of ['git --git-dir=view log', 'cd view && git log', 'cd view && git tag v1'])
      expect((await proven(command, bare)).effect).toBeUndefined()
  })

  it('in a folder whose settings are in another one', async () => {
    const split: Project = { ...PLAIN, 'docs/HEAD': 'x', 'docs/commondir': '../store', 'store/config': '' }
    expect((await proven('cd docs && git log', split)).effect).toBeUndefined()
  })

  it('that git would not take for one', async () => {
    const { '.git/refs/x': _, ...rest } = PLAIN
    expect((await proven('git commit -m x', rest)).effect).toBeUndefined()
  })
})
