import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { holdFolder, inHeldFolder, makeFolders, whileHeld } from './held-folder.ts'
import { copyTree, type HeldEntry, removeTree } from './held-tree.ts'

function place() {
  const root = temporaryFolder()
  const at = (path: string): string => join(root, path)
  mkdirSync(at('work/src/deep'), { recursive: true })
  mkdirSync(at('outside/deep'), { recursive: true })
  writeFileSync(at('outside/deep/key'), 'key')
  /** What a command that runs meanwhile can do. */
  const swap = (path: string, target: string): void => {
    renameSync(at(path), at(`${path}.aside`))
    symlinkSync(at(target), at(path))
  }
  return { at, swap }
}

const linux = describe.skipIf(process.platform !== 'linux')

describe('holding a folder', () => {
  it.each([
    ['itself', 'work/src/deep', 'outside/deep'],
    ['above', 'work/src', 'outside'],
  ])('refuses a link: %s', (_, swapped, target) => {
    const { at, swap } = place()
    swap(swapped, target)
    expect(() => holdFolder(at('work/src/deep'))).toThrow('is now a link')
    expect(() => makeFolders(at('work/src/deep/new'))).toThrow('is now a link')
    expect(readdirSync(at('outside/deep'))).toEqual(['key'])
  })

  it('makes missing folders, and tells which', async () => {
    const { at } = place()
    const made = makeFolders(at('work/a/b'))
    made.release()
    expect(made.made).toEqual([at('work/a'), at('work/a/b')])
    expect(existsSync(at('work/a/b'))).toBe(true)
    await whileHeld(makeFolders(at('work/a/b')), (again) => expect(again.made).toEqual([]))
  })

  it('passes on that something is missing, or is no folder', () => {
    const { at } = place()
    expect(() => holdFolder(at('missing'))).toThrow('ENOENT')
    expect(() => makeFolders(at('outside/deep/key/below'))).toThrow('ENOTDIR')
  })
})

linux('a held folder', () => {
  it('stays the same folder after a link took its name', async () => {
    const { at, swap } = place()
    await inHeldFolder(at('work/src/deep'), ({ at: held }) => {
      swap('work/src', 'outside')
      writeFileSync(join(held, 'key'), 'mine')
    })
    expect(readFileSync(at('outside/deep/key'), 'utf8')).toBe('key')
    expect(readFileSync(at('work/src.aside/deep/key'), 'utf8')).toBe('mine')
  })
})

linux('a tree in a held folder', () => {
  const entry = (path: string): HeldEntry => ({ folder: holdFolder(dirname(path)), name: basename(path), path })

  it('is removed where it is held, and its links are not followed', async () => {
    const { at, swap } = place()
    symlinkSync(at('outside'), at('work/src/deep/link'))
    writeFileSync(Buffer.concat([Buffer.from(at('work/src/deep/')), Buffer.from([0xff])]), 'no text')
    const src = entry(at('work/src'))
    swap('work', 'outside')
    await removeTree(src)
    src.folder.release()
    expect(readdirSync(at('work.aside'))).toEqual([])
    expect(readFileSync(at('outside/deep/key'), 'utf8')).toBe('key')
  })

  it('is copied where it is held, links as links', async () => {
    const { at, swap } = place()
    symlinkSync(at('outside'), at('work/src/deep/link'))
    writeFileSync(at('work/src/deep/file'), 'text', { mode: 0o640 })
    const [from, to] = [entry(at('work/src')), entry(at('work/copy'))]
    swap('work', 'outside')
    await copyTree(from, to)
    for (const { folder } of [from, to]) folder.release()
    expect(readdirSync(at('work.aside/copy/deep'), { withFileTypes: true }).map((one) => one.isSymbolicLink())).toEqual(
      [false, true],
    )
    expect(readFileSync(at('work.aside/copy/deep/file'), 'utf8')).toBe('text')
    expect(readdirSync(at('outside'))).toEqual(['deep'])
  })

  it('has a largest depth', async () => {
    const { at } = place()
    mkdirSync(at(`work/src/${'d/'.repeat(300)}`), { recursive: true })
    const src = entry(at('work/src'))
    await expect(removeTree(src)).rejects.toThrow('more than 256 folders deep')
    src.folder.release()
  })
})
