import type { Json, JsonObject } from '../call/json/json.ts'
import type { Crypto } from '../ports/crypto.ts'
import { isCount, isSecretFlag, secretUnder } from './key-names.ts'
import { findSecrets, mayHoldSecret, REDACTED } from './redaction-patterns.ts'
import { SecretOptions } from './secret-options.ts'

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

/** Redacts the arguments of one call, and texts about it. */
export interface CallRedactor {
  /** The redacted arguments. */
  readonly args: Json
  /** Also hides the secrets of the arguments: a path or a reason may name one where nothing tells that it is a secret. */
  json(value: Json): Json
  text(value: string): string
}

const MIN_KNOWN = 6
const MAX_KNOWN_LENGTH = 512
const MAX_KNOWN = 64
const REDACTORS = new WeakMap<object, { readonly crypto: Redactor; readonly redactor: CallRedactor }>()

/** The redactor of the call with these frozen arguments; made once. */
export function callRedactor(args: JsonObject, crypto: Redactor): CallRedactor {
  const made = REDACTORS.get(args)
  if (made?.crypto === crypto) return made.redactor
  const known = new Set<string>()
  const collecting: Redactor = {
    keyedHash(secret) {
      const lines = secret.includes('\n') ? secret.split('\n').map((line) => line.trim()) : []
      for (const one of [secret, secret.replace(/["'\\]/g, ''), ...lines])
        if (one.length >= MIN_KNOWN && one.length <= MAX_KNOWN_LENGTH && known.size < MAX_KNOWN) known.add(one)
      return crypto.keyedHash(secret)
    },
  }
  const clean = redactJson(args, collecting)
  // A secret may contain another: the longest is hidden first.
  const values = [...known].sort((a, b) => b.length - a.length)
  const text = (value: string): string => redactText(hideKnown(value, values, crypto), crypto)
  const json = (value: Json): Json => redactJson(values.length === 0 ? value : mapTexts(value, values, crypto), crypto)
  const redactor = { args: values.length === 0 ? clean : mapTexts(clean, values, crypto), json, text }
  REDACTORS.set(args, { crypto, redactor })
  return redactor
}

function hideKnown(text: string, values: readonly string[], crypto: Redactor): string {
  let clean = text
  for (const value of values)
    if (clean.includes(value)) clean = clean.replaceAll(value, redaction('secret', value, crypto))
  return clean
}

function mapTexts(value: Json, values: readonly string[], crypto: Redactor): Json {
  if (typeof value === 'string') return hideKnown(value, values, crypto)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, values, crypto))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      hideKnown(key, values, crypto),
      mapTexts(item as Json, values, crypto),
    ]),
  )
}

/** JSON with every secret in keys and values replaced, by pattern and by the name of the key. Unchanged parts are shared. */
export function redactJson(value: Json, crypto: Redactor): Json {
  return walk(value, crypto, null, 0)
}

function walk(value: Json, crypto: Redactor, secret: string | null, depth: number, program?: string): Json {
  if (typeof value === 'string') return secret === null ? redactText(value, crypto) : hide(value, secret, crypto)
  if (typeof value === 'number')
    return secret === null || isCount(secret, String(value)) ? value : redaction(secret, String(value), crypto)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= MAX_DEPTH) return '[redacted:too-deep]'
  return Array.isArray(value)
    ? walkArray(value, crypto, secret, depth, program)
    : walkObject(value as JsonObject, crypto, secret, depth)
}

/** The items may be the words of a command, after its program. */
function walkArray(
  items: readonly Json[],
  crypto: Redactor,
  secret: string | null,
  depth: number,
  program: string | undefined,
): Json {
  let copy: Json[] | undefined
  let flagged = false
  const words = new SecretOptions()
  if (program !== undefined) words.next(program)
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Json
    const from = typeof item === 'string' && secret === null ? words.next(item) : null
    const clean =
      from !== null && typeof item === 'string'
        ? item.slice(0, from) + hide(item.slice(from), 'secret', crypto)
        : walk(item, crypto, secret ?? (flagged && typeof item === 'string' ? 'secret' : null), depth + 1)
    flagged = typeof item === 'string' && isSecretFlag(item)
    if (clean !== item) copy ??= items.slice(0, i)
    copy?.push(clean)
  }
  return copy ?? items
}

function walkObject(object: JsonObject, crypto: Redactor, secret: string | null, depth: number): Json {
  const keys = Object.keys(object)
  let copy: [string, Json][] | undefined
  const program = programIn(object)
  const named = namedValue(object)
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string
    const item = object[key] as Json
    const known = classifyKey(key)
    const cleanKey = known.plain ? key : redactText(key, crypto)
    const clean = walk(
      item,
      crypto,
      secret ?? known.kind ?? passwordKey(key, item) ?? (key === 'value' ? named : null),
      depth + 1,
      program,
    )
    if (clean !== item || cleanKey !== key) copy ??= keys.slice(0, i).map((one) => [one, object[one] as Json])
    copy?.push([cleanKey, clean])
  }
  return copy === undefined ? object : Object.fromEntries(copy)
}

const PROGRAM_KEYS = ['command', 'program', 'cmd', 'executable', 'binary', 'bin', 'file', 'name']

/** The program of a command whose words are beside it: `{"command":"mysql","args":[…]}`. */
function programIn(object: JsonObject): string | undefined {
  for (const key of PROGRAM_KEYS) {
    const value = object[key]
    if (typeof value === 'string' && value.length <= 256 && !/\s/.test(value)) return value
  }
  return undefined
}

/** The kind of secret in `{"name":"DB_PASSWORD","value":…}`. */
function namedValue(object: JsonObject): string | null {
  const name = object['name'] ?? object['key']
  return typeof name === 'string' && Object.hasOwn(object, 'value') ? secretUnder(name) : null
}

/** `pwd` is also the name of the working folder. */
function passwordKey(key: string, value: Json): string | null {
  return /^pwd?$/i.test(key) && typeof value === 'string' && !/^[/~.]/.test(value) ? 'password' : null
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
