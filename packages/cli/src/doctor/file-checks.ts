import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Attempt, seenAt, tryToMakeIn, tryToOpen } from './attempt.ts'
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
const CLOSE_HOME = 'close the home to that user: `chmod 700`, and another owner'

/** What to do where a check could not be made because the home is not the gate's. */
export const RIGHT_HOME = 'run the whole command that `countersign doctor` prints for the gate’s owner'

/** Tries what this user can do to the files of a home. What should be there and is not could not be tried. */
export function tryFiles(home: string): readonly Check[] {
  return [
    ...FILES.map(([file, name, there]) => {
      const path = join(home, file)
      const found = tryToOpen(path, FLAGS[name])
      const isAbsent = found === 'ENOENT' && there === 'maybe' && seenAt(dirname(path)) !== undefined
      return isAbsent ? { name, holds: true, words: `${path}: not there` } : asCheck(name, `${name} ${path}`, found)
    }),
    asCheck('make', `make files in ${home}`, tryToMakeIn(home)),
  ]
}

function asCheck(name: string, what: string, found: Attempt): Check {
  if (found === 'done') return { name, holds: false, words: `this user can ${what}`, fix: CLOSE_HOME }
  if (found === 'refused') return { name, holds: true, words: `this user cannot ${what}` }
  return {
    name,
    holds: undefined,
    words: `whether this user can ${what} could not be tried (${found})`,
    fix: RIGHT_HOME,
  }
}
