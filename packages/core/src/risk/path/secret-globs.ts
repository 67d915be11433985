import { matchesPattern } from '../../command/expansion/glob-pattern.ts'
import type { Places } from './category.ts'

/** Where credentials usually lie under a home folder. */
const IN_HOME: readonly (readonly string[])[] = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.gnupg/secring.gpg',
  '.config/gh/hosts.yml',
  '.config/gcloud/credentials.db',
  '.netrc',
  '.git-credentials',
  '.pgpass',
  '.vault-token',
].map((path) => path.split('/'))
const IN_SYSTEM: readonly (readonly string[])[] = ['etc/shadow', 'etc/gshadow', 'etc/sudoers', 'proc/1/environ'].map(
  (path) => path.split('/'),
)
const IN_PROJECT: readonly (readonly string[])[] = [['.env']]
const WILD = /[*?[]/

/** The credential that a pattern may stand for; null when it names none of the usual ones. */
export function secretNamedBy(pattern: string, places: Places): string | null {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.')
  if (names.length === 0 || names.length > 12 || pattern.length > 256) return null
  if (pattern.startsWith('~/')) return named(names.slice(1), IN_HOME, places.home)
  if (!pattern.startsWith('/')) return named(names, IN_PROJECT, places.workspace)
  const home = names[0] === 'root' ? 1 : names[0] === 'home' || names[0] === 'Users' ? 2 : 0
  if (home > 0) return named(names.slice(home), IN_HOME, places.home)
  // `/etc/*` looks at everything, for nothing of it.
  return names.at(-1) === '*' ? null : named(names, IN_SYSTEM, '')
}

function named(names: readonly string[], secrets: readonly (readonly string[])[], folder: string): string | null {
  for (const secret of secrets) {
    if (secret.length !== names.length) continue
    if (secret.every((name, at) => isMatch(name, names[at] ?? ''))) return `${folder}/${secret.join('/')}`
  }
  return null
}

/** A wildcard at the start of a name stands for no dot. */
function isMatch(name: string, pattern: string): boolean {
  return name.startsWith('.') && WILD.test(pattern[0] ?? '') ? false : matchesPattern(name, pattern)
}
