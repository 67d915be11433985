import { over, timesAsLong } from '@countersign/testing/time-ratio'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { segmentsMatch } from '../../../../../test/model/path-conditions.ts'
import { textMatches } from '../../../../../test/model/tri.ts'
import { compileNameGlob, compilePathGlob, compileTextGlob, relativeTo } from './glob.ts'

const PLACES = { workspace: '/srv/app', home: '/home/ann', gate: '/home/ann/.gate', temp: '/tmp' }

describe('a name glob', () => {
  it.each([
    ['deploy*', 'deploy_app', true],
    ['deploy*', 'DEPLOY', true],
    ['Postgres/*', 'postgres/query', true],
    ['postgres/*', 'postgres', false],
    ['*', 'a/b', true],
    ['*delete*', 'get_and_delete_all', true],
    ['ls', 'lsof', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*a', 'a', false],
    ['a.c', 'abc', false],
  ])('%s on %s: %s', (pattern, name, matches) => {
    expect(compileNameGlob(pattern)(name)).toBe(matches)
  })

  it('matches like a naive matcher', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*'), maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (p, t) => {
        expect(compileTextGlob(p)(t)).toBe(textMatches(p, t))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('the pattern for protected files', () => {
  // One of each kind that the presets exclude from unasked edits.
  const PROTECTED = [
    ...[
      '.git/config',
      'sub/.git/hooks/pre-commit',
      '.hg/hgrc',
      '.jj/x',
      '.husky/pre-push',
      '.githooks/x',
      '.gitattributes',
    ],
    ...[
      '.gitmodules',
      '.pre-commit-config.yaml',
      'lefthook-local.toml',
      '.lintstagedrc',
      'a/CODEOWNERS',
      'Jenkinsfile.prod',
    ],
    ...['.github/workflows/ci.yml', '.gitlab-ci.yaml', '.circleci/config.yml', '.drone.yaml', 'azure-pipelines.yaml'],
    ...[
      '.goreleaser.yaml',
      'buildspec.yaml',
      'cloudbuild.yml',
      '.tekton/run.yaml',
      '.vscode/tasks.json',
      '.idea/x.xml',
    ],
    ...['x.code-workspace', '.devcontainer/devcontainer.json', '.nvim.lua', '.dir-locals.el', '.bashrc', '.zshenv'],
    ...['.Rprofile', '.gdbinit', '.pythonrc.py', 'mise.toml', '.direnv/x', 'lib/sitecustomize.py', 'x.pth'],
    ...[
      '.pnpmfile.cjs',
      '.bazelrc',
      '.cargo/config.toml',
      '.mvn/jvm.config',
      '.bundle/config',
      'AGENTS.md',
      'docs/CLAUDE.md',
    ],
    ...[
      'CLAUDE.local.md',
      '.cursorrules',
      '.aider.conf.yml',
      '.mcp.json',
      'mcp.jsonc',
      'opencode.json',
      '.claude/settings.json',
    ],
    ...['.cursor/mcp.json', '.codex/config.toml', '.countersign/policy.yaml', '.amazonq/x', '.VSCode/tasks.json'],
    ...['kit/HEAD', 'kit/head.', 'kit/commondir', 'kit/gitdir'],
  ]
  const ORDINARY = [
    'package.json',
    'Makefile',
    'src/git/config.ts',
    'src/a.ts',
    '.gitignore',
    'docs/agents/x.md',
    'hooks/use.ts',
    'src/head.ts',
    'HEAD/x',
  ]
  const matches = compilePathGlob('${protected}')

  it.each(PROTECTED)('matches %s', (path) => {
    expect(matches(`/srv/app/${path}`, PLACES)).toBe(true)
    expect(matches(`/home/ann/${path}`, PLACES)).toBe(true)
  })

  // As HFS+, case-insensitive file systems and Windows (a workspace below `/mnt/c`) read them.
  it.each([
    '.GIT/hooks/pre-commit',
    '.git./hooks/pre-commit',
    '.git . /hooks/pre-commit',
    '.git::$INDEX_ALLOCATION/hooks/pre-commit',
    'GIT~1/hooks/pre-commit',
    '.g\u200cit/hooks/pre-commit',
    '.hu\u017fky/pre-push',
    '.\uff47it/hooks/pre-commit',
    'CLAUDE~1/settings.json',
    'MCP~1.JSO',
    '.VSCode./tasks.json',
    '.cargo./config.toml',
  ])('matches other spellings: %j', (path) => {
    expect(matches(`/srv/app/${path}`, PLACES)).toBe(true)
  })

  it.each(['src/a~1.ts', 'git~/x', 'notes.', 'a:b', '...', '.gitx.', 'a.~1~'])('does not match %j', (path) => {
    expect(matches(`/srv/app/${path}`, PLACES)).toBe(false)
  })

  it.each(ORDINARY)('does not match %s', (path) => {
    expect(matches(`/srv/app/${path}`, PLACES)).toBe(false)
  })

  it('does not match the files of a workspace because of where the workspace is', () => {
    const places = { ...PLACES, workspace: '/home/ann/.claude/worktrees/one' }
    expect(matches('/home/ann/.claude/worktrees/one/src/a.ts', places)).toBe(false)
    expect(matches('/home/ann/.claude/settings.json', places)).toBe(true)
  })
})

describe('a path glob', () => {
  it.each([
    ['src/*.ts', '/srv/app/src/a.ts', true],
    ['src/*.ts', '/srv/app/src/deep/a.ts', false],
    ['src/**', '/srv/app/src/deep/a.ts', true],
    ['src/**', '/srv/app/src', true],
    ['src/**', '/srv/app/srcs', false],
    ['src/**', '/elsewhere/src/a', false],
    ['**/.env*', '/srv/app/.env', true],
    ['**/.env*', '/elsewhere/deep/.env.local', true],
    ['**/.env*', '/srv/app/x.env', false],
    ['.git/**', '/srv/app/.git', true],
    ['*', '/srv/app/.hidden', true],
    ['/etc/*', '/etc/passwd', true],
    ['/etc/*', '/etc/ssl/key', false],
    ['/etc/**', '/etc', true],
    ['/**/id_{rsa,ed25519}', '/home/ann/.ssh/id_rsa', true],
    ['/**/id_{rsa,ed25519}', '/home/ann/.ssh/id_dsa', false],
    ['~/.ssh/**', '/home/ann/.ssh/id', true],
    ['${home}/.ssh/**', '/home/ann/.ssh', true],
    ['${workspace}/a?c', '/srv/app/abc', true],
    ['${workspace}/a?c', '/srv/app/a/c', false],
    ['[a-c]x', '/srv/app/bx', true],
    ['[!a-c]x', '/srv/app/bx', false],
    ['a/**/b', '/srv/app/a/b', true],
    ['a/**/b', '/srv/app/a/x/y/b', true],
    ['a/**/b', '/srv/app/ab', false],
    ['caf\u00e9', '/srv/app/caf\u00e9', true],
    ['cafe\u0301', '/srv/app/caf\u00e9', true],
    ['?', '/srv/app/😀', true],
  ])('%s on %s: %s', (pattern, path, matches) => {
    expect(compilePathGlob(pattern)(path, PLACES)).toBe(matches)
  })

  it('matches like a naive matcher', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '*', '**', '?', 'a*', '*b', '{a,b}', '[ab]', '[!a]b', '{a,ab}*')
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 })
    const path = fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', 'aab'), { minLength: 1, maxLength: 4 })
    const property = fc.property(pattern, path, (p, t) => {
      expect(compilePathGlob(`/${p.join('/')}`)(`/${t.join('/')}`, PLACES)).toBe(segmentsMatch(p, t))
    })
    fc.assert(property, { numRuns: 3000 })
  })

  it('refuses an unclosed bracket', () => {
    expect(() => compilePathGlob('a[b')).toThrowError(expect.objectContaining({ code: 'CS_POLICY_INVALID' }))
  })

  // A25: one text of eight times the length costs as much as eight texts; quadratic time would be 8 times as much, cubic time 64 times.
  it.each([
    '/**/a**/**/*a*a*a*a*a*a*a*b',
    '/{a,aa,aaa}*{a,aa,aaa}*{a,aa,aaa}*{a,aa,aaa}*b',
    '/*a?*a?*a?*a?*a?*[a]*[a]*b',
  ])('takes linear time for %s', async (pattern) => {
    const matches = compilePathGlob(pattern)
    const matching = (length: number) => {
      const text = `/${'a'.repeat(length)}`
      return () => {
        for (let time = 0; time < 4; time += 1) expect(matches(text, PLACES)).toBe(false)
      }
    }
    expect(await timesAsLong(matching(3200), over(8, matching(400)), 5)).toBeLessThan(5)
  })
})

describe('a folder', () => {
  it.each([
    ['/srv/app', '/srv/app', ''],
    ['/srv/app', '/srv/app/a/b', 'a/b'],
    ['/srv/app', '/srv/app-secrets', null],
    ['/', '/etc', 'etc'],
    ['', '/etc', null],
  ])('%s contains %s as %s', (folder, path, relative) => {
    expect(relativeTo(folder, path)).toBe(relative)
  })
})
