import { matchesPattern } from '../../command/expansion/glob-pattern.ts'
import { CREDENTIAL_FILES } from '../../knowledge/compiled/paths.ts'
import type { Places } from './category.ts'

const WILD = /[*?[]/

/** The usual credential file that a glob may match; null if it matches none of them. */
export function secretNamedBy(glob: string, places: Places): string | null {
  const names = glob.split('/').filter((name) => name !== '' && name !== '.')
  if (names.length === 0 || names.length > 12 || glob.length > 256) return null
  if (glob.startsWith('~/')) return firstMatch(names.slice(1), CREDENTIAL_FILES.usualInHome, places.home)
  if (!glob.startsWith('/')) return firstMatch(names, CREDENTIAL_FILES.usualInProject, places.workspace)
  const home = names[0] === 'root' ? 1 : names[0] === 'home' || names[0] === 'Users' ? 2 : 0
  if (home > 0) return firstMatch(names.slice(home), CREDENTIAL_FILES.usualInHome, places.home)
  // `/etc/*` matches everything, and is not aimed at one file.
  return names.at(-1) === '*' ? null : firstMatch(names, CREDENTIAL_FILES.usualInSystem, '')
}

function firstMatch(patterns: readonly string[], secrets: readonly string[], folder: string): string | null {
  for (const secret of secrets) {
    const names = secret.split('/')
    if (names.length !== patterns.length) continue
    if (names.every((name, at) => isMatch(name, patterns[at] ?? ''))) return `${folder}/${secret}`
  }
  return null
}

/** A wildcard at the start of a pattern doesn't match a leading dot. */
function isMatch(name: string, pattern: string): boolean {
  return name.startsWith('.') && WILD.test(pattern[0] ?? '') ? false : matchesPattern(name, pattern)
}
