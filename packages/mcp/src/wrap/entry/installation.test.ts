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
  it('is written with its whole path, and with its name into project files', () => {
    const { find, script } = installed()
    expect(find('').launcherFor(place('home'))).toEqual(['/usr/bin/node', '--no-warnings', script])
    expect(find('').launcherFor(place('project'))).toEqual(['countersign'])
  })

  it('is a bare name only where the path leads to it', () => {
    const { find, script, link, program } = installed()
    const bin = link('bin/countersign')
    const other = dirname(program('other/countersign'))
    const ours = find(bin, join(bin, 'countersign'))
    expect(ours.onPath).toBe('this')
    const byScript = [['/usr/bin/node', '--no-warnings', script], ['/usr/bin/node', script], [script]]
    const known = (launchers: readonly (readonly string[])[]) => new Set(launchers.map((words) => words.join(' ')))
    expect(known(ours.launchers)).toEqual(known([...byScript, ['countersign'], [join(bin, 'countersign')]]))
    expect(find(`${other}:${bin}`).onPath).toBe('another')
    expect(known(find(`${other}:${bin}`).launchers)).toEqual(known(byScript))
    expect(find(join(bin, 'nothing')).onPath).toBe('none')
  })

  it('knows nothing behind a folder that depends on where one is, nor of what npm puts on the path', () => {
    const { find, link } = installed()
    const bin = link('bin/countersign')
    for (const first of ['.', '', 'node_modules/.bin']) expect(find(`${first}:${bin}`).onPath).toBe('none')
    expect(find(link('cache/node_modules/.bin/countersign')).onPath).toBe('none')
  })

  it('is started by Node as it is on the path, when that is this one: its own path may go with an update', () => {
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

  it('is what a person says it is', () => {
    const { script } = installed()
    const given = findInstallation({ node: 'n', nodeFlags: [], script, path: '', launcher: '/opt/gate' })
    expect(given.launcherFor(place('project'))).toEqual(['/opt/gate'])
  })
})
