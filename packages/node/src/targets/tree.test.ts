import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { factsOf } from './target-inspector.ts'
import { listFolder, treeOf } from './tree.ts'

describe('the facts of a target', () => {
  it('are its type, size and mode, with a link described as a link', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'run'), 'echo', { mode: 0o755 })
    mkdirSync(join(folder, 'd'))
    symlinkSync('d', join(folder, 'to-d'))
    symlinkSync('nowhere', join(folder, 'dangling'))
    expect(factsOf('run', folder)).toEqual({ type: 'file', bytes: 4, mode: 0o755 })
    expect(factsOf('d', folder)).toMatchObject({ type: 'directory' })
    expect(factsOf('to-d', folder)).toMatchObject({ type: 'link', leads: 'd' })
    expect(factsOf('to-d/', folder)).toMatchObject({ type: 'directory' })
    expect(factsOf('dangling', folder)).toMatchObject({ type: 'link', leads: 'nowhere' })
    expect(factsOf('gone/far', folder)).toEqual({ type: 'absent', bytes: 0, mode: 0 })
    expect(factsOf('.', folder)).toMatchObject({ type: 'directory' })
    expect(factsOf('/', folder)).toMatchObject({ type: 'directory' })
    expect(factsOf('/dev/null', folder)).toMatchObject({ type: 'other' })
  })
})

describe('the tree of a folder', () => {
  it('counts files, folders and bytes, lists the top level first and follows no links', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a/deep'), { recursive: true })
    writeFileSync(join(folder, 'a/deep/x'), '12345')
    writeFileSync(join(folder, 'b\n.txt'), '123')
    symlinkSync('/etc', join(folder, 'link'))
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0x41])]), '1')
    expect(await treeOf('.', folder, 100, 10)).toEqual({
      files: 4,
      folders: 2,
      bytes: 9,
      listed: ['a/', 'b\n.txt', 'link', '\ufffdA', 'a/deep/', 'a/deep/x'],
      unread: 0,
      complete: true,
    })
  })

  it('stops at its limit and reports it', async () => {
    const folder = temporaryFolder()
    for (let at = 0; at < 2000; at += 1) writeFileSync(join(folder, `f${at}`), '')
    expect(await treeOf('.', folder, 1500, 3)).toMatchObject({ files: 1500, complete: false, listed: { length: 3 } })
  })

  it.skipIf(process.getuid?.() === 0)('counts folders that it cannot list', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'closed'))
    chmodSync(join(folder, 'closed'), 0o000)
    expect(await treeOf('.', folder, 100, 10)).toMatchObject({ folders: 1, unread: 1, complete: true })
    chmodSync(join(folder, 'closed'), 0o700)
  })

  it('counts a missing folder as one that it cannot list', async () => {
    expect(await treeOf('gone', temporaryFolder(), 100, 10)).toMatchObject({ files: 0, unread: 1 })
  })
})

describe('the list of a folder', () => {
  it('has each entry by its own type, links not followed', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'd'))
    writeFileSync(join(folder, 'f'), '')
    symlinkSync('/etc', join(folder, 'l'))
    expect(new Map(listFolder('.', folder, 3)?.map(({ name, type }) => [name, type]))).toEqual(
      new Map([
        ['d', 'directory'],
        ['f', 'file'],
        ['l', 'link'],
      ]),
    )
  })

  it('is unknown beyond its limit, and for anything but a folder', () => {
    const folder = temporaryFolder()
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), '')
    expect(listFolder('.', folder, 2)).toBeUndefined()
    expect(listFolder('a', folder, 2)).toBeUndefined()
    expect(listFolder('gone', folder, 2)).toBeUndefined()
  })

  it('is unknown with a name that is not valid UTF-8: nobody could read what it leads to (A27)', () => {
    const folder = temporaryFolder()
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/test_`), Buffer.from([0xff]), Buffer.from('.py')]), '')
    expect(listFolder('.', folder, 10)).toBeUndefined()
  })
})
