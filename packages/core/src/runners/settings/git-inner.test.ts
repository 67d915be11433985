import { describe, expect, it } from 'vitest'
import { look, type Project, projectPorts } from '../fixture.mts'

const CLEAN = '[core]\n\trepositoryformatversion = 0\n'
const WORKTREE = '[core]\n\tworktree = ../../../sub\n'

/** A workspace whose index names the repository in `sub`, as a submodule. */
const project = (settings: string, more: Project = {}): Project => ({
  '.git/config': CLEAN,
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/index': 'sub\n',
  'sub/.git': 'gitdir: ../.git/modules/sub\n',
  '.git/modules/sub/config': `${CLEAN}${settings}`,
  ...more,
})

describe('the settings of a submodule', () => {
  it.each(['git status', 'git diff', 'git diff --submodule=diff', 'git log --oneline', 'cd sub && git status'])(
    'prove a read if they run nothing, and name its own folder: %s',
    async (command) => {
      const { risk, opaque } = await look(command, project(WORKTREE))
      expect({ opaque, proven: risk.parts.at(-1)?.proven }).toEqual({ opaque: [], proven: 'reads' })
    },
  )

  it.each<[string, string, Project]>([
    ['git status', '[filter "x"]\n\tclean = rm -rf ~\n', {}],
    ['git diff', '[core]\n\tfsmonitor = rm -rf ~\n', {}],
    ['git add -A', '[filter "x"]\n\tprocess = rm -rf ~\n', {}],
    ['git diff --submodule=diff', '[diff]\n\texternal = rm -rf ~\n', {}],
    ['git describe --dirty', '[diff "x"]\n\ttextconv = rm -rf ~\n', {}],
    ['git status', '', { '.git/modules/sub/hooks/post-index-change': 'rm -rf ~\n' }],
    [
      'git status',
      '',
      {
        '.git/modules/sub/index': 'deep\n',
        'sub/deep/.git/config': `${CLEAN}[core]\n\tfsmonitor = rm -rf ~\n`,
      },
    ],
  ])('are rated by the commands in them: %s with %j', async (command, settings, more) => {
    expect((await look(command, project(settings, more))).risk.level).toBe('critical')
    expect((await look('git rev-parse HEAD', project(settings, more))).risk.level).toBe('none')
  })

  it.each<[string, Project, RegExp]>([
    ['git status', { '.git/modules/sub/config': `${CLEAN}[core]\n\tworktree = ../../../src\n` }, /sets core.worktree/],
    ['git status', { 'sub/.git': 'gitdir: /srv/other\n' }, /the repository in `sub` can’t be read/],
    ['git status', { '.git/modules/sub/config.worktree': '' }, /has its own settings/],
    ['git reset -q HEAD~1; git status', {}, /an earlier reset/],
    ['git reset x && git diff', {}, /an earlier reset/],
  ])('are opaque where they can’t be told: %s with %j', async (command, more, why) => {
    expect((await look(command, project('', more))).opaque.join('\n')).toMatch(why)
  })

  it('are opaque if git can’t list them', async () => {
    const ports = projectPorts(project(''))
    const { repositories: _, ...less } = ports
    expect((await look('git status', project(''), less)).opaque.join('\n')).toMatch(
      /can’t be (?:listed|looked through)/,
    )
  })

  it('are bound to the decision', async () => {
    const { seen } = await look('git status -s', project(''))
    expect(seen?.files.map(({ path }) => path)).toContain('/home/you/app/.git/modules/sub/config')
  })
})

describe('what a repository makes git read', () => {
  const alone = (more: Project): Project => ({
    '.git/config': CLEAN,
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/objects/x': '',
    ...more,
  })

  it.each<[string, Project]>([
    ['git blame a.ts', { '.git/config': `${CLEAN}[blame]\n\tignoreRevsFile = ~/.netrc\n` }],
    ['git fsck', { '.git/config': `${CLEAN}[fsck]\n\tskipList = ../.netrc\n` }],
    ['git log', { '.git/config': `${CLEAN}[mailmap]\n\tfile = ../.netrc\n` }],
    ['git diff', { '.git/config': `${CLEAN}[diff]\n\torderFile = .env\n` }],
    ['git log', { '.git/packed-refs': { leads: '../../.netrc' } }],
    ['git log', { '.git/logs/HEAD': { leads: '/home/you/.netrc' }, '/home/you/.netrc': 'x' }],
    ['git show HEAD', { '.git/config': `${CLEAN}[remote "x"]\n\tpromisor = true\n` }],
    ['git show HEAD', { '.git/config': `${CLEAN}[extensions]\n\tpartialClone = x\n` }],
    ['git diff', { '.git/config': `${CLEAN}[diff]\n\tsubmodule = diff\n` }],
  ])('is not proven to be harmless: %s with %j', async (command, more) => {
    const { opaque, runs } = await look(command, alone(more))
    expect([...opaque, ...runs].join('\n')).toMatch(/ sets | reads /)
  })

  it.each<[string, Project]>([
    ['git blame a.ts', { '.git/config': `${CLEAN}[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n` }],
    ['git log', { '.git/config': `${CLEAN}[blame]\n\tignoreRevsFile = ../.netrc\n` }],
    ['git log', { '.git/refs/heads/x': { leads: 'main' }, '.git/refs/heads/main': 'x\n' }],
    ['git log', { '.git/config': `${CLEAN}[diff]\n\tsubmodule = log\n` }],
  ])('does not matter for files of the repository, or for other verbs: %s with %j', async (command, more) => {
    const { risk, opaque } = await look(command, alone({ '.git-blame-ignore-revs': '', ...more }))
    expect({ level: risk.level, opaque }).toEqual({ level: 'none', opaque: [] })
  })
})
