import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { BackupTarget } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { applyUndo } from './apply-undo.ts'
import { listBackups, openBackups } from './backups-folder.ts'
import { copyFileWhole } from './copy-file.ts'
import { countTrees, readTree, treeEntry } from './file-tree.ts'
import { pruneBackups, spareBackup } from './prune.ts'
import { planUndo } from './undo-plan.ts'

const BOUNDS = { files: 100, bytes: 1_000_000 }
const AGES = { keepMs: 7 * 86_400_000, mostBytes: 1_000_000_000, approved: false }

function place() {
  const root = temporaryFolder()
  const home = openHome(join(root, 'home'))
  const work = join(root, 'work')
  mkdirSync(work)
  const clock = { at: 1_000_000, now: () => clock.at }
  const backups = openBackups(home, clock)
  const at = (name: string) => join(work, name)
  const write = (name: string, text: string) => writeFileSync(at(name), text)
  const keep = (...names: readonly string[]) =>
    backups.keep(
      'call',
      names.map((name) => target(at(name))),
      BOUNDS,
      AGES,
    )
  return { home, work, clock, backups, at, write, keep }
}

function target(real: string, given: string | null = null, use: BackupTarget['use'] = 'write'): BackupTarget {
  return { real, use, entry: given === null ? null : { given, cwd: '/' } }
}

describe('a backup', () => {
  it('is measured without side effects: files, bytes, and missing targets', async () => {
    const { home, backups, at, write } = place()
    mkdirSync(at('lib'))
    write('lib/a', '12345')
    write('b', '1')
    const targets = [target(at('lib')), target(at('b')), target(at('new/c'))]
    expect(await backups.measure(targets, BOUNDS, AGES)).toEqual({ kind: 'possible', files: 2, bytes: 6, absent: 1 })
    expect(existsSync(home.backups)).toBe(false)
  })

  it.each([
    ['more files than allowed', { files: 2, bytes: 1000 }, 'more than 2 files'],
    ['more bytes than allowed', { files: 100, bytes: 5 }, 'the copy would exceed 5 bytes'],
  ])('is not possible for %s', async (_, bounds, why) => {
    const { backups, at, write } = place()
    mkdirSync(at('lib'))
    for (const name of ['a', 'b', 'c']) write(`lib/${name}`, 'four')
    expect(await backups.measure([target(at('lib'))], bounds, AGES)).toEqual({
      kind: 'impossible',
      why: expect.stringContaining(why),
    })
    await expect(backups.keep('call', [target(at('lib'))], bounds, AGES)).rejects.toMatchObject({ code: 'CS_BACKUP' })
  })

  it('is not possible for the gate’s own files or for special files', async () => {
    const { home, work, backups, at } = place()
    const server = createServer().listen(at('socket'))
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    for (const path of [join(work, '..'), home.dir, at('socket')])
      expect(await backups.measure([target(path)], BOUNDS, AGES)).toMatchObject({ kind: 'impossible' })
  })

  it('is private, complete, and leaves no partial files', async () => {
    const { home, write, keep, at } = place()
    write('a', 'old')
    chmodSync(at('a'), 0o4755)
    const kept = await keep('a')
    const folder = join(home.backups, kept.name)
    expect(kept).toMatchObject({ files: 1, bytes: 3, manifest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(readdirSync(home.backups)).toEqual([kept.name])
    for (const name of readdirSync(folder)) expect(lstatSync(join(folder, name)).mode & 0o7777).toBe(0o600)
    expect(lstatSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is made twice for the same call: the first is not touched', async () => {
    const { home, write, keep } = place()
    write('a', 'one')
    const first = await keep('a')
    write('a', 'two')
    const second = await keep('a')
    expect(new Set([first.name, second.name]).size).toBe(2)
    expect(readFileSync(join(home.backups, first.name, '0'), 'utf8')).toBe('one')
  })

  it.each([
    ['deleted by its link contains the link', 'link', 'delete', ['link']],
    ['deleted by its own name contains the file', 'real', 'delete', ['real']],
    ['written by its link contains both: some programs replace the link', 'link', 'write', ['link', 'real']],
  ] as const)('of a target that is %s', async (_, given, use, kept) => {
    const { backups, at, write, home } = place()
    write('real', 'content')
    symlinkSync('real', at('link'))
    await backups.keep('call', [target(at('real'), at(given), use)], BOUNDS, AGES)
    expect(listBackups(home)[0]?.targets).toEqual(kept.map(at))
  })

  it('is not possible for a written file with a second hard link, but is for a deleted one', async () => {
    const { backups, at, write } = place()
    write('a', 'x')
    linkSync(at('a'), at('b'))
    const possible = async (use: BackupTarget['use']) =>
      (await backups.measure([target(at('a'), null, use)], BOUNDS, AGES)).kind
    expect([await possible('write'), await possible('delete')]).toEqual(['impossible', 'possible'])
  })

  it('is not possible if a parent folder became a link after the call was judged', async () => {
    const { backups, at, write } = place()
    for (const name of ['lib', 'other']) {
      mkdirSync(at(name))
      write(`${name}/a`, name)
    }
    renameSync(at('lib'), at('moved'))
    symlinkSync('other', at('lib'))
    await expect(backups.keep('call', [target(at('lib/a'))], BOUNDS, AGES)).rejects.toThrow('leads somewhere else')
  })

  it('is not possible for names that are not UTF-8: two could become one', async () => {
    const { backups, at, work } = place()
    mkdirSync(at('lib'))
    writeFileSync(at('lib/\ufffd'), 'seen')
    writeFileSync(Buffer.concat([Buffer.from(join(work, 'lib/')), Buffer.from([0xff])]), 'lost')
    expect(await backups.measure([target(at('lib'))], BOUNDS, AGES)).toMatchObject({ kind: 'impossible' })
  })

  it('of a folder with very many files is refused at its limit, without reading further', () => {
    const { at, write } = place()
    mkdirSync(at('lib'))
    for (let i = 0; i < 50; i += 1) write(`lib/${i}`, '')
    const count = countTrees({ files: 5, bytes: 1 })
    expect(() => readTree(at('lib'), count)).toThrow('more than 5 files')
    expect(count.left).toBe(-1)
  })

  it.each([
    ['a pipe without a writer', (path: string) => execFileSync('mkfifo', [path])],
    ['a link', (path: string) => symlinkSync('other', path)],
    ['another file', (path: string) => writeFileSync(path, 'old')],
  ])('fails at once if the file was replaced by %s', async (_, swap) => {
    const { at, write } = place()
    write('other', 'old')
    write('a', 'old')
    const seen = treeEntry(at('a'))
    if (seen === null) throw new Error('there is no file')
    renameSync(at('a'), at('moved'))
    swap(at('a'))
    await expect(copyFileWhole(seen, at('copy'))).rejects.toThrow('changed while it was copied')
  })
})

describe('undo', () => {
  it('restores content, mode, times, links and folders, and removes what the call created', async () => {
    const { home, at, write, keep, backups } = place()
    mkdirSync(at('lib/deep'), { recursive: true })
    write('lib/deep/a', 'old a')
    write('lib/b', 'old b')
    symlinkSync('b', at('lib/link'))
    chmodSync(at('lib/b'), 0o640)
    utimesSync(at('lib/b'), 1_600_000_000, 1_600_000_000)
    utimesSync(at('lib/deep'), 1_500_000_000, 1_500_000_000)
    const kept = await keep('lib', 'new/file')
    // the call
    rmSync(at('lib/deep'), { recursive: true })
    write('lib/b', 'new b')
    rmSync(at('lib/link'))
    write('lib/made', 'by the call')
    mkdirSync(at('new'))
    write('new/file', 'new')
    await backups.note(kept.name)

    const plan = await planUndo(home, kept)
    expect(plan.steps.map(({ does, path, since }) => [does, path.slice(at('').length + 1), since]).sort()).toEqual([
      ['bring-back', 'lib/deep', 'same'],
      ['bring-back', 'lib/deep/a', 'same'],
      ['bring-back', 'lib/link', 'same'],
      ['change', 'lib/b', 'same'],
      ['remove', 'lib/made', 'same'],
      ['remove', 'new/file', 'same'],
    ])
    await applyUndo(home, kept, plan)
    expect(readFileSync(at('lib/deep/a'), 'utf8')).toBe('old a')
    expect(readlinkSync(at('lib/link'))).toBe('b')
    expect(statSync(at('lib/b'))).toMatchObject({ mtimeMs: 1_600_000_000_000 })
    expect(statSync(at('lib/b')).mode & 0o777).toBe(0o640)
    expect(statSync(at('lib/deep')).mtimeMs).toBe(1_500_000_000_000)
    expect([existsSync(at('lib/made')), existsSync(at('new'))]).toEqual([false, false])
    expect((await planUndo(home, kept)).steps).toEqual([])
  })

  it('reports later changes, and leaves files that others created', async () => {
    const { home, at, write, keep, backups } = place()
    mkdirSync(at('lib'))
    write('lib/a', 'old')
    const kept = await keep('lib')
    write('lib/a', 'by the call')
    await backups.note(kept.name)
    write('lib/a', 'by a person, later')
    write('lib/later', 'by a person')
    const plan = await planUndo(home, kept)
    expect(plan.steps).toMatchObject([{ path: at('lib/a'), does: 'change', since: 'changed' }])
    expect(plan.left).toEqual([at('lib/later')])
    await applyUndo(home, kept, plan)
    expect(readFileSync(at('lib/later'), 'utf8')).toBe('by a person')
  })

  it('does not know about later changes if the call never ended, and removes nothing from an existing folder', async () => {
    const { home, at, write, keep } = place()
    mkdirSync(at('lib'))
    write('lib/a', 'old')
    const kept = await keep('lib')
    write('lib/a', 'half')
    write('lib/made', 'by whom?')
    const plan = await planUndo(home, kept)
    expect(plan.steps).toMatchObject([{ path: at('lib/a'), since: 'unknown' }])
    expect(plan.left).toEqual([at('lib/made')])
  })

  it('does nothing if files changed after the plan was shown', async () => {
    const { home, at, write, keep } = place()
    write('a', 'old')
    const kept = await keep('a')
    write('a', 'new')
    const plan = await planUndo(home, kept)
    rmSync(at('a'))
    await expect(applyUndo(home, kept, plan)).rejects.toMatchObject({ code: 'CS_STALE' })
    expect(existsSync(at('a'))).toBe(false)
  })

  it('refuses a backup or manifest that was tampered with', async () => {
    const { home, at, write, keep } = place()
    write('a', 'old')
    const kept = await keep('a')
    write('a', 'new')
    const plan = await planUndo(home, kept)
    writeFileSync(join(home.backups, kept.name, '0'), 'forged')
    await expect(applyUndo(home, kept, plan)).rejects.toMatchObject({ code: 'CS_BACKUP' })
    expect(readFileSync(at('a'), 'utf8')).toBe('new')
    expect(readdirSync(at('.'))).toEqual(['a'])
    await expect(planUndo(home, { ...kept, manifest: 'f'.repeat(64) })).rejects.toMatchObject({ code: 'CS_BACKUP' })
  })

  it('restores a link that the call replaced', async () => {
    const { home, at, write, backups } = place()
    write('v1', '1')
    symlinkSync('v1', at('current'))
    const kept = await backups.keep('call', [target(at('v1'), at('current'))], BOUNDS, AGES)
    rmSync(at('current'))
    symlinkSync('v2', at('current'))
    await backups.note(kept.name)
    await applyUndo(home, kept, await planUndo(home, kept))
    expect(readlinkSync(at('current'))).toBe('v1')
  })

  it('restores no setuid bit for a file that it cannot give back to its owner', async () => {
    const { home, at, write, keep } = place()
    write('a', 'old')
    chmodSync(at('a'), 0o4755)
    const kept = await keep('a')
    rmSync(at('a'))
    const folder = join(home.backups, kept.name)
    // As if the file belonged to a user this account cannot assign files to.
    const text = readFileSync(join(folder, 'manifest.json'), 'utf8').replace(/"uid":\d+/, '"uid":-2')
    writeFileSync(join(folder, 'manifest.json'), text)
    const ref = { name: kept.name, manifest: hash('sha256', text, 'hex') }
    await applyUndo(home, ref, await planUndo(home, ref))
    expect(statSync(at('a')).mode & 0o7777).toBe(0o755)
  })

  it('refuses to follow a folder that became a link', async () => {
    const { home, at, write, keep, work } = place()
    mkdirSync(at('lib'))
    write('lib/a', 'old')
    const kept = await keep('lib/a')
    renameSync(at('lib'), at('moved'))
    symlinkSync(join(work, '..'), at('lib'))
    await expect(planUndo(home, kept)).rejects.toThrow('leads somewhere else')
  })
})

describe('pruning', () => {
  it('deletes backups that are too old or over the size limit, oldest first, and never the newest', async () => {
    const { home, clock, write, keep } = place()
    const names: string[] = []
    for (const text of ['1234', '123', '12']) {
      write('a', text)
      names.push((await keep('a')).name)
      clock.at += 1000
    }
    const left = () => listBackups(home).map(({ name }) => name)
    await pruneBackups(home.backups, { keepMs: 1e9, mostBytes: 5 }, clock.at, names[2] ?? '')
    expect(left(), 'none is a day old').toEqual([names[2], names[1], names[0]])
    clock.at += 86_400_000
    await pruneBackups(home.backups, { keepMs: 1e9, mostBytes: 5 }, clock.at, names[2] ?? '')
    expect(left()).toEqual([names[2], names[1]])
    await pruneBackups(home.backups, { keepMs: 1, mostBytes: 1 }, clock.at, names[2] ?? '')
    expect(left()).toEqual([names[2]])
  })

  it('never makes room for another copy by deleting one of the last day', async () => {
    const { home, clock, backups, at, write } = place()
    write('a', '12345678')
    const targets = [target(at('a'))]
    const ages = { keepMs: 7 * 86_400_000, mostBytes: 20 }
    for (let i = 0; i < 2; i += 1) await backups.keep('call', targets, BOUNDS, { ...ages, approved: false })
    expect(await backups.measure(targets, BOUNDS, ages)).toEqual({
      kind: 'crowded',
      why: 'copies of the last day take 16 bytes, and all together may take 20 bytes',
    })
    await expect(backups.keep('call', targets, BOUNDS, { ...ages, approved: false })).rejects.toThrow('of the last day')
    expect(await backups.keep('call', targets, BOUNDS, { ...ages, approved: true })).toMatchObject({ files: 1 })
    expect(listBackups(home)).toHaveLength(3)
    write('a', '')
    expect(await backups.measure([target(at('new'))], BOUNDS, ages)).toMatchObject({ kind: 'possible' })
    clock.at += 86_400_001
    expect(await backups.measure(targets, BOUNDS, ages)).toMatchObject({ kind: 'possible' })
  })

  it('keeps a backup that is about to be restored', async () => {
    const { home, clock, write, keep } = place()
    write('a', 'x')
    const { name } = await keep('a')
    clock.at += 30 * 86_400_000
    spareBackup(home, name)
    await pruneBackups(home.backups, AGES, clock.at, 'another')
    expect(listBackups(home).map((kept) => kept.name)).toEqual([name])
  })

  it('removes partial backups and partial deletions after a crash', async () => {
    const { home, write, keep } = place()
    write('a', 'x')
    const { name } = await keep('a')
    const stale = join(home.backups, '.new-0123456789abcdef')
    mkdirSync(stale)
    utimesSync(stale, 1, 1)
    mkdirSync(join(home.backups, '.new-fresh'))
    mkdirSync(join(home.backups, '.old-1-1-x'))
    await pruneBackups(home.backups, AGES, 1_000_000, name)
    expect(readdirSync(home.backups).sort()).toEqual(['.new-fresh', name])
  })
})
