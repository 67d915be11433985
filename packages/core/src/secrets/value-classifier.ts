import { asciiOfBase64 } from './ascii-base64.ts'
import type { NameTrait } from './name-classifier.ts'
import { isPlaceholder } from './placeholder.ts'
import { looksRandom, textureOf } from './randomness.ts'

/** How a value was written: in quotes, or bare as in `.env` files and flags, or bare where code would stand. */
export type Writing = 'quoted' | 'bare' | 'code'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const HEX = /^(?:0x)?[0-9a-f]+$/i
const REFERENCE = /^[!&*~-]{0,2}[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$/
const EMAIL = /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/
/** Keys that are meant for everyone. */
const PUBLIC = /^(?:pk_(?:live|test)_|pk\.|phc_|sb_publishable_|pub[-_]|G-|UA-|GTM-)/
const DATE = /^\d{4}-\d\d-\d\d/
const MEASURE = /^(?:[\d.,:]+[a-z%]{0,4}|0x[0-9a-f]{1,16}|-?\d[\d_.e+-]*)$/i
const TECHNICAL =
  /^(?:u?int|float|char|varchar|nvarchar|utf|base|sha|md|bcrypt|argon|scrypt|pbkdf|oauth|hs|rs|es|ps|ed|aes|rsa|ecdsa|hmac|x|http|tls|ssl|v|p|iso|rfc|jwt|saml|openid|oidc|ldap|s|ec|k8s|web|type|step|field|option|input|level|tier|grade)[-_]?\d{1,5}(?:[-_](?:cbc|gcm|ctr|sha\d+|le|be|url|hmac))*(?:\(\d+\))?$/i

/** Words of screens, tests and keys of translations. A passphrase has none of them. */
const SCREEN =
  /^(?:password|passwords|passwd|pass|pwd|input|field|label|form|user|login|signin|signup|auth|error|hint|message|text|secret|token|key|new|old|confirm|current|show|hide|btn|button|placeholder|reset|forgot|required|min|max|settings|account|page|modal|test|id|is|must|be|the|your|enter|invalid|prod|dev|staging|value|name|ref|store|data|env|file|path|config|service|api|app|db|root|admin|from|to|and|or|not|no)$/i

const NEWLY_DRAWN = 14

/** Whether the value under such a name is a secret, and no placeholder, reference, label or measure. */
export function isSecretValue(trait: NameTrait, value: string, writing: Writing): boolean {
  if (value.length < 6 || value.length > 8192) return false
  if (trait === 'phrase') return isPhrase(value) || isSecretValue('password', value, writing)
  if (/\s/.test(value)) return trait === 'password' && /^[a-z]{4}(?: [a-z]{4}){3}$/.test(value) && !isPlaceholder(value)
  if (isPlaceholder(value) || isInnocent(value)) return false
  // What reads like a variable is one, unless nobody would call a variable so.
  if (writing === 'code' && /^[A-Za-z_$][\w$]*$/.test(value) && !looksRandom(value, NEWLY_DRAWN)) return false
  switch (trait) {
    case 'password':
      return isChosen(value, 6)
    case 'secret':
      return isDrawn(value) || (isChosen(value, 10) && /\d/.test(value))
    case 'weak':
      return isClearlyDrawn(value)
    case 'header':
      return false
    default:
      return isDrawn(value)
  }
}

/** The password of a login whose place leaves no doubt: `user:password@host`, `-u user:password`. */
export function isLoginPassword(user: string, password: string, local: boolean): boolean {
  if (password.length < 3 || password === user || isPlaceholder(password)) return false
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  if (letters(user) !== '' && letters(password) === letters(user) && password.length < 16) return false
  if (local) return password.length >= 8 && (isChosen(password, 8) || looksRandom(password, 12))
  return /[^A-Za-z]/.test(password) || password.length >= 8
}

/** `user:password` in base64, as headers and registries keep it; undefined when it is something else. */
export function loginOfBase64(value: string): boolean | undefined {
  const login = asciiOfBase64(value)
  const colon = login?.indexOf(':') ?? -1
  if (login === undefined || colon < 0) return undefined
  return isLoginPassword(login.slice(0, colon), login.slice(colon + 1).trim(), false)
}

/** Drawn by a machine. */
function isDrawn(value: string): boolean {
  if (UUID.test(value)) return true
  if (/^\d+$/.test(value)) return false
  return looksRandom(value, NEWLY_DRAWN)
}

/** Drawn, and neither a checksum nor an identifier. */
function isClearlyDrawn(value: string): boolean {
  if (UUID.test(value) || HEX.test(value)) return false
  const { lower, upper, digits } = textureOf(value)
  return lower > 0 && upper > 0 && digits > 0 && looksRandom(value, 20)
}

/** Chosen by a person as a password: letters with digits or signs, not the words of a screen. */
function isChosen(value: string, least: number): boolean {
  if (value.length < least) return false
  if (/^\d+$/.test(value)) return value.length >= 6
  const core = value.replace(/[:*?!.…]+$/, '')
  const words = core.split(/[-_.:/]+/).filter((word) => word !== '')
  const plain = words.every((word) => /^(?:[A-Za-z\u0080-\uffff]+\d?|\d{1,2}|v\d+)$/.test(word))
  if (!plain) return /[A-Za-z]/.test(core) && (/\d/.test(core) || /[^\w.:/-]/.test(core))
  if (words.length >= 4)
    return !words.some((word) => SCREEN.test(word)) && words.every((word) => word.length >= 3 || /^\d+$/.test(word))
  if (words.length === 1 && /\d$/.test(core) && !SCREEN.test(core.replace(/\d$/, ''))) return true
  return looksRandom(core, 16) || (words.length <= 2 && /[!?*]$/.test(value) && /\d/.test(core))
}

/** Words of a wallet or a passphrase. */
function isPhrase(value: string): boolean {
  const words = value.trim().split(/\s+/)
  if (words.length < 4 || words.length > 33 || !words.every((word) => /^[A-Za-z]{2,10}[.,!]?$/.test(word))) return false
  if (new Set(words).size < words.length * 0.7) return false
  return !words.some((word) => SCREEN.test(word))
}

function isInnocent(value: string): boolean {
  return (
    (REFERENCE.test(value) && !value.split(/[.:>?-]+/).some((part) => looksRandom(part, 16))) ||
    EMAIL.test(value) ||
    PUBLIC.test(value) ||
    DATE.test(value) ||
    (MEASURE.test(value) && !/^\d+$/.test(value)) ||
    TECHNICAL.test(value) ||
    value.includes('://') ||
    value.startsWith('data:') ||
    isPath(value)
  )
}

/** A path is made of names; base64 with a slash in it is not. */
function isPath(value: string): boolean {
  if (!/[/\\]/.test(value)) return /\.(?:pem|key|crt|json|ya?ml|txt|env|conf|toml|ini|ts|js|py|go|rb|sh)$/i.test(value)
  const parts = value.split(/[/\\]+/)
  return parts.length > 1 && parts.every((part) => part.length < 40 && !looksRandom(part, 12)) && !/[+=]$/.test(value)
}
