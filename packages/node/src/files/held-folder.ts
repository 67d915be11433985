import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { systemCode } from './private-file.ts'
import { realPath } from './real-path.ts'

/** An open folder: it stays the same folder whatever takes its name meanwhile. */
export interface HeldFolder {
  /** A path that leads to this very folder until `release`. */
  readonly at: string
  /** Throws if the folder was swapped meanwhile, where `at` can't prevent that. */
  verify(): void
  release(): void
}

/** macOS has neither `O_PATH` nor paths through descriptors. */
const HAS_PROC = process.platform === 'linux'
/** `O_PATH`: stands for a folder without any right on it. */
const ONLY_PATH = HAS_PROC ? 0o10000000 : 0
const FOLDER = ONLY_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Holds a folder by its real path. SECURITY: A7 a command that runs meanwhile can put a link in the place of a folder at any
 * moment, so whatever changes files of a workspace acts through `at`. On macOS the path is compared before and after: a swap
 * is reported there, not prevented.
 */
export function holdFolder(path: string): HeldFolder {
  const held = hold(path, path)
  try {
    if (!isAt(held.fd, path)) throw becameLink(path)
    return held
  } catch (error) {
    held.release()
    throw error
  }
}

/** Whether an open file or folder is the one that a path without links leads to. */
export function isAt(fd: number, path: string): boolean {
  if (HAS_PROC) return readlinkSync(`/proc/self/fd/${fd}`) === path
  const now = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const opened = fstatSync(fd, { bigint: true })
  return opened.dev === now?.dev && opened.ino === now.ino && realPath(path, '/') === path
}

/** Holds a folder in a held one. `path` is for messages, and for systems without paths through descriptors. */
export function holdInside(parent: HeldFolder, name: string | Buffer, path: string): HeldFolder {
  return hold(inside(parent, name), path)
}

/** The path of an entry in a held folder; names may be bytes that no text can express. */
export function inside({ at }: HeldFolder, name: string | Buffer): string | Buffer {
  return typeof name === 'string' ? join(at, name) : Buffer.concat([Buffer.from(`${at}/`), name])
}

/** Holds a folder, and makes it and its parents where they are missing; `made` are the new ones, outermost first. */
export function makeFolders(path: string): HeldFolder & { readonly made: readonly string[] } {
  const missing: string[] = []
  let held = deepest(path, missing)
  const made: string[] = []
  let at = missing.reduce((below) => dirname(below), path)
  for (const name of missing) {
    at = join(at, name)
    const parent = held
    try {
      if (makeFolder(inside(parent, name))) made.push(at)
      held = holdInside(parent, name, at)
    } finally {
      parent.release()
    }
  }
  return { ...held, made }
}

/** Acts in the folder of a real path, which can't be swapped for another meanwhile. */
export async function inHeldFolder<T>(path: string, act: (folder: HeldFolder) => T | Promise<T>): Promise<T> {
  return whileHeld(holdFolder(path), act)
}

/** Acts in a held folder, and releases it. */
export async function whileHeld<T, Folder extends HeldFolder>(
  folder: Folder,
  act: (folder: Folder) => T | Promise<T>,
): Promise<T> {
  try {
    const result = await act(folder)
    folder.verify()
    return result
  } finally {
    folder.release()
  }
}

function hold(spelled: string | Buffer, path: string): HeldFolder & { readonly fd: number } {
  const fd = openFolder(spelled, path)
  return {
    fd,
    at: HAS_PROC ? `/proc/self/fd/${fd}` : path,
    verify() {
      if (!HAS_PROC && !isAt(fd, path)) throw becameLink(path)
    },
    release: () => closeSync(fd),
  }
}

function openFolder(spelled: string | Buffer, path: string): number {
  try {
    return openSync(spelled, FOLDER)
  } catch (error) {
    const isLink = lstatSync(spelled, { throwIfNoEntry: false })?.isSymbolicLink() === true
    throw isLink ? becameLink(path) : error
  }
}

/** The deepest existing folder of a path; the names below it go to `missing`. */
function deepest(path: string, missing: string[]): HeldFolder {
  for (let at = path; ; at = dirname(at)) {
    try {
      return holdFolder(at)
    } catch (error) {
      if (systemCode(error) !== 'ENOENT' || at === dirname(at)) throw error
      missing.unshift(basename(at))
    }
  }
}

/** False if somebody else made it just now. */
function makeFolder(path: string | Buffer): boolean {
  try {
    mkdirSync(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function becameLink(path: string): CountersignError {
  return new CountersignError('CS_TARGET', `the folder \`${path}\` is now a link; check it, then try again`)
}
