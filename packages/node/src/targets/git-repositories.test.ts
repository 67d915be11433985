import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { openRepositories } from './git-repositories.ts'

const { pending, between, tracked, links } = openRepositories()
let top: string

function git(...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.com', ...args], {
    cwd: top,
    stdio: 'ignore',
  })
}

function write(path: string, text = 'x\n'): void {
  mkdirSync(join(top, path, '..'), { recursive: true })
  writeFileSync(join(top, path), text)
}

beforeEach(() => {
  top = temporaryFolder()
  git('init', '-q')
  write('.gitignore', '*.log\n')
  write('a.txt')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
})

describe('the pending files of a repository', () => {
  it('are those that changed, and the untracked ones', async () => {
    write('a.txt', 'more\n')
    write('src/näme b.txt')
    write('x.log')
    expect(await pending(top, { paths: [], untracked: 'none' })).toEqual(['a.txt'])
    expect((await pending(top, { paths: [], untracked: 'new' }))?.toSorted()).toEqual(['a.txt', 'src/näme b.txt'])
    expect((await pending(top, { paths: [], untracked: 'ignored' }))?.toSorted()).toEqual([
      'a.txt',
      'src/näme b.txt',
      'x.log',
    ])
  })

  it('are limited to paths, which are no patterns', async () => {
    write('src/a.txt')
    write('b*.txt')
    write('bc.txt')
    expect(await pending(top, { paths: ['src'], untracked: 'new' })).toEqual(['src/a.txt'])
    expect(await pending(top, { paths: ['b*.txt'], untracked: 'new' })).toEqual(['b*.txt'])
    expect(await pending(top, { paths: [':(top)'], untracked: 'new' })).toEqual([])
  })

  it('show a repository inside by a slash', async () => {
    execFileSync('git', ['init', '-q', 'sub'], { cwd: top })
    write('sub/a.txt')
    expect(await pending(top, { paths: [], untracked: 'new' })).toEqual(['sub/'])
  })

  it('are listed without running what the settings name', async () => {
    write('run.sh', `#!/bin/sh\ntouch ${join(top, 'ran')}\n`)
    chmodSync(join(top, 'run.sh'), 0o755)
    git('config', 'core.fsmonitor', './run.sh')
    git('config', 'core.hooksPath', '.')
    expect(await pending(top, { paths: [], untracked: 'new' })).toEqual(['run.sh'])
    expect(existsSync(join(top, 'ran'))).toBe(false)
  })

  it('are unknown where there is no repository, or too much to list', async () => {
    expect(await pending(temporaryFolder(), { paths: [], untracked: 'new' })).toBeUndefined()
    mkdirSync(join(top, 'many'))
    for (let at = 0; at < 5_001; at++) writeFileSync(join(top, 'many', `${at}`), '')
    expect(await pending(top, { paths: [], untracked: 'new' })).toBeUndefined()
  })
})

describe('the files in the index', () => {
  it('are those that patterns match, whatever is in the work tree', async () => {
    write('src/b.txt')
    write('src/new.txt')
    git('add', 'src/b.txt')
    rmSync(join(top, 'a.txt'))
    expect(await tracked(top, ['*.txt'])).toEqual(['a.txt', 'src/b.txt'])
    expect(await tracked(top, ['src'])).toEqual(['src/b.txt'])
    expect(await tracked(top, [])).toEqual(['.gitignore', 'a.txt', 'src/b.txt'])
  })

  it('are listed without running what the settings name', async () => {
    write('run.sh', '#!/bin/sh\ntouch ran\n')
    chmodSync(join(top, 'run.sh'), 0o755)
    git('config', 'core.fsmonitor', './run.sh')
    expect(await tracked(top, ['a.txt'])).toEqual(['a.txt'])
    expect(existsSync(join(top, 'ran'))).toBe(false)
  })
})

describe('the files that differ between states of a work tree', () => {
  const none = { switched: [], merged: [], stashes: [] }

  function commit(path: string, text = 'y\n'): void {
    write(path, text)
    git('add', '-A')
    git('commit', '-q', '-m', path)
  }

  beforeEach(() => {
    git('branch', '-M', 'main')
    git('checkout', '-q', '-b', 'feature')
    commit('src/b.txt')
    git('tag', 'v1')
    git('checkout', '-q', 'main')
  })

  it('are those of the commits, and those that changed', async () => {
    write('a.txt', 'more\n')
    for (const name of [
      'feature',
      'v1',
      execFileSync('git', ['rev-parse', 'v1'], { cwd: top, encoding: 'utf8' }).trim(),
    ])
      expect((await between(top, { ...none, switched: [name] }))?.toSorted()).toEqual(['a.txt', 'src/b.txt'])
    expect(await between(top, { ...none, merged: ['feature'] })).toContain('src/b.txt')
    expect(await between(top, { ...none, stashes: ['stash'] })).toEqual(['a.txt'])
  })

  it('are unknown for a name that is neither a branch nor a tag', async () => {
    for (const name of ['nothing', 'origin/main', 'a.txt', '.', 'HEAD~9', 'stash'])
      expect(await between(top, { ...none, switched: [name] })).toBeUndefined()
  })

  it('are unknown where a merge would make something new', async () => {
    commit('c.txt')
    expect(await between(top, { ...none, merged: ['feature'] })).toBeUndefined()
    expect(await between(top, { ...none, switched: ['feature'] })).toEqual(
      expect.arrayContaining(['c.txt', 'src/b.txt']),
    )
    expect(await between(top, { ...none, switched: ['feature'], merged: ['main'] })).toBeUndefined()
  })

  it('include what a stash holds, if it was made from the current commit', async () => {
    write('a.txt', 'more\n')
    write('.husky/pre-commit')
    git('add', '-A')
    git('stash', '-q')
    expect((await between(top, { ...none, stashes: ['pop'] }))?.toSorted()).toEqual(['.husky/pre-commit', 'a.txt'])
    write('a.txt', 'other\n')
    expect(await between(top, { ...none, stashes: ['pop'] })).toContain('a.txt')
    git('add', '-A')
    expect(await between(top, { ...none, stashes: ['stash', 'pop'] })).toBeUndefined()
    git('checkout', '-qf', 'feature')
    expect(await between(top, { ...none, stashes: ['pop'] })).toBeUndefined()
  })

  it('are unknown where a stash holds untracked files, or one of them is a link', async () => {
    write('new.txt')
    git('stash', '-q', '-u')
    expect(await between(top, { ...none, stashes: ['pop'] })).toBeUndefined()
    git('checkout', '-q', '-b', 'links')
    symlinkSync('/etc', join(top, 'out'))
    git('add', '-A')
    git('commit', '-q', '-m', 'link')
    expect(await between(top, { ...none, switched: ['main'] })).toBeUndefined()
  })
})

describe('what leads out of a repository', () => {
  it('is nothing in a plain one', async () => {
    expect(await links(join(top, '.git'))).toEqual({ repositories: [], links: [] })
  })

  it('are the repositories that the index names, and links in its folder', async () => {
    write('sub/a.txt')
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'x'],
    ])
      git('-C', 'sub', ...words)
    git('add', 'sub')
    symlinkSync('../../elsewhere', join(top, '.git/logs/x'))
    expect(await links(join(top, '.git'))).toEqual({ repositories: ['sub'], links: [join(top, '.git/logs/x')] })
  })

  it('are told whatever the settings of the repository are', async () => {
    write('sub/a.txt')
    for (const words of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'x'],
    ])
      git('-C', 'sub', ...words)
    git('add', 'sub')
    git('config', 'core.fsmonitor', `touch ${join(top, 'ran')}`)
    git('config', 'core.worktree', join(top, 'sub'))
    git('config', 'submodule.recurse', 'true')
    expect((await links(join(top, '.git')))?.repositories).toEqual(['sub'])
    expect(existsSync(join(top, 'ran'))).toBe(false)
  })

  it('is not told of a folder that is not there', async () => {
    expect(await links(join(top, 'none'))).toBeUndefined()
  })
})
