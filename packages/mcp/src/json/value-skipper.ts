/** The value is invalid or incomplete. */
export const BROKEN = -1
/** The value is nested deeper than `MAX_DEPTH`. */
export const DEEP = -2

/** INVARIANT: L10. For messages that are only forwarded; gated calls have a lower limit. */
const MAX_DEPTH = 10_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const MINUS = 0x2d
const PLUS = 0x2b
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const BIG_E = 0x45
const SMALL_E = 0x65

/** How many bytes of a string are checked one by one before `indexOf` takes over. */
const STRIDE = 64

/** The position of the next byte that is not white space. */
export function skipSpace(bytes: Buffer, from: number): number {
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at
    at += 1
  }
}

/**
 * The position after the string at `from`, or `BROKEN`. Linear: a run of backslashes is counted once. The content is
 * not checked: all parsers agree where a string ends.
 */
export function skipString(bytes: Buffer, from: number, end: number): number {
  let at = from + 1
  for (;;) {
    for (const stop = Math.min(at + STRIDE, end); at < stop; ) {
      const byte = bytes[at]
      if (byte === QUOTE) return at + 1
      at += byte === BACKSLASH ? 2 : 1
    }
    if (at >= end) return BROKEN
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1 || quote >= end) return BROKEN
    let slash = quote
    while (slash > at && bytes[slash - 1] === BACKSLASH) slash -= 1
    if ((quote - slash) % 2 === 0) return quote + 1
    at = quote + 1
  }
}

/** The position after the value at `from`, `BROKEN` or `DEEP`. One pass, no recursion. */
export function skipValue(bytes: Buffer, from: number, end: number): number {
  /** The enclosing brackets, outermost first. */
  const outer: number[] = []
  let inside = NOTHING
  let at = from
  for (;;) {
    at = skipSpace(bytes, at)
    if (at >= end) return BROKEN
    const byte = bytes[at]
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (outer.length === MAX_DEPTH) return DEEP
      const first = skipSpace(bytes, at + 1)
      if (bytes[first] === byte + TO_CLOSE) at = first + 1
      else {
        outer.push(inside)
        inside = byte
        at = byte === OPEN_OBJECT ? skipKey(bytes, first, end) : first
        if (at === BROKEN) return BROKEN
        continue
      }
    } else at = byte === QUOTE ? skipString(bytes, at, end) : skipPlain(bytes, at, end)
    if (at === BROKEN || at > end) return BROKEN
    for (;;) {
      if (inside === NOTHING) return at
      at = skipSpace(bytes, at)
      if (at >= end) return BROKEN
      const next = bytes[at]
      at += 1
      if (next === COMMA) {
        if (inside === OPEN_OBJECT) at = skipKey(bytes, skipSpace(bytes, at), end)
        if (at === BROKEN) return BROKEN
        break
      }
      if (next !== inside + TO_CLOSE) return BROKEN
      inside = outer.pop() ?? NOTHING
    }
  }
}

const NOTHING = 0
/** The distance between an opening and its closing bracket in ASCII. */
const TO_CLOSE = 2

/** The position after `"key" :`, or `BROKEN`. */
function skipKey(bytes: Buffer, from: number, end: number): number {
  if (from >= end || bytes[from] !== QUOTE) return BROKEN
  const after = skipString(bytes, from, end)
  if (after === BROKEN) return BROKEN
  const colon = skipSpace(bytes, after)
  return colon < end && bytes[colon] === COLON ? colon + 1 : BROKEN
}

function skipPlain(bytes: Buffer, from: number, end: number): number {
  switch (bytes[from]) {
    case 0x74:
      return skipWord(bytes, from, 'true')
    case 0x66:
      return skipWord(bytes, from, 'false')
    case 0x6e:
      return skipWord(bytes, from, 'null')
    default:
      return skipNumber(bytes, from, end)
  }
}

function skipWord(bytes: Buffer, from: number, word: string): number {
  for (let index = 0; index < word.length; index += 1) if (bytes[from + index] !== word.charCodeAt(index)) return BROKEN
  return from + word.length
}

function skipNumber(bytes: Buffer, from: number, end: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from
  if (bytes[at] === ZERO) at += 1
  else {
    const digits = skipDigits(bytes, at, end)
    if (digits === at) return BROKEN
    at = digits
  }
  if (bytes[at] === DOT && at < end) {
    const digits = skipDigits(bytes, at + 1, end)
    if (digits === at + 1) return BROKEN
    at = digits
  }
  if ((bytes[at] === SMALL_E || bytes[at] === BIG_E) && at < end) {
    at += bytes[at + 1] === MINUS || bytes[at + 1] === PLUS ? 2 : 1
    const digits = skipDigits(bytes, at, end)
    if (digits === at) return BROKEN
    at = digits
  }
  return at
}

function skipDigits(bytes: Buffer, from: number, end: number): number {
  let at = from
  for (; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === undefined || byte < ZERO || byte > NINE) break
  }
  return at
}
