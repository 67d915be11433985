import type { Json } from '../call/json/json.ts'
import { secretUnder } from './key-names.ts'
import { findSecrets, mayHoldSecret } from './patterns.ts'
import type { SecretSpan } from './span.ts'

/** Something to show with its secrets covered, and how many there were. */
export interface Masked<T> {
  readonly value: T
  readonly secrets: number
}

/** INVARIANT: L5, only what cannot do anything is ever covered: no path, blank, quote, operator or expansion. */
const INERT = /^(?![.~])[A-Za-z0-9_+=.:~@%-]+$/

/** Base64 has slashes, and is no path: long, of mixed letters and digits, without the dot that leads up or ends a name. */
const BASE64 = /^(?!\/)(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/]{32,}={0,2}$/

/** A shell's variable says where a secret is, and is none. */
const VARIABLE = /^\$(?:[A-Z_][A-Z0-9_]*|\{[A-Z_][A-Z0-9_]*\}?)$/

/** What a header sends after its scheme: one word, and no path of its own although base64 has slashes. */
const SENT = /^(?:bearer|basic|token|apikey|digest|negotiate)\s{1,4}(?![./~])([A-Za-z0-9_+=.:~@%/-]{8,})/i

/** Names that speak of a secret and hold something else: where it is, or what fetches it. */
const POINTS = /(?:command|cmd|file|path|name|helper|program|url|dir)$/i

/** Before these a word is a command, not a value. */
const RUNS = /[`(]/

/** Text as a surface shows it: secrets by their kind and length, until the person asks to see them. */
export function maskText(text: string): Masked<string> {
  if (!mayHoldSecret(text)) return { value: text, secrets: 0 }
  let value = ''
  let at = 0
  let secrets = 0
  for (const { start: from, end: to, kind } of secretsIn(text)) {
    const sent = sentIn(text.slice(from, to))
    const [start, end] = sent === null ? [from, to] : [from + sent.start, from + sent.end]
    const secret = text.slice(start, end)
    if (
      (sent === null && !isInert(secret)) ||
      RUNS.test(text.charAt(start - 1)) ||
      POINTS.test(nameBefore(text, start))
    )
      continue
    value += `${text.slice(at, start)}${cover(kind, secret)}`
    at = end
    secrets += 1
  }
  return { value: value + text.slice(at), secrets }
}

/** Our own words about a call, with every secret covered: nobody acts on them, so nothing need stay readable. */
export function coverSecrets(text: string): string {
  if (!mayHoldSecret(text)) return text
  let value = ''
  let at = 0
  for (const { start, end, kind } of secretsIn(text)) {
    value += `${text.slice(at, start)}${cover(kind, text.slice(start, end))}`
    at = end
  }
  return value + text.slice(at)
}

/** What `maskText` does, for data: by pattern in every text, and by the name of the key it stands under. */
export function maskJson(value: Json): Masked<Json> {
  let secrets = 0
  const walk = (item: Json, kind: string | null): Json => {
    if (typeof item === 'string') {
      if (kind !== null && isInert(item)) {
        secrets += 1
        return cover(kind, item)
      }
      const masked = maskText(item)
      secrets += masked.secrets
      return masked.value
    }
    if (typeof item !== 'object' || item === null) return item
    if (Array.isArray(item)) return item.map((one: Json) => walk(one, kind))
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [
        key,
        walk(one as Json, kind ?? (POINTS.test(key) ? null : secretUnder(key))),
      ]),
    )
  }
  return { value: walk(value, null), secrets }
}

/** What counts as a secret in a text that is shown. */
function secretsIn(text: string): readonly SecretSpan[] {
  return findSecrets(text).filter(({ start, end }) => !VARIABLE.test(text.slice(start, end)))
}

function isInert(secret: string): boolean {
  return INERT.test(secret) || (BASE64.test(secret) && !looksLikePath(secret))
}

/** INVARIANT: L5, names of folders keep to one case for a while; in base64 hardly two letters do. */
function looksLikePath(text: string): boolean {
  if (!text.includes('/') || /[+=]/.test(text)) return false
  return !text.split('/').some((part) => part.length >= 12 && changesOfCase(part) > 0.36 * part.length)
}

function changesOfCase(part: string): number {
  const cases = [...part].map((letter) =>
    /\d/.test(letter) ? 'digit' : letter === letter.toLowerCase() ? 'low' : 'high',
  )
  return cases.filter((one, at) => at > 0 && one !== cases[at - 1]).length
}

/** Where a scheme and its credentials begin a text: the credentials. The scheme, and whatever follows, stay readable. */
function sentIn(text: string): { readonly start: number; readonly end: number } | null {
  const [whole, secret] = SENT.exec(text) ?? []
  return whole === undefined || secret === undefined ? null : { start: whole.length - secret.length, end: whole.length }
}

/** The word before a value: `--password-command` of `--password-command=x`. */
function nameBefore(text: string, start: number): string {
  return /([\w-]*)[\s:="']*$/.exec(text.slice(Math.max(0, start - 80), start))?.[1] ?? ''
}

function cover(kind: string, secret: string): string {
  return `[masked ${kind}, ${secret.length} characters]`
}
