import { usualName } from './frequent-names.ts'
import { BROKEN, DEEP, skipSpace, skipString, skipValue } from './value-skipper.ts'

/** Where a value stands in the bytes it was found in. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The members of one object, by name. Their values are not read, only found. */
export interface Members {
  readonly spans: ReadonlyMap<string, Span>
  /** A name that stands there twice, also in another spelling of the same letters; null when none does. */
  readonly repeated: string | null
  /** The members of the member called `into`, when it is an object and that was asked for. */
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
 * Finds the members of the object that begins at `from`, in one pass and without recursion. `into` names one member
 * whose own members are found on the way.
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
    const key = usualName(bytes, at + 1, afterKey - 1) ?? readQuoted(bytes, at, afterKey)
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

/** Names that mean something, and how a reader that ignores case would find them. */
export interface KnownNames {
  readonly exact: ReadonlySet<string>
  readonly folded: ReadonlySet<string>
}

export function knownNames(...names: readonly string[]): KnownNames {
  return { exact: new Set(names), folded: new Set(names.map(fold)) }
}

/**
 * A name that some reader takes for one of `known` and another does not: readers that ignore case exist (Go's), and such
 * that end a name at an end of string (those in C). SECURITY: A1 such a name could say one thing to the gate and another to
 * the server. No name that is not in visible ASCII has a meaning here, so none passes.
 */
export function disguisedName({ spans }: Members, known: KnownNames): string | null {
  return disguisedAmong(spans.keys(), known)
}

/** The same for names that were read already. */
export function disguisedAmong(names: Iterable<string>, known: KnownNames): string | null {
  for (const name of names) {
    if (known.exact.has(name)) continue
    if (!VISIBLE.test(name) || (name.length <= LONGEST_KNOWN && known.folded.has(fold(name)))) return name
  }
  return null
}

const VISIBLE = /^[\x21-\x7e]*$/
const LONGEST_KNOWN = 32

/** Upper case first: `ſ` and `K` are then the letters that a careless reader takes them for. */
export function fold(name: string): string {
  return name.toUpperCase().toLowerCase()
}

/** The text of a string as readers see it: `"\u0069d"` is `id`; null when it is none. */
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
