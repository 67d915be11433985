import { CREDENTIALS, ENVIRONMENT, PROTECTED_NAMES, VISIBLE_FILES } from './compiled/containment.ts'
import { CREDENTIAL_FILES, STARTUP_FILES } from './compiled/paths.ts'
import { union, type Words } from './words.ts'

/** Folders of version control, which are writable except for the parts that run or configure something. */
const REPOSITORIES = new Set(['.git', '.hg', '.svn', '.jj'])

const NAMES: Words = union(
  PROTECTED_NAMES.names,
  [...STARTUP_FILES.names].filter((name) => name !== '.gitconfig'),
  [...STARTUP_FILES.versionControl].filter((name) => !REPOSITORIES.has(name)),
)

/**
 * Whether other programs run or obey a file or folder of this name by themselves. `parent` is the name of the folder it is
 * in. Spellings that some file systems take for the same name count too.
 */
export function isProtectedName(name: string, parent: string): boolean {
  const plain = plainName(name)
  return (
    NAMES.has(plain) ||
    PROTECTED_NAMES.starts.some((start) => plain.startsWith(start)) ||
    PROTECTED_NAMES.endings.some((ending) => plain.endsWith(ending)) ||
    PROTECTED_NAMES.inside.includes(`${plainName(parent)}/${plain}`) ||
    isShortened(plain, NAMES)
  )
}

/**
 * A name as the most lenient file system reads it: case folded (`ſ` is `s`), without characters that HFS+ ignores, and
 * without the dots, spaces and streams at its end that Windows ignores, as in a workspace below `/mnt/c`.
 */
function plainName(name: string): string {
  if (/^[a-z0-9._-]*[a-z0-9_-]$/.test(name)) return name
  const folded = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  return folded.replace(/(?<=[^.]):.*$/s, '').replace(/(?<=[^. ])[. ]+$/, '')
}

/** Whether Windows could find one of the names by this short one: `git~1` is `.git`. */
function isShortened(plain: string, names: Iterable<string>): boolean {
  const start = /^([^.~]{1,6})~\d/.exec(plain)?.[1]
  if (start === undefined) return false
  for (const name of names) {
    const stem = name.replace(/^\.+|(?<=.)\.[^.]*$/g, '').replaceAll('.', '')
    if (stem.slice(0, 6) === start) return true
  }
  return false
}

/** What makes git take a folder for a repository, wherever it is. */
const MARKS: ReadonlySet<string> = new Set(['head', 'commondir', 'gitdir'])

/** Whether a file makes a repository of a folder: git would obey its settings and hooks when a person works there. */
export function makesRepository(name: string): boolean {
  return MARKS.has(plainName(name))
}

/** Whether a path leads to, or into, something that other programs run or obey by themselves, or a repository's own folder. */
export function isProtectedPath(path: string): boolean {
  let parent = ''
  for (const name of path.split('/')) {
    const plain = plainName(name)
    if (REPOSITORIES.has(plain) || isShortened(plain, REPOSITORIES) || isProtectedName(name, parent)) return true
    parent = name
  }
  return makesRepository(parent)
}

/** Whether a file of this name in a workspace holds its secrets: `.env` and `.env.*`, but no examples. */
export function isProjectSecret(name: string): boolean {
  const lower = name.toLowerCase()
  return lower === '.env' || (lower.startsWith('.env.') && !CREDENTIAL_FILES.examples.has(lower))
}

/** The tables of the sandbox. */
export const CONTAINMENT = {
  protectedNames: PROTECTED_NAMES,
  visibleFiles: VISIBLE_FILES,
  credentials: CREDENTIALS.sets,
  environment: ENVIRONMENT,
} as const
