import { matchesName } from '../../command/model/glob-pattern.ts'
import { CREDENTIAL_FILES } from '../../knowledge/compiled/paths.ts'
import type { Places } from './category.ts'
import type { PathPattern } from './word-pattern.ts'

/** INVARIANT: L10, a path with more names is not matched. */
const MAX_NAMES = 24
/** Names of credential files that many other files have too: alone they prove nothing. */
const COMMON = /^(?:config|config\.json|hosts\.yml)$/

/** The usual credential file that a path pattern may match; null if it matches none of them. */
export function secretNamedBy({ names, anchored }: PathPattern, places: Places, dots = false): string | null {
  if (names.length === 0 || names.length > MAX_NAMES) return null
  if (!anchored) return secretAnywhere(names, places, dots)
  const inHome = homesOf(names, places, dots).flatMap((length) => firstMatch(names.slice(length), IN_HOME, dots) ?? [])
  if (inHome[0] !== undefined) return `${places.home}/${inHome[0]}`
  const workspace = namesOf(places.workspace)
  const below = names.slice(workspace.length)
  const own = isPrefix(workspace, names, dots) ? firstMatch(below, CREDENTIAL_FILES.usualInProject, dots) : null
  if (own !== null) return `${places.workspace}/${own}`
  // `/etc/*` matches everything, and is not aimed at one file.
  const system = names.at(-1) === '*' ? null : firstMatch(names, CREDENTIAL_FILES.usualInSystem, dots)
  return system === null ? null : `/${system}`
}

const IN_HOME = CREDENTIAL_FILES.usualInHome
const namesOf = (path: string) => path.split('/').filter((name) => name !== '')

/** How many of the names may be a home folder. */
function homesOf(names: readonly string[], { home }: Places, dots: boolean): readonly number[] {
  const own = namesOf(home)
  const lengths = isPrefix(own, names, dots) ? [own.length] : []
  const [first = ''] = names
  if (matchesName('home', first, dots) || matchesName('Users', first, dots)) lengths.push(2)
  if (matchesName('root', first, dots)) lengths.push(1)
  return lengths
}

function isPrefix(folder: readonly string[], names: readonly string[], dots: boolean): boolean {
  return folder.length < names.length && folder.every((name, at) => matchesName(name, names[at] ?? '', dots))
}

/** A path below an unknown folder: its last names are those of a credential file. */
function secretAnywhere(names: readonly string[], places: Places, dots: boolean): string | null {
  const last = names.at(-1) ?? ''
  if (last.replace(/\[[^\]]*\]|[^A-Za-z0-9]/g, '').length < 2) return null
  for (const secret of IN_HOME) {
    const parts = secret.split('/')
    const length = Math.min(parts.length, names.length)
    if (length < parts.length && COMMON.test(parts.at(-1) ?? '')) continue
    if (firstMatch(names.slice(-length), [parts.slice(-length).join('/')], dots) !== null)
      return `${places.home}/${secret}`
  }
  return null
}

function firstMatch(patterns: readonly string[], secrets: readonly string[], dots: boolean): string | null {
  for (const secret of secrets) if (matchNames(secret.split('/'), patterns, dots)) return secret
  return null
}

/** `**` stands for any number of folders. */
function matchNames(names: readonly string[], patterns: readonly string[], dots: boolean): boolean {
  const deep = patterns.indexOf('**')
  if (deep !== -1) {
    const after = patterns.slice(deep + 1)
    if (deep + after.length > names.length) return false
    return (
      matchNames(names.slice(0, deep), patterns.slice(0, deep), dots) &&
      names.slice(deep, names.length - after.length).every((name) => dots || !name.startsWith('.')) &&
      matchNames(names.slice(names.length - after.length), after, dots)
    )
  }
  return names.length === patterns.length && names.every((name, at) => matchesName(name, patterns[at] ?? '', dots))
}
