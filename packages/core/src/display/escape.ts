import type { Json } from '../call/json/json.ts'
import { markRightToLeft } from './direction.ts'
import { markLookalikes } from './lookalike.ts'

declare const safe: unique symbol

/** Text that is safe for a terminal, a page or a log. Only this file makes it. */
export type SafeText = string & { readonly [safe]: true }

/**
 * The one way from untrusted text to a surface. Nothing is stripped: an invisible or moving character becomes a visible
 * mark such as `⟦ESC⟧` or `⟦U+202E⟧`, a line break `⏎`, a tab `⇥`, and right-to-left letters are between `⟦RTL⟧` and
 * `⟦LTR⟧`, so that they reorder nothing around them. The mapping is total and reversible over all Unicode
 * (INVARIANT: L5), so these symbols are marked as well when they occur in the text.
 */
export function safeText(text: string): SafeText {
  if (PLAIN.test(text)) return text as SafeText
  const shown = text.replace(SHOWN_AS_MARKS, (run: string, offset: number) => markRun(run, text, offset))
  return markRightToLeft(markLookalikes(shown, mark)) as SafeText
}

/** One safe text per line, split only at `\n`: every other line break becomes a mark, also the CR of a CRLF. */
export function safeLines(text: string): readonly SafeText[] {
  return text.split('\n').map(safeText)
}

/** Indented JSON, one safe text per line. */
export function safeJson(value: Json, indent = 2): readonly SafeText[] {
  return safeLines(JSON.stringify(value, null, indent))
}

/** A slice of safe text. The caller must not cut inside a mark. */
export function sliceSafe(text: SafeText, start: number, end?: number): SafeText {
  return text.slice(start, end) as SafeText
}

const PLAIN = /^[\x20-\x7e]*$/

const CONTROL_NAMES = [
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI',
  'DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US',
]
  .join(' ')
  .split(' ')

/**
 * SECURITY: A12, A13. Characters that are never shown as themselves: controls, format characters, private use, unassigned
 * and lone surrogates (all of \p{C}); separators except the space; default-ignorables (fillers, selectors, tags);
 * enclosing and overlaying marks; blanks that are letters or symbols by name; and our own marks.
 */
const HIDDEN =
  '\\p{C}[\\p{Z}--\\u0020]\\p{Default_Ignorable_Code_Point}\\p{Me}\\u0334-\\u0338\\u20d2\\u20d3\\u20d8-\\u20da\\u20e5\\u20e6\\u20ea\\u20eb\\u2800\\ufffc\\u{1d159}\\u{16fe4}⟦⟧⏎⇥'

/** Full-width ASCII punctuation and small forms: normal in East Asian text, a disguise next to anything else. */
const WIDE_PUNCTUATION = '\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff5e\\ufe50-\\ufe6b'

const HIDDEN_ONE = new RegExp(`[${HIDDEN}]`, 'v')
const SHOWN_AS_MARKS = new RegExp(`\\p{M}+|[${HIDDEN}]|[${WIDE_PUNCTUATION}]`, 'gv')
const COMBINING = /^\p{M}/u
const EAST_ASIAN_END = /[\u2e80-\ud7ff\uf900-\ufaff\uff01-\uff9f\u{20000}-\u{3ffff}]$/u

/** Combining marks on a letter: two are normal, more can draw over other lines. */
const MAX_COMBINING = 2

function mark(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x0a) return '⏎'
  if (code === 0x09) return '⇥'
  const name = code === 0x7f ? 'DEL' : CONTROL_NAMES[code]
  return name === undefined ? `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧` : `⟦${name}⟧`
}

function markRun(run: string, text: string, offset: number): string {
  if (!COMBINING.test(run)) {
    const keeps = !HIDDEN_ONE.test(run) && EAST_ASIAN_END.test(text.slice(Math.max(0, offset - 2), offset))
    return keeps ? run : mark(run)
  }
  let free = hasBase(run, text, offset) ? MAX_COMBINING : 0
  let shown = ''
  for (const character of run) {
    if (free > 0 && !HIDDEN_ONE.test(character)) {
      shown += character
      free--
    } else {
      shown += mark(character)
      free = 0
    }
  }
  return shown
}

/** Marks that some scripts draw before their letter. */
const SPACING = /^\p{Mc}/u
const ASCII = /^[\0-\x7f]$/

/**
 * Whether the character before `offset` is shown as itself, so that a combining mark has a base. SECURITY: A13 a spacing
 * mark may be drawn before its base, so an ASCII character does not count as its base.
 */
function hasBase(run: string, text: string, offset: number): boolean {
  if (offset === 0) return false
  const before = text.codePointAt(text.charCodeAt(offset - 1) >= 0xdc00 && offset > 1 ? offset - 2 : offset - 1) ?? 0
  const character = String.fromCodePoint(before >= 0xd800 && before <= 0xdfff ? text.charCodeAt(offset - 1) : before)
  if (ASCII.test(character) && SPACING.test(run)) return false
  return character !== ' ' && !HIDDEN_ONE.test(character)
}
