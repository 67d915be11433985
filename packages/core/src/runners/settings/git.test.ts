import { describe, expect, it } from 'vitest'
import { look, type Project } from '../fixture.mts'

const CLEAN =
  '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://x.example/a.git\n'

/** A workspace whose repository has these settings. */
const repository = (settings: string, more: Project = {}): Project => ({
  '.git/config': `${CLEAN}${settings}`,
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  ...more,
})

describe('the settings of a repository', () => {
  it.each([
    'git status',
    'git log --oneline',
    'git diff HEAD',
    'git show',
    'cd src && git status',
    'git -C src status',
  ])('prove a read without settings that run something: %s', async (command) => {
    const { risk, opaque } = await look(command, repository('', { 'src/a.ts': '' }))
    expect({ opaque, proven: risk.parts.at(-1)?.proven, provided: risk.parts.at(-1)?.provided }).toEqual({
      opaque: [],
      proven: 'reads',
      provided: undefined,
    })
  })

  it.each<[string, string]>([
    ['git status', '[core]\n\tfsmonitor = rm -rf ~\n'],
    ['git status', '[core] fsmonitor = "rm -rf ~"\n'],
    ['git log', '[core]\n\tpager = rm -rf ~; less\n'],
    ['git diff', '[diff]\n\texternal = rm -rf ~\n'],
    ['git diff', '[diff "x"]\n\ttextconv = rm -rf ~\n'],
    ['git add .', '[filter "x"]\n\tclean = rm -rf ~\n'],
    ['git st', '[alias]\n\tst = !rm -rf ~\n'],
    ['git fetch', '[core]\n\tsshCommand = rm -rf ~\n'],
    ['git push', '[credential]\n\thelper = !rm -rf ~\n'],
    ['git commit', '[core]\n\teditor = rm -rf ~\n'],
    ['git merge x', '[merge "x"]\n\tdriver = rm -rf \\\n~\n'],
    ['git -C . status', '[include]\n\tpath = ../other\n'],
    ['git status', '[includeIf "gitdir:/"]\n\tpath = ../other\n'],
  ])('are rated by the commands in them: %s with %s', async (command, settings) => {
    const { risk } = await look(command, repository(settings, { other: '[core]\nfsmonitor = rm -rf ~\n' }))
    expect(risk.level).toBe('critical')
    expect(risk.reasons[0]?.text).toMatch(/(?:config|other):\d+ `rm -rf/)
  })

  it.each<[string, Project]>([
    ['git commit -m x', { '.git/hooks/pre-commit': '#!/bin/sh\nrm -rf ~\n' }],
    ['git commit -m x', { '.git/hooks/post-commit': '#!/usr/bin/env python3\nimport os\nos.system("rm -rf ~")\n' }],
    ['git push', { '.git/hooks/pre-push': 'rm -rf ~' }],
    ['git checkout main', { '.git/hooks/post-checkout': 'rm -rf ~' }],
    ['git status', { '.git/hooks/post-index-change': 'rm -rf ~' }],
  ])('include the hooks that a verb runs: %s', async (command, hooks) => {
    expect((await look(command, repository('', hooks))).risk.level).toBe('critical')
    expect((await look('git log', repository('', hooks))).risk.level).toBe('none')
  })

  it('follow another folder of hooks', async () => {
    const project = repository('[core]\n\thooksPath = .husky\n', { '.husky/pre-commit': 'npx lint-staged\nrm -rf ~\n' })
    const { risk } = await look('git commit -m x', project)
    expect(risk.reasons[0]?.text).toMatch(/^\.husky\/pre-commit:2/)
  })

  it.each<[string, Project, RegExp]>([
    ['git status', repository('[core]\n\thooksPath = /tmp/hooks\n'), /hooks are outside/],
    ['git status', repository('[include]\n\tpath = /tmp/x\n'), /can’t be read/],
    ['git fetch', repository('[url "ext::sh"]\n\tinsteadOf = https\n'), /sets url/],
    ['GIT_DIR=x git status', repository(''), /variable/],
    ['git -c core.pager=x log', repository(''), /command line/],
    ['git --git-dir=/tmp/x status', repository(''), /outside the workspace/],
    ['git -C /tmp/x status', repository(''), /outside the workspace/],
    ['git -C "$X" status', repository(''), /unknown words/],
    ['git status', { '.git': 'gitdir: /tmp/elsewhere\n' }, /outside the workspace/],
  ])('are opaque where they can’t be read: %s', async (command, project, why) => {
    const { opaque, risk } = await look(command, project)
    expect(opaque.join('\n')).toMatch(why)
    expect(risk.parts.some(({ proven, provided }) => proven !== undefined && provided === undefined)).toBe(false)
  })

  it('are those of a folder that looks like a repository, or of the one that a worktree belongs to', async () => {
    const evil = '[core]\n\tfsmonitor = rm -rf ~\n'
    const bare: Project = { 'docs/HEAD': '', 'docs/objects/x': '', 'docs/config': evil }
    expect((await look('cd docs && git status', bare)).risk.level).toBe('critical')
    const linked: Project = {
      'tree/.git': 'gitdir: ../.git/worktrees/tree\n',
      '.git/worktrees/tree/commondir': '../..\n',
      ...repository(evil),
    }
    expect((await look('git -C tree status', linked)).risk.level).toBe('critical')
    expect((await look('git --git-dir=docs status', bare)).risk.level).toBe('critical')
  })

  it('do nothing where there is no repository', async () => {
    expect((await look('git status', {})).risk.parts[0]).toMatchObject({ proven: 'reads' })
    expect((await look('git diff a b', {})).risk.parts[0]?.proven).toBeUndefined()
  })
})
