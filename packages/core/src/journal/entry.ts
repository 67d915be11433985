import { canonicalJson, canonicalKey, sortedKeys } from '../call/json/canonical.ts'
import type { Json } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import type { EntryDraft } from '../ports/store.ts'
import { type Redactor, redactJson } from '../secrets/redact.ts'
import { type EntryKind, isEntryKind } from './entry-kind.ts'
import { cutStrings } from './truncate.ts'

/** What an entry says, before it has a number. `undefined` fields are left out. */
export interface EntryBody {
  readonly kind: string
  /** The call it belongs to, or null for the gate's own. */
  readonly call: string | null
  readonly [field: string]: Json
}

/** One entry as read back from its line. */
export interface JournalEntry {
  readonly v: 1
  readonly seq: number
  /** Wall-clock milliseconds. */
  readonly at: number
  readonly kind: EntryKind
  readonly call: string | null
  readonly [field: string]: Json
}

/** A line past this length has its long strings cut; the digests in it still bind what was cut. */
const LONG_LINE = 65_536
const KEPT_OF_A_STRING = 4096

/** INVARIANT: L10. Nothing longer is written; the call it belongs to is refused. */
const MAX_LINE = 4_194_304

/**
 * An entry ready to be appended: canonical JSON made once, the sequence number spliced in at its place.
 * With `crypto` the whole body is redacted here; without it the caller has redacted what came from outside.
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
 * The same for an entry whose fields are written out already, in canonical order: what stands `before` its number, with
 * the time, and what stands `after` it. The caller has redacted what came from outside.
 */
export function writtenEntry(kind: EntryKind, call: string, before: string, after: string): EntryDraft {
  const rest = after === '' ? VERSION : `${after},${VERSION}`
  const draft = { kind, callId: call, line: (seq: number) => `{${before},"seq":${seq},${rest}}` }
  if (before.length + rest.length + 2 <= LONG_LINE) return draft
  const { at, seq: _, v: __, ...body } = JSON.parse(draft.line(0)) as JournalEntry
  return draftEntry(body, at)
}

/** Reads a line back; undefined when it is no entry. */
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { v, seq, at, kind, call } = value as { readonly [field: string]: unknown }
  if (v !== 1 || !Number.isSafeInteger(seq) || typeof at !== 'number' || typeof kind !== 'string') return false
  return call === null || typeof call === 'string'
}

/**
 * The canonical line around its number. `at` sorts before `seq` and `v` after it, so neither half is empty.
 * Written field by field: this is done for every step of every call.
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

/** A short entry about a call: a step taken, or its end. */
export function stepEntry(
  kind: string,
  callId: string,
  at: number,
  more: { readonly [key: string]: Json } = {},
): EntryDraft {
  return draftEntry({ kind, call: callId, ...more }, at)
}

/** An entry that belongs to no call. */
export function gateEntry(kind: string, at: number, more: { readonly [key: string]: Json }): EntryDraft {
  return draftEntry({ kind, call: null, ...more }, at)
}
