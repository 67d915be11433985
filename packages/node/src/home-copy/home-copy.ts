import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { openOwnFolder, readOwnFile, replaceOwnFile, syncFolder } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { copyStoreTo, moveStoreTo } from './moved-store.ts'

const MANIFEST = 'manifest.json'
const MAX_MANIFEST = 64 * 1_048_576
/** Of one machine or one process, or made again when needed. */
const LEFT_OUT =
  /^(?:run|parsed|contained|lock\.db.*|service\.json|enrolment\.json|store\.(?:db|json).*|store\.v\d.*|manifest\.json|.*\.tmp|.*\.part)$/

/** A copy of a home in a folder: each file with its hash, each link with its target. */
export interface HomeCopy {
  readonly version: 1
  readonly how: 'backup' | 'move'
  readonly at: number
  /** The address of the shared store, for messages; absent if the home has its store alone. */
  readonly sharedStore?: string
  readonly files: { readonly [path: string]: { readonly sha256: string } | { readonly link: string } }
}

/** A folder that is complete but does not have its name yet. */
export interface UnnamedFolder {
  readonly folder: string
  /** Gives the folder its name, in one step. */
  finish(): void
}

/** A copy of a home that is being made, file by file. */
export interface OpenedCopy {
  readonly folder: string
  /** Copies what the store must reach, before the store is copied: checkpoints, and the list of gates. */
  addHeads(): void
  /** Takes over a file that was written to the folder. */
  addWritten(name: string): void
  /** Copies everything else, and writes the list of files. */
  complete(about: Omit<HomeCopy, 'version' | 'files'>): UnnamedFolder
}

/** Begins a copy beside `to`. */
export function openCopy(home: Home, to: string): OpenedCopy {
  if (existsSync(to)) throw new CountersignError('CS_HOME', `\`${to}\` exists; name a new folder`)
  const folder = unnamed(to)
  const files: Record<string, { sha256: string } | { link: string }> = {}
  return {
    folder,
    addHeads() {
      if (existsSync(home.heads)) copyTree(home.dir, folder, 'heads', files)
      if (existsSync(home.gates)) copyTree(home.dir, folder, basename(home.gates), files)
    },
    addWritten(name) {
      files[name] = { sha256: hashOf(join(folder, name)) }
      syncFile(join(folder, name))
    },
    complete(about) {
      for (const name of readdirSync(home.dir))
        if (name !== 'heads' && !(name in files) && !LEFT_OUT.test(name)) copyTree(home.dir, folder, name, files)
      replaceOwnFile(join(folder, MANIFEST), `${JSON.stringify({ version: 1, ...about, files })}\n`)
      return { folder, finish: () => rename(folder, to) }
    },
  }
}

/**
 * Copies a home with its SQLite store beside `to`, also while a service runs. The store comes after the checkpoints, which it
 * must reach, and before the archives, into which its entries move. A move marks the store in the same step that copies it.
 */
export function beginCopy(home: Home, to: string, how: HomeCopy['how'], at: number): UnnamedFolder {
  const copy = openCopy(home, to)
  copy.addHeads()
  const copyStore = how === 'move' ? moveStoreTo : copyStoreTo
  copyStore(home.store, join(copy.folder, 'store.db'))
  copy.addWritten('store.db')
  return copy.complete({ how, at })
}

/** Reads the list of a copy's files. */
export function readCopy(folder: string): HomeCopy {
  const text = readOwnFile(join(folder, MANIFEST), MAX_MANIFEST, 'CS_HOME')
  if (text === undefined) throw new CountersignError('CS_HOME', `\`${folder}\` is not a copy of a home`)
  try {
    const copy = JSON.parse(text) as HomeCopy
    const names = Object.keys(copy.files)
    const hasStore = names.includes('store.db') || names.includes('store.json')
    if (copy.version === 1 && hasStore && names.every(isInside)) return copy
  } catch {
    // Falls through: invalid JSON is the same damage as a missing field.
  }
  throw damaged(folder, MANIFEST)
}

/** Copies the files of a copy beside `to`, and compares each with its hash. */
export function unpackCopy(from: string, copy: HomeCopy, to: string): UnnamedFolder {
  const folder = unnamed(to)
  for (const [path, entry] of Object.entries(copy.files)) {
    openParents(folder, path)
    const target = join(folder, path)
    if ('link' in entry) symlinkSync(entry.link, target)
    else if (copyFile(join(from, path), target) !== entry.sha256) throw damaged(from, path)
  }
  for (const name of new Set(Object.keys(copy.files).map(dirname))) syncFolder(join(folder, name))
  return { folder, finish: () => rename(folder, to) }
}

function copyTree(
  from: string,
  to: string,
  path: string,
  files: Record<string, { sha256: string } | { link: string }>,
) {
  const source = join(from, path)
  const stats = lstatSync(source, { throwIfNoEntry: false })
  if (stats === undefined) return // pruned meanwhile
  if (stats.isSymbolicLink()) {
    const link = readlinkSync(source)
    symlinkSync(link, join(to, path))
    files[path] = { link }
  } else if (stats.isDirectory()) {
    openOwnFolder(join(to, path), 'CS_HOME')
    for (const name of readdirSync(source))
      if (!/\.(?:tmp|part)$|^lock\.db/.test(name)) copyTree(from, to, join(path, name), files)
    syncFolder(join(to, path))
  } else if (stats.isFile()) files[path] = { sha256: copyFile(source, join(to, path)) }
}

/** Copies a file with mode 0600, to the disk, and returns the hash of what arrived. */
function copyFile(from: string, to: string): string {
  const hash = createHash('sha256')
  const source = openSync(from, constants.O_RDONLY | constants.O_NOFOLLOW)
  const target = openSync(to, 'wx', 0o600)
  const part = Buffer.allocUnsafe(65_536)
  try {
    for (let read = readSync(source, part); read > 0; read = readSync(source, part)) {
      hash.update(part.subarray(0, read))
      writeFileSync(target, part.subarray(0, read))
    }
    fsyncSync(target)
    return hash.digest('hex')
  } finally {
    closeSync(source)
    closeSync(target)
  }
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const fd = openSync(path, 'r')
  const part = Buffer.allocUnsafe(65_536)
  try {
    for (let read = readSync(fd, part); read > 0; read = readSync(fd, part)) hash.update(part.subarray(0, read))
    return hash.digest('hex')
  } finally {
    closeSync(fd)
  }
}

/** SECURITY: A3 a manifest may not name a place outside its folder. */
function isInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && path.split('/').every((part) => !['', '.', '..'].includes(part))
}

/** Makes the folders above a file; a link among them would lead outside. */
function openParents(folder: string, path: string): void {
  const parts = dirname(path).split('/')
  for (let count = 1; count <= parts.length; count += 1) {
    const parent = join(folder, ...parts.slice(0, count))
    if (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink()) throw damaged(folder, path)
    openOwnFolder(parent, 'CS_HOME')
  }
}

function unnamed(to: string): string {
  const folder = join(dirname(to), `.${basename(to)}.${randomBytes(8).toString('hex')}.partial`)
  openOwnFolder(folder, 'CS_HOME')
  return folder
}

function rename(from: string, to: string): void {
  syncFolder(from)
  renameSync(from, to)
  syncFolder(dirname(to))
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function damaged(folder: string, path: string): CountersignError {
  return new CountersignError('CS_HOME', `\`${join(folder, path)}\` is damaged; use another copy`)
}
