import type { Json, JsonObject } from '../call/json/json.ts'
import type { Crypto } from '../ports/crypto.ts'
import { isCount, isSecretFlag, secretUnder } from './key-names.ts'
import { findSecrets, mayHoldSecret, REDACTED } from './redaction-patterns.ts'

/** The port that redaction needs. */
export type Redactor = Pick<Crypto, 'keyedHash'>

/** INVARIANT: L10. Secrets of one text that are hidden one by one; after them the rest is hidden as a whole. */
const MAX_SPANS = 1000

/** Frozen arguments are at most 64 levels deep; deeper data is hidden as a whole. */
const MAX_DEPTH = 120

/**
 * Text with every secret replaced by `[redacted:kind:hash]`. The keyed hash keeps equality provable: the same secret
 * always has the same hash, and nobody without the home's key can test guesses against it. Linear in the text.
 */
export function redactText(text: string, crypto: Redactor): string {
  if (!mayHoldSecret(text)) return text
  let clean = ''
  let at = 0
  for (const [nth, span] of findSecrets(text).entries()) {
    if (nth === MAX_SPANS)
      return clean + text.slice(at, span.start) + redaction('secrets', text.slice(span.start), crypto)
    clean += text.slice(at, span.start) + redaction(span.kind, text.slice(span.start, span.end), crypto)
    at = span.end
  }
  return clean + text.slice(at)
}

/** JSON with every secret in keys and values replaced, by pattern and by the name of the key. Unchanged parts are shared. */
export function redactJson(value: Json, crypto: Redactor): Json {
  return walk(value, crypto, null, 0)
}

function walk(value: Json, crypto: Redactor, secret: string | null, depth: number): Json {
  if (typeof value === 'string') return secret === null ? redactText(value, crypto) : hide(value, secret, crypto)
  if (typeof value === 'number')
    return secret === null || isCount(secret, String(value)) ? value : redaction(secret, String(value), crypto)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[redacted:too-deep]'
  return Array.isArray(value)
    ? walkArray(value, crypto, secret, depth)
    : walkObject(value as JsonObject, crypto, secret, depth)
}

function walkArray(items: readonly Json[], crypto: Redactor, secret: string | null, depth: number): Json {
  let copy: Json[] | undefined
  let flagged = false
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Json
    const clean = walk(item, crypto, secret ?? (flagged && typeof item === 'string' ? 'secret' : null), depth + 1)
    flagged = typeof item === 'string' && isSecretFlag(item)
    if (clean !== item) copy ??= items.slice(0, i)
    copy?.push(clean)
  }
  return copy ?? items
}

function walkObject(object: JsonObject, crypto: Redactor, secret: string | null, depth: number): Json {
  const keys = Object.keys(object)
  let copy: [string, Json][] | undefined
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string
    const item = object[key] as Json
    const known = classifyKey(key)
    const cleanKey = known.plain ? key : redactText(key, crypto)
    const clean = walk(item, crypto, secret ?? known.kind, depth + 1)
    if (clean !== item || cleanKey !== key) copy ??= keys.slice(0, i).map((one) => [one, object[one] as Json])
    copy?.push([cleanKey, clean])
  }
  return copy === undefined ? object : Object.fromEntries(copy)
}

interface KeyClass {
  /** The kind of secret under the key. */
  readonly kind: string | null
  /** The key itself holds no secret. */
  readonly plain: boolean
}

const cache = new Map<string, KeyClass>()

function classifyKey(key: string): KeyClass {
  const known = cache.get(key)
  if (known !== undefined) return known
  const found = { kind: secretUnder(key), plain: !mayHoldSecret(key) }
  // Keys recur from call to call. The bounds keep an attacker's keys from filling memory.
  if (cache.size >= 1000) cache.clear()
  if (key.length <= 64) cache.set(key, found)
  return found
}

function hide(text: string, kind: string, crypto: Redactor): string {
  return text === '' || REDACTED.test(text) ? text : redaction(kind, text, crypto)
}

function redaction(kind: string, secret: string, crypto: Redactor): string {
  return `[redacted:${kind}:${crypto.keyedHash(secret).slice(0, 16)}]`
}
