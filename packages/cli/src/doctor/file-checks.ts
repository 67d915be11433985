import { closeSync, constants, lstatSync, openSync, realpathSync, type Stats, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Check } from './check.ts'

/** Files of a home, the access that agents must not have, and whether the file always exists. */
const FILES: readonly (readonly [string, 'read' | 'write', 'always' | 'maybe'])[] = [
  ['store.db', 'read', 'always'],
  ['policy.yaml', 'read', 'maybe'],
  ['approvers.json', 'read', 'maybe'],
  ['keys/gate.key', 'read', 'always'],
  ['keys/approver.key', 'read', 'maybe'],
  ['keys/seal.key', 'read', 'maybe'],
  ['policy.yaml', 'write', 'maybe'],
  ['approvers.json', 'write', 'maybe'],
  ['store.db', 'write', 'always'],
]
const FLAGS = { read: constants.O_RDONLY, write: constants.O_WRONLY | constants.O_APPEND } as const
const CLOSE_HOME = 'deny that user access to the home: `chmod 700`, and a different owner'

/** The fix for checks that could not run because the home is not the gate's. */
export const RIGHT_HOME = 'run the full command that `countersign doctor` prints for the owner of the gate'

/** Tests this user's access to the files of a home. A required file that is missing counts as not tested. */
export function tryFiles(home: string): readonly Check[] {
  return [
    ...FILES.map(([file, name, there]) => {
      const path = join(home, file)
      const found = tryToOpen(path, FLAGS[name])
      const isAbsent = found === 'ENOENT' && there === 'maybe' && seenAt(dirname(path)) !== undefined
      return isAbsent
        ? { name, holds: true, words: `${path}: does not exist` }
        : asCheck(name, `${name} ${path}`, found)
    }),
    asCheck('make', `create files in ${home}`, tryToMakeIn(home)),
  ]
}

function asCheck(name: string, what: string, found: Attempt): Check {
  if (found === 'done') return { name, holds: false, words: `this user can ${what}`, fix: CLOSE_HOME }
  if (found === 'refused') return { name, holds: true, words: `this user cannot ${what}` }
  return {
    name,
    holds: undefined,
    words: `could not test whether this user can ${what} (${found})`,
    fix: RIGHT_HOME,
  }
}

/** The result of an attempt: `done`, `refused` (no permission), or another system error code. */
type Attempt = 'done' | 'refused' | (string & {})

/** Runs an action to see whether this user may do it. */
function attempt(work: () => void): Attempt {
  try {
    work()
    return 'done'
  } catch (error) {
    return attemptOf(error)
  }
}

/** The attempt that an error stands for. Only a permission error counts as refused. */
export function attemptOf(error: unknown): Attempt {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'refused' : code
}

/** Opens and closes a file. */
export function tryToOpen(path: string, flags: number): Attempt {
  return attempt(() => closeSync(openSync(path, flags | constants.O_NONBLOCK)))
}

/** Creates and removes a file in a folder. */
export function tryToMakeIn(folder: string): Attempt {
  const path = join(folder, `.countersign-doctor-${process.pid}`)
  return attempt(() => {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
    unlinkSync(path)
  })
}

/** `lstat` of a path; undefined if it is missing or not accessible. */
export function seenAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

const STICKY = 0o1000
const FIX = 'keep it in folders that only root and the owner of the gate can change'

/**
 * Whether this user could replace a path: by owning it or a parent folder, or by writing to one.
 * SECURITY: A3 whoever replaces the socket can impersonate the gate.
 */
export function replaceCheck(name: string, path: string, what: string): Check {
  const user = process.geteuid?.()
  for (const step of new Set([...stepsTo(path), ...stepsTo(realOrSame(path))])) {
    if (seenAt(step)?.uid === user)
      return { name, holds: false, words: `${what} can be replaced: this user owns ${step}`, fix: FIX }
    const folder = dirname(step)
    // With the sticky bit only the owner of an entry can replace it.
    const isSticky = ((seenAt(folder)?.mode ?? 0) & STICKY) !== 0
    if (folder !== step && !isSticky && tryToMakeIn(folder) === 'done')
      return { name, holds: false, words: `${what} can be replaced: this user can write in ${folder}`, fix: FIX }
  }
  return { name, holds: true, words: `${what} cannot be replaced by this user` }
}

function stepsTo(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [path, ...stepsTo(parent)]
}

function realOrSame(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
