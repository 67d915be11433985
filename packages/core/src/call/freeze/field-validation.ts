import { CountersignError } from '../../errors.ts'
import type { Description } from '../descriptor.ts'
import { KINDS, type Kind } from '../descriptor.ts'
import { printable } from '../json/path.ts'
import type { Annotations } from '../tool.ts'

/** Readers for the fields of an untrusted call: each returns the normalized value, or refuses with CS_CALL_SHAPE. */

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
/** Not only dots: in a URL they mean a parent folder, and browsers remove them. */
const CALL_ID = /^(?!\.+$)[A-Za-z0-9_.:-]{1,128}$/

function malformed(message: string): CountersignError {
  return new CountersignError('CS_CALL_SHAPE', message)
}

/** A one-line name: not empty, bounded, well-formed, without control characters. */
export function readName(value: unknown, field: string, max: number): string {
  if (typeof value !== 'string' || value === '') throw malformed(`\`${field}\` must be a string; pass a name`)
  if (value.length > max) throw malformed(`\`${field}\` is longer than ${max} characters; use a shorter one`)
  if (CONTROL.test(value) || !value.isWellFormed()) {
    throw malformed(`\`${field}\` ${printable(value)} contains control characters or invalid Unicode; use a plain name`)
  }
  return value
}

export function readCallId(value: unknown): string {
  if (typeof value === 'string' && CALL_ID.test(value)) return value
  throw malformed(
    '`id` must be 1 to 128 letters, digits or any of `_.:-`, not not only dots; leave it out to have one created',
  )
}

/** Paths are POSIX: an absolute one starts at the root. */
export function readFolder(value: unknown): string {
  if (
    typeof value === 'string' &&
    value.startsWith('/') &&
    value.length <= 4096 &&
    !CONTROL.test(value) &&
    value.isWellFormed()
  )
    return value
  throw malformed('`cwd` must be an absolute path without control characters; pass the folder the tool runs in')
}

/** Free text that is only shown: shortened to its limit, never refused for its content. */
export function readWords(value: unknown, field: string, max: number): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw malformed(`\`${field}\` must be a string; correct it or leave it out`)
  return (value.length <= max ? value : withoutPartOfWord(value.slice(0, max))).toWellFormed()
}

const LONGEST_SECRET = 512

/** SECURITY: A32, the start of a secret that was cut in two would not be recognized as one. */
function withoutPartOfWord(text: string): string {
  return text.slice(0, -LONGEST_SECRET) + text.slice(-LONGEST_SECRET).replace(/[\w+/=.:@~-]+$/, '')
}

const LONGEST_REASONING = 8000
/** SECURITY: A32, more than is kept: secrets are looked for before the text is cut, since half of one is not recognized. */
export const REASONING_READ = 40_000
const MOST_STEPS = 200

/** An agent's thinking, or its plan as a list of steps. The end is kept, which is nearest to the call. */
export function readReasoning(value: unknown, longest = LONGEST_REASONING): string | null {
  if (value === undefined || value === null) return null
  const steps = Array.isArray(value) ? itemsOf(value.slice(-MOST_STEPS)) : null
  const left = steps === null || !Array.isArray(value) ? 0 : value.length - steps.length
  const text = steps === null ? value : steps.map((step, at) => `${left + at + 1}. ${String(step)}`).join('\n')
  if (typeof text !== 'string' || steps?.some((step) => typeof step !== 'string') === true)
    throw malformed('`reasoning` must be a string or a list of steps; correct it or leave it out')
  const whole = text.trim()
  if (whole === '') return null
  return (whole.length <= longest ? whole : `…${whole.slice(1 - longest)}`).toWellFormed()
}

export function readFlag(value: unknown, field: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false
  throw malformed(`\`${field}\` must be true or false; leave it out for false`)
}

/** A list of names, bounded. */
export function readNames(value: unknown, field: string, max: number, maxName: number): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > max)
    throw malformed(`\`${field}\` must be a list of at most ${max} names; shorten it`)
  return itemsOf(value).map((item) => readName(item, field, maxName))
}

/** A hint that is not a boolean is ignored, and a missing hint means the worst. */
export function readAnnotations(value: unknown): Annotations | null {
  if (typeof value !== 'object' || value === null) return null
  const hints: { [hint: string]: boolean } = {}
  for (const name of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const) {
    const hint = (value as { readonly [name: string]: unknown })[name]
    if (typeof hint === 'boolean') hints[name] = hint
  }
  return Object.freeze(hints)
}

export function readSource(value: unknown): 'builtin' | 'mcp' | 'custom' {
  if (value === undefined) return 'custom'
  if (value === 'builtin' || value === 'mcp' || value === 'custom') return value
  throw malformed('`source` must be builtin, mcp or custom; leave it out when unsure')
}

const MAX_TEXT = 1024 * 1024

/** The description from a tool's registration. */
export function readDescription(value: unknown): Description | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null)
    throw malformed('`description` must be an object with a `kind`; correct it or leave it out')
  const { kind, command, argv, paths, sql, url } = value as { readonly [name: string]: unknown }
  if (!isKind(kind)) throw malformed(`\`description.kind\` must be one of ${KINDS.join(', ')}`)
  return {
    kind,
    ...(command === undefined ? {} : { command: readText(command, 'command') }),
    ...(argv === undefined ? {} : { argv: readTexts(argv, 'argv') }),
    ...(paths === undefined ? {} : { paths: readTexts(paths, 'paths') }),
    ...(sql === undefined ? {} : { sql: readText(sql, 'sql') }),
    ...(url === undefined ? {} : { url: readText(url, 'url') }),
  }
}

function isKind(value: unknown): value is Kind {
  return KINDS.some((kind) => kind === value)
}

function readText(value: unknown, field: string): string {
  if (typeof value === 'string' && value.length <= MAX_TEXT && value.isWellFormed()) return value
  throw malformed(`\`description.${field}\` must be a string of at most 1 MiB; shorten it`)
}

function readTexts(value: unknown, field: string): readonly string[] {
  if (!Array.isArray(value) || value.length > 10_000)
    throw malformed(`\`description.${field}\` must be a list of at most 10000 strings; shorten it`)
  return itemsOf(value).map((item) => readText(item, field))
}

/** By index: the list's iterator could be the caller's code. */
function itemsOf(list: readonly unknown[]): readonly unknown[] {
  return Array.from({ length: list.length }, (_, index) => list[index])
}
