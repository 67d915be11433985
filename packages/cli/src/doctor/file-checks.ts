import { closeSync, constants, lstatSync, openSync, realpathSync, type Stats, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Check } from './check.ts'

/** Files of a home, what no asker may do with them, and whether every home that serves has them. */
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

/** What to do where a check could not be made because the home is not the gate's. */
export const RIGHT_HOME = 'run the full command that `countersign doctor` prints for the owner of the gate'

/** Tries what this user can do to the files of a home. What should be there and is not could not be tried. */
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

/** How an attempt ended: `done`, `refused` for want of rights, or the system's code for whatever else came between. */
type Attempt = 'done' | 'refused' | (string & {})

/** Does something only to see whether this user may. */
function attempt(work: () => void): Attempt {
  try {
    work()
    return 'done'
  } catch (error) {
    return attemptOf(error)
  }
}

/** What an error says of an attempt. Only a plain no is a no: what is not there was not tried. */
export function attemptOf(error: unknown): Attempt {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code'
  return code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'refused' : code
}

/** Opens a file and lets go of it. */
function tryToOpen(path: string, flags: number): Attempt {
  return attempt(() => closeSync(openSync(path, flags | constants.O_NONBLOCK)))
}

/** Makes a file in a folder and takes it away again. */
export function tryToMakeIn(folder: string): Attempt {
  const path = join(folder, `.countersign-doctor-${process.pid}`)
  return attempt(() => {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600))
    unlinkSync(path)
  })
}

/** What is at a path, a link itself; undefined when nothing is seen of it. */
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
 * Whether this user could put something of its own in the place of a path: by owning it or a folder above it, or by
 * writing in one. SECURITY: A3, who replaces the socket is the gate to whoever asks next.
 */
export function replaceCheck(name: string, path: string, what: string): Check {
  const user = process.geteuid?.()
  for (const step of new Set([...stepsTo(path), ...stepsTo(realOrSame(path))])) {
    if (seenAt(step)?.uid === user)
      return { name, holds: false, words: `${what} can be replaced: this user owns ${step}`, fix: FIX }
    const folder = dirname(step)
    // In a folder with the sticky bit only the owner of a thing may replace it, and this user is none.
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
