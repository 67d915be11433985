import { canonicalJson, canonicalKey, sortedKeys } from '../call/json/canonical.ts'
import { isJsonObject, type Json } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import type { EntryDraft } from '../ports/store.ts'
import { type Redactor, redactJson } from '../secrets/redact.ts'
import { type EntryKind, isEntryKind } from './entry-kind.ts'

/** The content of an entry before it has a number. `undefined` fields are left out. */
export interface EntryBody {
  readonly kind: string
  /** The call it belongs to; null for an entry of the gate itself. */
  readonly call: string | null
  readonly [field: string]: Json
}

/** An entry read from its line. */
export interface JournalEntry {
  readonly v: 1
  readonly seq: number
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly kind: EntryKind
  readonly call: string | null
  readonly [field: string]: Json
}

/** In a longer line long strings are cut; the digests in it still cover what was cut. */
const LONG_LINE = 65_536
const KEPT_OF_A_STRING = 4096

/** INVARIANT: L10. A call with a longer entry is refused. */
const MAX_LINE = 4_194_304

/**
 * An entry ready to be appended: canonical JSON made once, into which the sequence number is spliced.
 * With `crypto` the whole body is redacted here; otherwise the caller has redacted all untrusted text.
 */
export function draftEntry(body: EntryBody, at: number, crypto?: Redactor): EntryDraft {
  if (!isEntryKind(body.kind))
    throw new CountersignError('CS_INTERNAL', `unknown kind of entry \`${body.kind}\`; please report this`)
  const clean = crypto === undefined ? body : redactFields(body, crypto)
  let halves = halvesOf(clean, at)
  if (halves.before.length + halves.after.length > LONG_LINE) halves = halvesOf(cutFields(clean), at)
  const { before, after } = halves
  if (before.length + after.length > MAX_LINE) {
    throw new CountersignError('CS_CALL_TOO_LARGE', 'the call is too large for the journal; pass large data in a file')
  }
  return { kind: body.kind, callId: body.call, line: (seq) => `${before},"seq":${seq},${after}` }
}

/**
 * The same for fields already written as canonical JSON: those `before` the sequence number, including the time, and
 * those `after` it. The caller has redacted all untrusted text.
 */
export function writtenEntry(kind: EntryKind, call: string, before: string, after: string): EntryDraft {
  const rest = after === '' ? VERSION : `${after},${VERSION}`
  const draft = { kind, callId: call, line: (seq: number) => `{${before},"seq":${seq},${rest}}` }
  if (before.length + rest.length + 2 <= LONG_LINE) return draft
  const { at, seq: _, v: __, ...body } = JSON.parse(draft.line(0)) as JournalEntry
  return draftEntry(body, at)
}

/** The entry in a line; undefined when the line is not an entry. */
export function parseEntry(line: string): JournalEntry | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isEntry(value) ? value : undefined
}

function isEntry(value: unknown): value is JournalEntry {
  if (!isJsonObject(value)) return false
  const { v, seq, at, kind, call } = value
  if (v !== 1 || !Number.isSafeInteger(seq) || typeof at !== 'number' || typeof kind !== 'string') return false
  return call === null || typeof call === 'string'
}

/**
 * The canonical line before and after its sequence number. `at` sorts before `seq` and `v` after it, so neither half is
 * empty. Written field by field for speed: every step of every call makes an entry.
 */
function halvesOf(body: EntryBody, at: number): { readonly before: string; readonly after: string } {
  const dated = `"at":${canonicalJson(at)}`
  let isDated = false
  let isVersioned = false
  let before = ''
  let after = ''
  for (const key of sortedKeys(body)) {
    if (key === 'at' || key === 'seq' || key === 'v')
      throw new CountersignError('CS_INTERNAL', `the field \`${key}\` is the journal’s own; please report this`)
    const value = body[key]
    if (value === undefined) continue
    const field = `${canonicalKey(key)}${canonicalJson(value)}`
    if (!isDated && key > 'at') {
      before = joined(before, dated)
      isDated = true
    }
    if (key < 'seq') {
      before = joined(before, field)
      continue
    }
    if (!isVersioned && key > 'v') {
      after = joined(after, VERSION)
      isVersioned = true
    }
    after = joined(after, field)
  }
  if (!isDated) before = joined(before, dated)
  if (!isVersioned) after = joined(after, VERSION)
  return { before: `{${before}`, after: `${after}}` }
}

const VERSION = '"v":1'

function joined(fields: string, field: string): string {
  return fields === '' ? field : `${fields},${field}`
}

function redactFields(body: EntryBody, crypto: Redactor): EntryBody {
  const { kind, call } = body
  return { ...(redactJson(body, crypto) as EntryBody), kind, call }
}

function cutFields(body: EntryBody): EntryBody {
  const { kind, call } = body
  return { ...(cutStrings(body, KEPT_OF_A_STRING) as EntryBody), kind, call }
}

/** A short entry about a step or the end of a call. */
export function stepEntry(
  kind: string,
  callId: string,
  at: number,
  more: { readonly [key: string]: Json } = {},
): EntryDraft {
  return draftEntry({ kind, call: callId, ...more }, at)
}

/** An entry of the gate itself, about no particular call. */
export function gateEntry(kind: string, at: number, more: { readonly [key: string]: Json }): EntryDraft {
  return draftEntry({ kind, call: null, ...more }, at)
}

/** The same JSON with strings cut after `kept` characters, where `[cut:<length>]` follows. */
function cutStrings(value: Json, kept: number): Json {
  if (typeof value === 'string') return cutText(value, kept)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Json) => cutStrings(item, kept))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cutText(key, kept), cutStrings(item, kept)]))
}

/** Text cut after `kept` characters, with a note of its full length. Never splits a surrogate pair. */
export function cutText(text: string, kept: number): string {
  if (text.length <= kept) return text
  const last = text.charCodeAt(kept - 1)
  const end = last >= 0xd800 && last < 0xdc00 ? kept - 1 : kept
  return `${text.slice(0, end)}[cut:${text.length}]`
}
