import type { Json } from '../call/json/json.ts'
import { secretUnder } from './key-names.ts'
import { findSecrets, mayHoldSecret } from './redaction-patterns.ts'
import { looksSecret } from './secret-shape.ts'
import type { SecretSpan } from './span.ts'

/** A value with its secrets masked, and how many different ones there were. */
export interface Masked<T> {
  readonly value: T
  readonly secrets: number
}

/** INVARIANT: L5, only inert text is ever masked: no path, blank, quote, operator or expansion. */
const INERT = /^(?![.~])[A-Za-z0-9_+=.:~@%-]+$/

/** Base64 may have slashes and is not a path: long, mixed letters and digits, no dots. */
const BASE64 = /^(?!\/)(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?=\D*\d)[A-Za-z0-9+/]{32,}={0,2}$/

/** A shell variable refers to a secret; it is not one. */
const VARIABLE = /^\$(?:[A-Z_][A-Z0-9_]*|\{[A-Z_][A-Z0-9_]*\}?)$/

/** The credentials after the scheme of a header: one word, not a path although base64 has slashes. */
const CREDENTIALS = /^(?:bearer|basic|token|apikey|digest|negotiate)\s{1,4}(?![./~])([A-Za-z0-9_+=.:~@%/-]{8,})/i

/** Names of where a secret is, or of what fetches it. */
const LOCATION_NAME = /(?:command|cmd|file|path|name|helper|program|url|dir)$/i

/** After these a word is a command, not a value. */
const COMMAND_START = /[`(]/

/** Which values under a secret's name are masked: those that look like a secret, or all. */
type NamedValues = 'secret' | 'any'

/**
 * Text as a surface shows it: secrets by kind and length until the person reveals them. On text that nobody approves,
 * `any` masks every value under a secret's name.
 */
export function maskText(text: string, named: NamedValues = 'secret'): Masked<string> {
  const found = new Set<string>()
  return { value: maskInto(found, text, named), secrets: found.size }
}

/** Masks a text, and adds its secrets to those found. */
function maskInto(found: Set<string>, text: string, named: NamedValues = 'secret'): string {
  if (!mayHoldSecret(text)) return text
  const isMasked = (one: string): boolean =>
    (named === 'any' || looksSecret(one)) && (isInert(one) || credentialsIn(one) !== null)
  let value = ''
  let at = 0
  for (const { start: from, end: to, kind } of secretsIn(text, isMasked)) {
    const credentials = credentialsIn(text.slice(from, to))
    const [start, end] = credentials === null ? [from, to] : [from + credentials.start, from + credentials.end]
    const secret = text.slice(start, end)
    if (
      (credentials === null && !isInert(secret)) ||
      COMMAND_START.test(text.charAt(start - 1)) ||
      LOCATION_NAME.test(nameBefore(text, start))
    )
      continue
    value += `${text.slice(at, start)}${mask(kind, secret)}`
    at = end
    found.add(secret)
  }
  return value + text.slice(at)
}

/** Our own text about a call with every secret masked, even one that could run: nobody acts on it. */
export function coverSecrets(text: string): string {
  if (!mayHoldSecret(text)) return text
  let value = ''
  let at = 0
  for (const { start, end, kind } of secretsIn(text, looksSecret)) {
    value += `${text.slice(at, start)}${mask(kind, text.slice(start, end))}`
    at = end
  }
  return value + text.slice(at)
}

/** Data as a surface shows it: masked by pattern in every text, and under a secret's name if it looks like a secret. */
export function maskJson(value: Json): Masked<Json> {
  const found = new Set<string>()
  const walk = (item: Json, kind: string | null, named: NamedValues): Json => {
    if (typeof item === 'string') {
      if (kind !== null && isInert(item) && looksSecret(item)) {
        found.add(item)
        return mask(kind, item)
      }
      return maskInto(found, item, named)
    }
    if (typeof item !== 'object' || item === null) return item
    if (Array.isArray(item)) return item.map((one: Json) => walk(one, kind, named))
    const values = isDiffOfSecrets(item) ? 'any' : named
    return Object.fromEntries(
      Object.entries(item).map(([key, one]) => [
        key,
        walk(one as Json, kind ?? (LOCATION_NAME.test(key) ? null : secretUnder(key)), values),
      ]),
    )
  }
  return { value: walk(value, null, 'secret'), secrets: found.size }
}

/** Files in which every value under a secret's name is one, short and simple ones too. */
const SECRET_FILE = /(?:^|\/)\.(?:env(?:\.[^/]*)?|envrc|npmrc|netrc|pgpass)$/i

function isDiffOfSecrets(item: object): boolean {
  const { kind, path } = item as { readonly [field: string]: Json | undefined }
  return kind === 'diff' && typeof path === 'string' && SECRET_FILE.test(path)
}

function secretsIn(text: string, isNamed: (value: string) => boolean): readonly SecretSpan[] {
  return findSecrets(text, isNamed).filter(({ start, end }) => !VARIABLE.test(text.slice(start, end)))
}

function isInert(secret: string): boolean {
  return INERT.test(secret) || (BASE64.test(secret) && !looksLikePath(secret))
}

/** INVARIANT: L5, folder names rarely change case between letters; base64 does so all the time. */
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

/** The credentials after a scheme at the start of a text. The scheme and what follows stay readable. */
function credentialsIn(text: string): { readonly start: number; readonly end: number } | null {
  const [whole, secret] = CREDENTIALS.exec(text) ?? []
  return whole === undefined || secret === undefined ? null : { start: whole.length - secret.length, end: whole.length }
}

/** The word before a value: `--password-command` of `--password-command=x`. */
function nameBefore(text: string, start: number): string {
  return /([\w-]*)[\s:="']*$/.exec(text.slice(Math.max(0, start - 80), start))?.[1] ?? ''
}

function mask(kind: string, secret: string): string {
  return `[masked ${kind}, ${secret.length} characters]`
}
