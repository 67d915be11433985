import { describe, expect, it } from 'vitest'
import { decomposeCall } from '../../command/decompose-call.ts'
import { frozen, PLACES, rateShell, WORLD } from '../fixture.mts'
import { rateRisk } from '../rate-risk.ts'
import { rateFoundProgram } from './program-location.ts'

const SHADOWED = [
  ['git', '/tmp/evil/git'],
  ['git', '/var/tmp/git'],
  ['git', '/dev/shm/git'],
  ['git', '/run/lock/git'],
  ['git', '/Users/Shared/bin/git'],
  ['git', '/home/you/.countersign/git'],
  ['git', '/home/you/app/bin/git'],
  ['git', '/home/you/app/node_modules/.bin/git'],
  ['GIT', '/home/you/app/bin/GIT'],
  ['npm', '/home/you/app/bin/npm'],
  ['mytool', '/tmp/mytool'],
] as const

const HONEST = [
  ['git', '/usr/bin/git'],
  ['git', '/opt/homebrew/Cellar/git/2.50/bin/git'],
  ['git', '/nix/store/abc-git/bin/git'],
  ['node', '/home/you/.nvm/versions/node/v24.0.0/bin/node'],
  ['cargo', '/home/you/.cargo/bin/cargo'],
  ['node', '/home/you/app/node_modules/node/bin/node'],
  ['tsc', '/home/you/app/node_modules/typescript/bin/tsc'],
  ['pip', '/home/you/app/.venv/bin/pip'],
  ['mytool', '/home/you/app/node_modules/mytool/cli.js'],
  ['mytool', '/home/you/app/bin/mytool'],
] as const

describe('the location of a program on PATH', () => {
  it.each(SHADOWED)('%s in %s is high', (name, at) => {
    const found = rateFoundProgram(name, at, PLACES)
    expect(found?.level).toBe('high')
    expect(found?.text).toBe(`\`${name}\` comes from \`${at}\`, not from a system folder`)
  })

  it.each(HONEST)('%s in %s is not a risk', (name, at) => {
    expect(rateFoundProgram(name, at, PLACES)).toBeNull()
  })

  it('raises a harmless command, also behind a wrapper, and only that part', () => {
    const programs = new Map([
      ['git', '/tmp/evil/git'],
      ['ls', '/usr/bin/ls'],
    ])
    const world = { ...WORLD, programs }
    expect(rateShell('git status', world).level).toBe('high')
    expect(rateShell('env git status', world).level).toBe('high')
    expect(rateShell('git --version', world).level).toBe('high')
    expect(rateShell('ls -la', world).level).toBe('none')
    expect(rateShell('ls && git status', world).parts.map(({ level }) => level)).toEqual(['none', 'high'])
  })

  it('applies to exact words, by the path that will run', () => {
    const level = (program: string) => {
      const call = frozen({ tool: 'exec', source: 'builtin', args: { command: ['git', 'status'], program } })
      return rateRisk(call, decomposeCall(call), WORLD).level
    }
    expect(level('/usr/bin/git')).toBe('none')
    expect(level('/tmp/evil/git')).toBe('high')
  })

  it('follows a link to a repository elsewhere', () => {
    const resolved = new Map([['link\0.', '/tmp/evil']])
    expect(rateShell('cd link && git status', { ...WORLD, resolved }).level).toBe('high')
    expect(rateShell('git -C link status', { ...WORLD, resolved: new Map([['\0link', '/tmp/evil']]) }).level).toBe(
      'high',
    )
    expect(rateShell('git status', { ...WORLD, resolved: new Map([['\0.', '/tmp/evil']]) }).level).toBe('high')
  })
})
