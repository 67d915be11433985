import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runTool } from '../tool-run.fixture.ts'

/** Called before each file operation of a tool. */
const files = vi.hoisted(() => ({ seen: 0, beforeStep: () => {} }))

function watched<Module extends object>(module: Module, names: readonly (keyof Module)[]): Module {
  const watching = names.map((name) => {
    const original = module[name] as (...args: unknown[]) => unknown
    const wrapped = (...args: unknown[]): unknown => {
      files.beforeStep()
      return original(...args)
    }
    return [name, Object.assign(wrapped, original)]
  })
  return { ...module, ...Object.fromEntries(watching) }
}

vi.mock('node:fs/promises', async (importOriginal) =>
  watched(await importOriginal<typeof import('node:fs/promises')>(), [
    ...([
      'access',
      'chmod',
      'chown',
      'copyFile',
      'cp',
      'link',
      'lstat',
      'mkdir',
      'open',
      'readdir',
      'readlink',
    ] as const),
    ...(['rename', 'rm', 'rmdir', 'symlink', 'unlink', 'utimes'] as const),
  ]),
)
vi.mock('node:fs', async (importOriginal) =>
  watched(await importOriginal<typeof import('node:fs')>(), ['mkdirSync', 'openSync', 'readlinkSync']),
)

/** A workspace, and a folder outside with the same names, to which a swapped folder would lead. */
function place() {
  const root = temporaryFolder()
  const [work, outside] = [join(root, 'work'), join(root, 'outside')]
  for (const folder of [work, outside]) {
    mkdirSync(join(folder, 'src/sub'), { recursive: true })
    fill(join(folder, 'src'))
  }
  return { root, work, outside: join(outside, 'src') }
}

function fill(src: string): void {
  mkdirSync(join(src, 'sub'), { recursive: true })
  writeFileSync(join(src, 'a.txt'), 'old\n')
  writeFileSync(join(src, 'sub/b.txt'), 'b\n')
}

/** Everything below a folder, as text. */
function contentOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .map((name) => (lstatSync(join(folder, name)).isFile() ? `${name}=${readFileSync(join(folder, name))}` : name))
    .join('|')
}

const CHANGES: readonly (readonly [tool: string, args: JsonObject, paths: readonly string[]])[] = [
  ['write_file', { path: 'src/a.txt', content: 'new\n' }, ['src/a.txt']],
  ['write_file', { path: 'src/new/x.txt', content: 'new\n' }, ['src/new/x.txt']],
  ['edit_file', { path: 'src/a.txt', old_string: 'old', new_string: 'new' }, ['src/a.txt']],
  ['apply_diff', { patch: '--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1 +1 @@\n-old\n+new\n' }, ['src/a.txt']],
  ['apply_diff', { patch: '--- a/src/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n' }, ['src/a.txt']],
  ['create_directory', { path: 'src/made' }, ['src/made']],
  ['delete_file', { path: 'src/a.txt' }, ['src/a.txt']],
  ['delete_file', { path: 'src/sub' }, ['src/sub']],
  ['move_file', { source: 'src/a.txt', destination: 'here.txt' }, ['src/a.txt', 'here.txt']],
  ['move_file', { source: 'plain.txt', destination: 'src/there.txt' }, ['plain.txt', 'src/there.txt']],
]
const READS: typeof CHANGES = [
  ['read_file', { path: 'src/a.txt' }, ['src/a.txt']],
  ['list_directory', { path: 'src' }, ['src']],
  ['search', { pattern: 'old', path: 'src' }, ['src']],
]

/** Runs a tool on the paths that a gate has checked. */
function runChecked(tool: string, args: JsonObject, work: string, paths: readonly string[]): Promise<unknown> {
  const checked = paths.map((path) => join(work, path))
  return runTool(tool, args, work, new AbortController().signal, () => true, checked)
}

describe('a folder that became a link after the gate checked the call (L11)', () => {
  it.each([...CHANGES, ...READS])('stops %s %j', async (tool, args, paths) => {
    const { work, outside } = place()
    writeFileSync(join(work, 'plain.txt'), 'plain')
    const before = contentOf(outside)
    renameSync(join(work, 'src'), join(work, 'aside'))
    symlinkSync(outside, join(work, 'src'))
    await expect(runChecked(tool, args, work, paths)).rejects.toThrow('leads somewhere else')
    expect(contentOf(outside)).toBe(before)
  })

  it('does not stop a path through a link that was there before', async () => {
    const { work } = place()
    symlinkSync('src', join(work, 'link'))
    await runChecked('write_file', { path: 'link/a.txt', content: 'new\n' }, work, ['src/a.txt'])
    expect(readFileSync(join(work, 'src/a.txt'), 'utf8')).toBe('new\n')
  })

  it('does not let a link outside be deleted in the place of one in the workspace', async () => {
    const { work, outside } = place()
    for (const folder of [join(work, 'src'), outside]) symlinkSync(join(work, 'src/a.txt'), join(folder, 'link'))
    symlinkSync(outside, join(work, 'swapped'))
    await expect(runChecked('delete_file', { path: 'swapped/link' }, work, ['src/a.txt'])).rejects.toThrow('leads')
    expect(lstatSync(join(outside, 'link')).isSymbolicLink()).toBe(true)
    await runChecked('delete_file', { path: 'src/link' }, work, ['src/a.txt'])
    expect(existsSync(join(work, 'src/link'))).toBe(false)
  })
})

describe.skipIf(process.platform !== 'linux')('a folder that becomes a link while the tool runs', () => {
  it.each(CHANGES)('never leads %s %j out of the workspace, whenever that happens (L11)', async (tool, args, paths) => {
    let steps = 0
    // The first turn is not disturbed: it counts the file operations.
    for (let at = 0; at <= steps; at += 1) {
      const { work, outside } = place()
      writeFileSync(join(work, 'plain.txt'), 'plain')
      const before = contentOf(outside)
      files.seen = 0
      files.beforeStep = () => {
        files.seen += 1
        if (files.seen !== at) return
        files.beforeStep = () => {}
        renameSync(join(work, 'src'), join(work, 'aside'))
        symlinkSync(outside, join(work, 'src'))
      }
      await runChecked(tool, args, work, paths).catch(() => {})
      files.beforeStep = () => {}
      if (at === 0) steps = Math.min(files.seen, MOST_STEPS)
      expect(contentOf(outside), `swapped before file operation ${at}`).toBe(before)
    }
    expect(steps).toBeGreaterThan(2)
  })
})

const MOST_STEPS = 60

/** Puts a link in the place of a folder and takes it away again, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const [folder, target] = process.argv.slice(1)
process.stdout.write('ready')
for (let at = 0; at < 5_000_000; at += 1) {
  try { renameSync(folder, folder + '.aside') } catch {}
  try { symlinkSync(target, folder) } catch {}
  try { unlinkSync(folder) } catch {}
  try { renameSync(folder + '.aside', folder) } catch {}
}`

describe.skipIf(process.platform !== 'linux')('a process that swaps a folder for a link all the time', () => {
  it('leads no tool out of the workspace (L11)', async () => {
    const { work, outside } = place()
    const before = contentOf(outside)
    const swapper = spawn(process.execPath, ['-e', SWAPPER, join(work, 'src'), outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(swapper, 'exit')
    onTestFinished(async () => {
      swapper.kill('SIGKILL')
      await ended
    })
    await once(swapper.stdout, 'data')
    for (let turn = 0; turn < 40; turn += 1) {
      for (const [tool, args, paths] of CHANGES) {
        writeFileSync(join(work, 'plain.txt'), 'plain')
        await runChecked(tool, args, work, paths).catch(() => {})
        expect(contentOf(outside), tool).toBe(before)
      }
    }
  })
})
