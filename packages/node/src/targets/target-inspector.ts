import { accessSync, type BigIntStats, closeSync, constants, opendirSync, readlinkSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { CountersignError, type TargetFacts, type TargetState, type Targets, type TargetText } from '@countersign/core'
import { type FileBody, openBody } from '../files/opened-file.ts'
import { readUpTo } from '../files/private-file.ts'
import { entryAt, realPath } from '../files/real-path.ts'
import { archiveMembers } from './archives/archive-members.ts'
import { hashBody, type ProgramHashes, programHashes, statOf } from './file-hash.ts'
import { listFolder, treeOf, typeOf } from './tree.ts'

/** How often a path may change during inspection before we give up. */
const LOOKS = 3

/** Folders whose files the kernel generates on read: their size and content mean nothing. */
const MADE_UP = /^\/(proc|sys)(\/|$)/

/** The file system as the calls' targets. Reads only; `searchPath` is the PATH programs are found by. */
export function openTargets(options: { readonly searchPath?: string } = {}): Targets {
  const hashes = programHashes()
  const searchPath = (options.searchPath ?? process.env['PATH'] ?? '').split(':')
  return Object.freeze({
    resolve: realPath,
    program: programFinder(searchPath),
    look: (path: string, cwd: string, budget: number) => look(path, cwd, budget, hashes),
    readText: async (path: string, cwd: string, maxBytes: number) => readText(path, cwd, maxBytes),
    readEntry,
    facts: factsOf,
    list: listFolder,
    members: archiveMembers,
    tree: treeOf,
  })
}

async function look(path: string, cwd: string, budget: number, hashes: ProgramHashes): Promise<TargetState> {
  for (let tries = 0; tries < LOOKS; tries += 1) {
    const real = realPath(path, cwd)
    const seen = await lookOnce(real, budget, hashes)
    // SECURITY: A7 what was looked at counts only if the path still leads there.
    if (seen !== 'swapped' && realPath(path, cwd) === real) return { given: path, real, ...seen }
  }
  throw new CountersignError(
    'CS_STALE',
    `\`${path}\` keeps changing while it is looked at; stop what changes it and ask again`,
  )
}

type Seen = Pick<TargetState, 'type' | 'content'>

async function lookOnce(real: string, budget: number, hashes: ProgramHashes): Promise<Seen | 'swapped'> {
  const entry = entryAt(real)
  if (entry === undefined) return { type: 'absent', content: 'absent' }
  if (entry.isSymbolicLink()) return MADE_UP.test(real) ? { type: 'other', content: 'unbound' } : 'swapped'
  if (entry.isDirectory()) return { type: 'directory', content: `${statOf(entry, 'folder')}:${folderEntries(real)}` }
  // Opening a device or a FIFO can itself have an effect, so nothing but a plain file is opened.
  if (!entry.isFile() || MADE_UP.test(real)) return { type: 'other', content: 'unbound' }
  const body = openBody(real, entry)
  if (body === 'swapped') return body
  if (body === 'unreadable') return { type: 'file', content: statOf(entry, 'file') }
  try {
    return { type: 'file', content: await hashBody(body, budget, hashes) }
  } finally {
    closeSync(body.fd)
  }
}

function readText(path: string, cwd: string, maxBytes: number): string | undefined {
  const entry = readEntry(realPath(path, cwd), maxBytes)
  return entry.type === 'file' ? entry.text : undefined
}

function readEntry(real: string, maxBytes: number): TargetText {
  const entry = entryAt(real)
  if (entry === undefined) return { type: 'absent' }
  const type = MADE_UP.test(real) ? 'other' : typeOf(entry)
  if (type !== 'file') return { type }
  const bytes = Number(entry.size)
  const text = bytes > maxBytes ? undefined : textOf(real, entry, maxBytes)
  return text === undefined ? { type, bytes } : { type, bytes, text }
}

function textOf(real: string, entry: BigIntStats, maxBytes: number): string | undefined {
  const body = openBody(real, entry)
  if (body === 'unreadable')
    throw new CountersignError('CS_TARGET', `\`${real}\` cannot be read; check its permissions`)
  if (body === 'swapped') throw new CountersignError('CS_STALE', `\`${real}\` changed while it was read; ask again`)
  try {
    return decode(body, maxBytes)
  } finally {
    closeSync(body.fd)
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Undefined for a binary file: a diff would not show its bytes. */
function decode(body: FileBody, maxBytes: number): string | undefined {
  const bytes = readUpTo(body.fd, maxBytes + 1, Number(body.stats.size) + 1)
  if (bytes.length > maxBytes || bytes.includes(0)) return undefined
  try {
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}

const MAX_COUNTED = 10_000

/** How many entries a folder has: `10000+` beyond that, `?` when it cannot be listed. */
function folderEntries(path: string): string {
  try {
    const folder = opendirSync(path)
    try {
      let count = 0
      while (count < MAX_COUNTED && folder.readSync() !== null) count += 1
      return count < MAX_COUNTED ? String(count) : `${MAX_COUNTED}+`
    } finally {
      folder.closeSync()
    }
  } catch {
    return '?'
  }
}

/** What lies at a path: the folders on the way are followed, a link at its end is told as itself. */
export function factsOf(path: string, cwd: string): TargetFacts {
  const at = placeOf(path, cwd)
  const entry = entryAt(at)
  if (entry === undefined) return { type: 'absent', bytes: 0, mode: 0 }
  const type = typeOf(entry)
  const figures = {
    type,
    bytes: type === 'file' ? Number(entry.size) : 0,
    mode: Number(entry.mode & 0o7777n),
    ...(type === 'file' && entry.nlink > 1n ? { names: Number(entry.nlink) } : {}),
  }
  return type === 'link' ? { ...figures, leads: readlinkSync(at) } : figures
}

/** Where the entry itself is: `realPath` of all but its last name. */
function placeOf(path: string, cwd: string): string {
  const named = path.replace(/\/+$/, '')
  const last = basename(named)
  if (path.endsWith('/') || last === '' || last === '.' || last === '..' || last.startsWith('~'))
    return realPath(path, cwd)
  const folder = dirname(named)
  return join(realPath(folder, cwd), last)
}

/** Resolves a program's name as a shell does: its absolute real path, or undefined when there is none. */
function programFinder(searchPath: readonly string[]): (name: string, cwd: string) => string | undefined {
  return (name, cwd) => {
    if (name === '' || name.includes('\0')) return undefined
    if (name.includes('/')) return executableAt(realPath(name, cwd), cwd)
    for (const folder of searchPath) {
      // An empty entry, like a relative one, is searched from the working folder.
      const found = executableAt(isAbsolute(folder) ? `${folder}/${name}` : `${cwd}/${folder}/${name}`, cwd)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** The real path of what is at `path`, if it can be run. */
function executableAt(path: string, cwd: string): string | undefined {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
    accessSync(path, constants.X_OK)
    return realPath(path, cwd)
  } catch (error) {
    if (error instanceof CountersignError) throw error
    return undefined
  }
}
