import { type SecretKnowledge, secretKnowledge } from '../knowledge/secrets.ts'

/**
 * What a name tells about its value.
 * `password`: chosen by a person, so short and readable counts too · `token`, `key`: random · `secret`: either ·
 * `weak`: often something else, so only a clearly random value counts · `phrase`: words · `value`: the name comes before it.
 */
export type NameClass = 'password' | 'secret' | 'token' | 'key' | 'weak' | 'phrase' | 'header' | 'value'

type WordSets = Readonly<Record<keyof SecretKnowledge['names'], ReadonlySet<string>>>

let sets: WordSets | undefined

function wordSets(): WordSets {
  if (sets !== undefined) return sets
  const { key_owners, harmless_before, about_after, switches, weak } = secretKnowledge().names
  sets = {
    key_owners: new Set(key_owners),
    harmless_before: new Set(harmless_before),
    about_after: new Set(about_after),
    switches: new Set(switches),
    weak: new Set(weak),
  }
  return sets
}

const PASSWORD = /(?:password|passwd|passcode|pwd|passwort|contrasena|motdepasse)$/
const PASS =
  /^(?:db|my|user|smtp|root|admin|mysql|pg|postgres|redis|require|store|key|ftp|mail|email|auth|sudo|ssh|ssl|bind|proxy|http|sql|mongo|rabbit|vnc|wifi|enc|gpg|key|cert|kdb|ldap|imap|sa)?(?:pass|pw)$/
const KEY =
  /(?:api|access|secret|private|account|auth|encryption|signing|master|shared|sharedaccess|app|service|license|consumer|subscription|storage|function)key$/
const TOKEN = /(?:token|tkn|pat)$/

const cache = new Map<string, NameClass | null>()

/** What a name tells about its value; null when it tells nothing. Cached, since the same few names recur. */
export function classifyName(name: string): NameClass | null {
  const known = cache.get(name)
  if (known !== undefined) return known
  const found = judge(name)
  if (cache.size >= 4000) cache.clear()
  cache.set(name, found)
  return found
}

function judge(name: string): NameClass | null {
  const parts = partsOf(name)
  const last = parts.at(-1)
  if (last === undefined) return null
  if (last === 'value' || last === 'val' || last === 'default')
    return (parts.length === 1 ? null : judge(parts.slice(0, -1).join('_'))) ?? 'value'
  if (wordSets().switches.has(parts[0] ?? '') && parts.length > 1) return null
  if (parts.includes('public') || parts.includes('publishable')) return null
  for (let at = parts.length - 1; at >= 0; at--) {
    const found = classOfPart(parts, at)
    if (found === null) {
      if (wordSets().about_after.has(parts[at] ?? '')) return null
      continue
    }
    return found
  }
  return null
}

function classOfPart(parts: readonly string[], at: number): NameClass | null {
  const part = parts[at] ?? ''
  const before = parts[at - 1] ?? ''
  const isLast = at === parts.length - 1
  if (PASSWORD.test(part) || PASS.test(part)) return part === 'pass' && !isLast ? null : 'password'
  if (part.endsWith('secret') || (part === 'secrets' && isLast && at > 0)) return 'secret'
  if (TOKEN.test(part))
    return wordSets().harmless_before.has(before) || (part === 'pat' && before === '') ? null : 'token'
  if (
    part === 'mnemonic' ||
    part.endsWith('passphrase') ||
    (part === 'phrase' && /seed|recovery|secret|backup|wallet/.test(before))
  )
    return 'phrase'
  if (part === 'seed' && /wallet|master|bip39/.test(before)) return 'phrase'
  if (KEY.test(part)) return 'key'
  if (part === 'key' || part === 'keys') return classOfKey(before, isLast)
  if (part === 'string' && /^conn(?:ection)?$/.test(before)) return 'weak'
  if (part === 'authorization') return isLast ? 'header' : null
  return isLast && wordSets().weak.has(part) ? 'weak' : null
}

function classOfKey(before: string, isLast: boolean): NameClass | null {
  if (wordSets().harmless_before.has(before)) return null
  if (wordSets().key_owners.has(before)) return 'key'
  return isLast ? 'weak' : null
}

/** The words of a name in lower case, without trailing digits: `DB_PASSWORD2`, `dbPassword`, `db-password`. */
function partsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .map((part) => part.replace(/\d+$/, ''))
    .filter((part) => part !== '')
}
