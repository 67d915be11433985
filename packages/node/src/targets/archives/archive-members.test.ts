import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { archiveMembers } from './archive-members.ts'

const MIB = 2 ** 20
let folder: string

beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(join(folder, 'd/e'), { recursive: true })
  writeFileSync(join(folder, 'd/a.txt'), 'a')
  writeFileSync(join(folder, 'd/e/b.txt'), 'b'.repeat(2000))
})

const tar = (...args: readonly string[]): void => {
  execFileSync('tar', args, { cwd: folder })
}
const read = (name: string, format: 'tar' | 'zip' = 'tar', most = MIB) =>
  archiveMembers(join(folder, name), format, most)

describe('the names in a tar archive', () => {
  it.each([
    ['GNU', ['cf', 'a.tar', '--sort=name', 'd']],
    ['POSIX', ['cf', 'a.tar', '--sort=name', '--format=posix', 'd']],
    ['old', ['cf', 'a.tar', '--sort=name', '--format=v7', 'd']],
    ['gzip', ['czf', 'a.tar', '--sort=name', 'd']],
  ])('are read from the %s format', async (_, args) => {
    tar(...args)
    expect(await read('a.tar')).toEqual(['d/', 'd/a.txt', 'd/e/', 'd/e/b.txt'])
  })

  it.each(['gnu', 'posix'])('are read in full where they are long (%s)', async (format) => {
    const name = `d/${'x'.repeat(90)}/${'y'.repeat(120)}`
    mkdirSync(join(folder, name, '..'))
    writeFileSync(join(folder, name), '')
    tar('cf', 'a.tar', `--format=${format}`, name)
    expect(await read('a.tar')).toEqual([name])
  })

  it('are not told if there is a link, a second name, a device or a program with its owner’s rights', async () => {
    symlinkSync('/', join(folder, 'link'))
    linkSync(join(folder, 'd/a.txt'), join(folder, 'd/same.txt'))
    execFileSync('mkfifo', [join(folder, 'fifo')])
    writeFileSync(join(folder, 'owner'), '')
    chmodSync(join(folder, 'owner'), 0o4755)
    for (const name of ['link', 'd', 'fifo', 'owner']) {
      tar('cf', 'a.tar', name)
      expect(await read('a.tar'), name).toBeUndefined()
    }
  })

  it('are not told if a member has two long names', async () => {
    for (const [format, start] of [
      ['posix', 'x'],
      ['gnu', 'y'],
    ] as const) {
      const name = start.repeat(120)
      writeFileSync(join(folder, name), '')
      tar('cf', `${format}.tar`, `--format=${format}`, name)
    }
    const gnu = readFileSync(join(folder, 'gnu.tar'))
    const posix = readFileSync(join(folder, 'posix.tar'))
    for (const [first, second] of [
      [posix, gnu],
      [gnu, posix],
      [posix, posix],
    ] as const) {
      writeFileSync(join(folder, 'a.tar'), Buffer.concat([first.subarray(0, 1024), second]))
      expect(await read('a.tar')).toBeUndefined()
    }
    expect(await read('gnu.tar')).toEqual(['y'.repeat(120)])
  })

  it('are not told if the archive is damaged, goes on after its end, or is too large', async () => {
    tar('cf', 'a.tar', 'd/a.txt')
    tar('cf', 'b.tar', 'd/e')
    execFileSync('sh', ['-c', 'cat a.tar b.tar > both.tar; head -c 700 a.tar > cut.tar; tr a x < a.tar > other.tar'], {
      cwd: folder,
    })
    for (const name of ['both.tar', 'cut.tar', 'other.tar', 'd', 'missing']) expect(await read(name)).toBeUndefined()
    expect(await read('a.tar', 'tar', 100)).toBeUndefined()
    expect(await read('a.tar', 'zip')).toBeUndefined()
  })
})

describe('the names in a zip archive', () => {
  const write = (bytes: Buffer) => writeFileSync(join(folder, 'a.zip'), bytes)

  it('are read', async () => {
    write(zipOf([{ name: 'd/' }, { name: 'd/a.txt' }]))
    expect(await read('a.zip', 'zip')).toEqual(['d/', 'd/a.txt'])
  })

  it.each([
    ['a link', zipOf([{ name: 'a', mode: 0o120777 }])],
    ['a program with its owner’s rights', zipOf([{ name: 'a', mode: 0o104755 }])],
    ['another name beside its content', zipOf([{ name: 'a', local: '..' }])],
    ['another name in Unicode', zipOf([{ name: 'a', extra: Buffer.from([0x75, 0x70, 1, 0, 0]) }])],
    ['a member from another system', zipOf([{ name: 'a', system: 7 }])],
    ['a version behind a name, which is not kept', zipOf([{ name: 'CLAUDE.md;1' }])],
    ['characters that are not plain', zipOf([{ name: 'a\u0001b' }])],
    ['something behind its end', Buffer.concat([zipOf([{ name: 'a' }]), Buffer.from('x')])],
    ['something before its start', Buffer.concat([Buffer.from('x'), zipOf([{ name: 'a' }])])],
  ])('are not told if there is %s', async (_, bytes) => {
    write(bytes)
    expect(await read('a.zip', 'zip')).toBeUndefined()
  })
})

interface Member {
  readonly name: string
  readonly local?: string
  readonly mode?: number
  readonly system?: number
  readonly extra?: Buffer
}

/** A zip archive of empty files. */
function zipOf(members: readonly Member[]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const { name, local = name, mode = 0o100644, system = 3, extra = Buffer.alloc(0) } of members) {
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(Buffer.byteLength(local), 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry[5] = system
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    entry.writeUInt16LE(extra.length, 30)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(at, 42)
    locals.push(head, Buffer.from(local))
    entries.push(entry, Buffer.from(name), extra)
    at += 30 + Buffer.byteLength(local)
  }
  const list = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, list, end])
}
