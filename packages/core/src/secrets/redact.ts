import type { Json, JsonObject } from '../call/json/json.ts'
import type { Crypto } from '../ports/crypto.ts'
import { isCount, isSecretFlag, secretUnder } from './key-names.ts'
import { MARK } from './named-value.ts'
import { findSecrets, mayHoldSecret } from './patterns.ts'

/** What redaction needs of the world. */
export type Redactor = Pick<Crypto, 'keyedHash'>

/** Secrets of one text that are hidden one by one; from the next on, the rest is hidden as one. INVARIANT: L10. */
const MOST_APART = 1000

/** Frozen arguments are at most 64 deep; deeper data is none of ours and is hidden whole. */
const MAX_DEPTH = 120

/**
 * Text with every secret replaced by `[redacted:kind:hash]`. The keyed hash keeps equality provable: the same secret
 * always leaves the same mark, and nobody without the home's key can try guesses against it. Linear in the text.
 */
export function redactText(text: string, crypto: Redactor): string {
  if (!mayHoldSecret(text)) return text
  let clean = ''
  let at = 0
  for (const [nth, span] of findSecrets(text).entries()) {
    if (nth === MOST_APART) return clean + text.slice(at, span.start) + mark('secrets', text.slice(span.start), crypto)
    clean += text.slice(at, span.start) + mark(span.kind, text.slice(span.start, span.end), crypto)
    at = span.end
  }
  return clean + text.slice(at)
}

/** JSON with every secret replaced, in keys and values, by pattern and by the name of the key. Unchanged parts are shared. */
export function redactJson(value: Json, crypto: Redactor): Json {
  return walk(value, crypto, null, 0)
}

function walk(value: Json, crypto: Redactor, secret: string | null, depth: number): Json {
  if (typeof value === 'string') return secret === null ? redactText(value, crypto) : hide(value, secret, crypto)
  if (typeof value === 'number')
    return secret === null || isCount(secret, String(value)) ? value : mark(secret, String(value), crypto)
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
    const known = keyTrait(key)
    const cleanKey = known.plain ? key : redactText(key, crypto)
    const clean = walk(item, crypto, secret ?? known.kind, depth + 1)
    if (clean !== item || cleanKey !== key) copy ??= keys.slice(0, i).map((one) => [one, object[one] as Json])
    copy?.push([cleanKey, clean])
  }
  return copy === undefined ? object : Object.fromEntries(copy)
}

interface KeyTrait {
  /** What sort of secret stands under the key. */
  readonly kind: string | null
  /** The key itself holds none. */
  readonly plain: boolean
}

const traits = new Map<string, KeyTrait>()

function keyTrait(key: string): KeyTrait {
  const known = traits.get(key)
  if (known !== undefined) return known
  const trait = { kind: secretUnder(key), plain: !mayHoldSecret(key) }
  // Keys repeat from call to call; the bounds keep an adversary's keys from filling memory.
  if (traits.size >= 1000) traits.clear()
  if (key.length <= 64) traits.set(key, trait)
  return trait
}

function hide(text: string, kind: string, crypto: Redactor): string {
  return text === '' || MARK.test(text) ? text : mark(kind, text, crypto)
}

function mark(kind: string, secret: string, crypto: Redactor): string {
  return `[redacted:${kind}:${crypto.keyedHash(secret).slice(0, 16)}]`
}
