import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, vi } from 'vitest'
import { openHome } from '../home/home.ts'
import { applyUndo } from './apply-undo.ts'
import { openBackups } from './backups-folder.ts'
import { copyFileWhole } from './copy-file.ts'
import { countTrees, readTree, type TreeEntry, treeEntry } from './file-tree.ts'
import { planUndo } from './undo-plan.ts'

const BOUNDS = { files: 100, bytes: 1_000_000 }
const AGES = { keepMs: 7 * 86_400_000, mostBytes: 1_000_000_000, approved: false }

/** Called after each check that a folder is where it was. */
const checks = vi.hoisted(() => ({ after: () => {} }))

vi.mock('./file-tree.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('./file-tree.ts')>()
  const refuseMoved = (folder: string): void => {
    original.refuseMoved(folder)
    checks.after()
  }
  return { ...original, refuseMoved }
})

function place() {
  const root = temporaryFolder()
  const at = (path: string): string => join(root, path)
  for (const folder of ['work/src/sub', 'outside/sub']) mkdirSync(at(folder), { recursive: true })
  writeFileSync(at('work/src/sub/a'), 'old')
  writeFileSync(at('outside/sub/a'), 'key')
  writeFileSync(at('outside/sub/made'), 'key')
  const swap = (): void => {
    renameSync(at('work/src'), at('work/aside'))
    symlinkSync(at('outside'), at('work/src'))
  }
  return { at, swap, home: openHome(at('home')) }
}

function contentOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const text = (path: string): string => (lstatSync(path).isFile() ? readFileSync(path, 'utf8') : '')
  return names.map((name) => `${name}=${text(join(folder, name))}`).join('|')
}

describe.skipIf(process.platform !== 'linux')('a folder that becomes a link', () => {
  it('never leads an undo out of the workspace, whenever that happens (L11)', async () => {
    let total = 0
    // The first turn is not disturbed: it counts the checks.
    for (let turn = 0; turn <= total; turn += 1) {
      const { at, swap, home } = place()
      const backups = openBackups(home, { now: () => 1_000_000 })
      const target = { real: at('work/src/sub'), use: 'write', entry: null } as const
      const kept = await backups.keep('call', [target], BOUNDS, AGES)
      writeFileSync(at('work/src/sub/a'), 'new')
      writeFileSync(at('work/src/sub/made'), 'new')
      await backups.note(kept.name)
      const plan = await planUndo(home, kept)
      const before = contentOf(at('outside'))
      let seen = 0
      checks.after = () => {
        seen += 1
        if (seen === turn) swap()
      }
      await applyUndo(home, kept, plan).catch(() => {})
      checks.after = () => {}
      if (turn === 0) total = seen
      expect(contentOf(at('outside')), `after check ${turn}`).toBe(before)
    }
    expect(total).toBeGreaterThan(2)
  })

  it('is not read for a copy (L11)', () => {
    const { at, swap } = place()
    const count = countTrees(BOUNDS)
    const swapping = {
      ...count,
      left: 100,
      add(entry: TreeEntry) {
        count.add(entry)
        if (entry.path === at('work/src')) swap()
      },
    }
    expect(() => readTree(at('work/src'), swapping)).toThrow('is now a link')
  })

  it('gives no file to a copy (L11)', async () => {
    const { at, swap } = place()
    swap()
    const entry = treeEntry(at('work/src/sub/a'))
    if (entry === null) throw new Error('nothing there')
    await expect(copyFileWhole(entry, at('copy'))).rejects.toThrow('changed while it was copied')
  })
})
