import { constants, type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { replaceCheck, seenAt, tryToMakeIn, tryToOpen } from './file-checks.ts'

/** INVARIANT: L10, entries of a program's folder that are tested. */
const MOST = 200_000
const NAME = 'program'
const FIX = 'install Node and Countersign as root, or as the owner of the gate, in folders that nobody else can change'

/**
 * Whether this user could change the program that runs the gate: Node, the script, its package and the inbox's files, or a
 * folder above them. SECURITY: A3 whoever changes the program decides everything, whatever protects the home.
 */
export function programChecks(paths: readonly string[] | undefined): readonly Check[] {
  if (paths === undefined || paths.length === 0)
    return [
      {
        name: NAME,
        holds: undefined,
        words: 'the gate did not say which program it runs',
        fix: 'update the service, then start it again',
      },
    ]
  return paths.map((path) => {
    const placed = replaceCheck(NAME, path, path)
    return placed.holds === true ? contentCheck(path) : { ...placed, fix: FIX }
  })
}

/** Tests a file, or everything in a folder. */
function contentCheck(path: string): Check {
  if (seenAt(path) === undefined && tryToOpen(path, constants.O_RDONLY) !== 'refused')
    return untested(path, 'not found')
  const waiting = [path]
  const user = process.geteuid?.()
  let tested = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const seen = seenAt(next)
    tested += 1
    if (tested > MOST) return untested(path, `more than ${MOST} files`)
    if (seen === undefined || seen.isSymbolicLink()) continue // its folder decides who replaces it
    if (seen.uid === user) return changeable(next, 'owns')
    const found = seen.isDirectory() ? tryToMakeIn(next) : tryToOpen(next, constants.O_WRONLY | constants.O_APPEND)
    // A program that runs is busy only for those who may write it.
    if (found === 'done' || found === 'ETXTBSY') return changeable(next, 'can write')
    if (found !== 'refused') return untested(next, found)
    if (seen.isDirectory()) waiting.push(...entriesOf(next).map(({ name }) => join(next, name)))
  }
  return { name: NAME, holds: true, words: `${path} cannot be changed by this user` }
}

/** The entries of a folder; none if this user cannot list it, and so not open what is in it by chance. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function changeable(path: string, how: 'owns' | 'can write'): Check {
  return { name: NAME, holds: false, words: `the gate’s program can be changed: this user ${how} ${path}`, fix: FIX }
}

function untested(path: string, why: string): Check {
  return {
    name: NAME,
    holds: undefined,
    words: `could not test whether this user can change ${path} (${why})`,
    fix: FIX,
  }
}
