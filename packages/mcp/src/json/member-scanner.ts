import { BROKEN, DEEP, skipSpace, skipString, skipValue } from './value-skipper.ts'

/** The range of a value in its bytes; `to` is exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The members of one object by name. Values are located, not parsed. */
export interface Members {
  readonly spans: ReadonlyMap<string, Span>
  /** A name that appears twice, also in another spelling (`\u0069d`); null when none does. */
  readonly repeated: string | null
  /** The members of the member `into`, when that is an object and was requested. */
  readonly inner: Members | null
  readonly end: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

/**
 * Locates the members of the object at `from`, in one pass and without recursion. The members of the member `into` are
 * located on the way.
 */
export function scanMembers(
  bytes: Buffer,
  from: number,
  end: number,
  into: string | null,
): Members | typeof BROKEN | typeof DEEP {
  if (from >= end || bytes[from] !== OPEN_OBJECT) return BROKEN
  const spans = new Map<string, Span>()
  let repeated: string | null = null
  let inner: Members | null = null
  let at = skipSpace(bytes, from + 1)
  if (at < end && bytes[at] === CLOSE_OBJECT) return { spans, repeated, inner, end: at + 1 }
  for (;;) {
    if (at >= end || bytes[at] !== QUOTE) return BROKEN
    const afterKey = skipString(bytes, at, end)
    if (afterKey === BROKEN) return BROKEN
    const key = frequentName(bytes, at + 1, afterKey - 1) ?? readQuoted(bytes, at, afterKey)
    if (key === null) return BROKEN
    const colon = skipSpace(bytes, afterKey)
    if (colon >= end || bytes[colon] !== COLON) return BROKEN
    const value = skipSpace(bytes, colon + 1)
    let after: number
    if (key === into && bytes[value] === OPEN_OBJECT) {
      const found = scanMembers(bytes, value, end, null)
      if (typeof found === 'number') return found
      inner = found
      after = found.end
    } else {
      after = skipValue(bytes, value, end)
      if (after === BROKEN || after === DEEP) return after
    }
    if (spans.has(key)) repeated ??= key
    spans.set(key, { from: value, to: after })
    at = skipSpace(bytes, after)
    if (at >= end) return BROKEN
    if (bytes[at] === CLOSE_OBJECT) return { spans, repeated, inner, end: at + 1 }
    if (bytes[at] !== COMMA) return BROKEN
    at = skipSpace(bytes, at + 1)
  }
}

/** Names with a meaning, and their case-folded forms. */
interface KnownNames {
  readonly exact: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
}

export function knownNames(...names: readonly string[]): KnownNames {
  return { exact: new Set(names), folded: new Set(names.map(fold)) }
}

/**
 * A name that some parsers take for one of `known`: parsers that ignore case exist (Go), and those that end a name at
 * NUL (C). SECURITY: A1 such a name could mean one thing to the gate and another to the server. Names outside visible
 * ASCII have no meaning here and are refused too.
 */
export function lookalikeName({ spans }: Members, known: KnownNames): string | null {
  return lookalikeAmong(spans.keys(), known)
}

/** The same for names that are already parsed. */
export function lookalikeAmong(names: Iterable<string>, known: KnownNames): string | null {
  for (const name of names) {
    if (known.exact.has(name)) continue
    if (!VISIBLE.test(name) || (name.length <= LONGEST_KNOWN && known.folded.has(fold(name)))) return name
  }
  return null
}

const VISIBLE = /^[\x21-\x7e]*$/
const LONGEST_KNOWN = 32

/** Upper case first: this maps `ſ` and `K` to the letters that a careless parser takes them for. */
export function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/** The value of a string literal: `"\u0069d"` is `id`; null when it is invalid. */
export function readQuoted(bytes: Buffer, from: number, to: number): string | null {
  if (isPlain(bytes, from, to)) return bytes.toString('utf8', from + 1, to - 1)
  try {
    return JSON.parse(bytes.toString('utf8', from, to)) as string
  } catch {
    return null
  }
}

function isPlain(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]
    if (byte === undefined || byte < 0x20 || byte === BACKSLASH) return false
  }
  return true
}

/** The most frequent member names. */
const FREQUENT_NAMES = [
  ...['jsonrpc', 'id', 'method', 'params', 'result', 'error', 'code', 'message', 'data'],
  ...['name', 'arguments', '_meta', 'progressToken', 'task', 'inputResponses', 'requestState'],
  ...['content', 'isError', 'structuredContent', 'resultType', 'tools', 'nextCursor'],
]

interface Spelled {
  readonly name: string
  readonly bytes: Uint8Array
}

const BY_LENGTH: (readonly Spelled[] | undefined)[] = []
for (const name of FREQUENT_NAMES)
  BY_LENGTH[name.length] = [...(BY_LENGTH[name.length] ?? []), { name, bytes: new TextEncoder().encode(name) }]

/** The name in this range if it is a frequent one: avoids decoding the bytes. */
export function frequentName(bytes: Uint8Array, from: number, to: number): string | null {
  for (const spelled of BY_LENGTH[to - from] ?? []) if (isAt(spelled.bytes, bytes, from)) return spelled.name
  return null
}

function isAt(name: Uint8Array, bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < name.length; at += 1) if (bytes[from + at] !== name[at]) return false
  return true
}
