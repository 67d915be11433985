import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { planRun } from './plan-run.ts'
import { type Plan, profileArguments } from './profile.ts'
import { seatbeltProfile } from './seatbelt.ts'
import { seccompFilter } from './seccomp.ts'

const scan = {
  root: '/home/ann/app',
  guarded: ['/home/ann/app/.git/hooks', '/home/ann/app/pkg/a/.vscode'],
  links: [],
  repositories: ['/home/ann/app/.git'],
  shared: [],
  secrets: ['/home/ann/app/.env'],
  channels: [],
  folders: new Map(),
  generated: [],
  absent: [],
  nameless: [],
  unsearched: [],
  strangers: new Map(),
}
const plan: Plan = {
  bounds: { workspace: 'write', write: [], read: ['/data'], network: [], credentials: [] },
  workspace: '/home/ann/app',
  home: '/home/ann',
  gate: '/home/ann/.countersign',
  visible: { folders: ['/usr'], links: [{ path: '/bin', target: 'usr/bin' }], masked: [], home: [], path: '/usr/bin' },
  git: null,
  scans: [scan],
  cache: null,
  gitConfig: null,
  mounts: [],
}

function at(args: readonly string[], ...words: readonly string[]): number {
  const found = args.findIndex((_, index) => words.every((word, offset) => args[index + offset] === word))
  if (found === -1) throw new Error(`no ${words.join(' ')}`)
  return found
}

describe('the arguments of bubblewrap', () => {
  const args = profileArguments(plan)

  it('cover the home before the workspace, pin before they protect, and close the root last', () => {
    const order = [
      at(args, '--proc', '/proc'),
      at(args, '--tmpfs', '/home/ann'),
      at(args, '--ro-bind', '/usr', '/usr'),
      at(args, '--ro-bind', '/data', '/data'),
      at(args, '--bind', '/home/ann/app', '/home/ann/app'),
      at(args, '--bind', '/home/ann/app/.git', '/home/ann/app/.git'),
      at(args, '--ro-bind', '/home/ann/app/.git/hooks', '/home/ann/app/.git/hooks'),
      at(args, '--ro-bind', '/dev/null', '/home/ann/app/.env'),
      at(args, '--remount-ro', '/proc'),
      at(args, '--remount-ro', '/'),
    ]
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    at(args, '--bind', '/home/ann/app/pkg', '/home/ann/app/pkg')
    at(args, '--bind', '/home/ann/app/pkg/a', '/home/ann/app/pkg/a')
  })

  it('contain every namespace flag, and never the whole root, home or /sys', () => {
    for (const flag of ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'])
      expect(args).toContain(flag)
    for (const path of ['/', '/sys', '/home', '/home/ann', '/home/ann/.countersign'])
      expect(args.some((word, index) => /bind/.test(word) && args[index + 1] === path)).toBe(false)
  })

  it('neither bind writable nor pin anything for a command that only reads', () => {
    const reading = profileArguments({ ...plan, bounds: { ...plan.bounds, workspace: 'read' } })
    at(reading, '--ro-bind', '/home/ann/app', '/home/ann/app')
    expect(reading).not.toContain('--bind')
  })

  it('hide the gate’s home where a folder shows it', () => {
    const inside = profileArguments({ ...plan, gate: '/home/ann/app/tools/gate' })
    expect(at(inside, '--tmpfs', '/home/ann/app/tools/gate')).toBeGreaterThan(
      at(inside, '--bind', '/home/ann/app/tools', '/home/ann/app/tools'),
    )
  })
})

describe('the filter of system calls', () => {
  it.each(['x64', 'arm64'])('has whole instructions and only jumps forward inside, on %s', (arch) => {
    const bytes = seccompFilter(arch)
    const count = bytes.length / 8
    expect(Number.isInteger(count)).toBe(true)
    for (let index = 0; index < count; index += 1)
      for (const side of [2, 3])
        expect(index + 1 + bytes.readUInt8(index * 8 + side)).toBeLessThanOrEqual(count - 1 + 1)
    expect(bytes.readUInt16LE((count - 1) * 8)).toBe(6)
  })

  it('refuses a processor it has no numbers for', () => {
    expect(() => seccompFilter('riscv64')).toThrow('does not support the processor')
  })
})

describe('the profile for macOS', () => {
  it('denies by default, then protects names, and has no network but the loopback', () => {
    const lines = seatbeltProfile(plan, '/private/tmp/x').split('\n')
    expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)'])
    const write = lines.findIndex((line) => line.startsWith('(allow file-write* (subpath "/home/ann/app")'))
    const guard = lines.findIndex((line) => line.includes('(deny file-write* (subpath "/home/ann/app/.git/hooks")'))
    expect(write).toBeGreaterThan(0)
    expect(guard).toBeGreaterThan(write)
    expect(lines.indexOf('(deny network*)')).toBeGreaterThan(guard)
  })
})

it.each(['.ssh', '.config/gh', 'gate', 'gate/keys'])('a workspace at `%s` of the home is refused', (name) => {
  const home = temporaryFolder()
  const workspace = join(home, name)
  mkdirSync(workspace, { recursive: true })
  const places = { workspace, home, gate: join(home, 'gate'), temp: '/tmp' }
  const bounds = { workspace: 'read', write: [], read: [], network: [], credentials: [] } as const
  expect(() => planRun(bounds, places, workspace, '/usr/bin')).toThrow('the sandbox can’t show')
})
