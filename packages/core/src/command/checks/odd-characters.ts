import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'
import { CAPS, type Problems } from '../model/limits.ts'

interface Range {
  readonly start: number
  readonly end: number
}

const LATIN = /\p{Script=Latin}/u
/** Alphabets with letters that look Latin. */
const CONFUSABLE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u
/** A host after a scheme or after `user@`. */
const HOST = /(?:[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@"'<>]{0,128}@)?|[\w.-]{1,64}@)([^\s/:"'`$?#<>()|;&,]{1,253})/giu
const ASCII = /^[\x21-\x7e]*$/

/** Whether a word mixes Latin letters with lookalikes: `сurl` with a Cyrillic first letter. */
export function mixesAlphabets(word: string): boolean {
  return LATIN.test(word) && CONFUSABLE.test(word)
}

/** Hosts that imitate another: with letters of two alphabets, in lookalike letters, or in Punycode. */
export function oddHosts(source: string): readonly Range[] {
  const found: Range[] = []
  for (const match of source.matchAll(HOST)) {
    const host = match[1] ?? ''
    if (!isOddHost(host)) continue
    const start = match.index + match[0].length - host.length
    found.push({ start, end: start + host.length })
    if (found.length === 8) break
  }
  return found
}

function isOddHost(host: string): boolean {
  if (ASCII.test(host)) return /(?:^|\.)xn--/i.test(host)
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  return labels.some((label) => mixesAlphabets(label)) || (CONFUSABLE.test(host) && !CONFUSABLE.test(last))
}

interface Range {
  readonly start: number
  readonly end: number
}

const PLAIN = /^[\t\n\x20-\x7e]*$/
/** Never part of honest code: controls, bidirectional and invisible characters, tags. In quoted text they are a note. */
const NEVER =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/u
/** Fine in quoted text; outside quotes they look like a space, an operator or nothing. */
const OUTSIDE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points, matched with the u flag
  /[\u00a0\u034f\u115f\u1160\u1680\u2000-\u200a\u200c\u200d\u202f\u205f\u3000\u3164\ufe00-\ufe0f\uff01-\uff5e\uffa0\u2028\u2029\u037e\u2215\u2044]/u
const LETTERS = /[\p{L}\p{M}]{2,64}/gu
/** How many problems of each kind are listed. */
const MOST = 8

/** The quoted ranges as the parser sees them: an apostrophe in a comment would mislead a simple scan. */
function quotedRanges(script: ParsedScript | null): readonly Range[] {
  const ranges: Range[] = []
  if (script === null) return ranges
  const stack: SyntaxNode[] = [script]
  for (let seen = 0; seen < CAPS.nodes; seen++) {
    const node = stack.pop()
    if (node === undefined) return ranges
    if (QUOTES.has(node.type)) ranges.push({ start: node.pos, end: node.end })
    // The script in an escaped backquote has its own positions and counts as unquoted.
    else if (node.type !== 'Script' || node.source === undefined) forEachChild(node, (child) => stack.push(child))
  }
  return ranges
}

const QUOTES = new Set(['SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'LocaleString', 'HereDocBody'])

const isIn = (at: number, ranges: readonly Range[]) => ranges.some((range) => at >= range.start && at < range.end)

/**
 * Reports characters that make a command look different from what it runs. Without a script nothing counts as quoted.
 * `span` is the position of code inside a word, which the problems then have.
 */
export function reportOddCharacters(
  source: string,
  script: ParsedScript | null,
  span: Range | null,
  problems: Problems,
): void {
  const plain = PLAIN.test(source)
  if (plain && !source.includes('xn--')) return
  for (const host of oddHosts(source))
    problems.add('odd-characters', 'names a host with lookalike letters', span ?? host)
  if (plain) return
  const quoted = quotedRanges(script)
  reportSigns(source, quoted, span, problems)
  let words = 0
  for (const { 0: word, index } of source.matchAll(LETTERS)) {
    if (words >= MOST) return
    if (PLAIN.test(word) || !mixesAlphabets(word)) continue
    words++
    // Exact words have no quotes, and may be text.
    const kind = script === null || isIn(index, quoted) ? 'odd-text' : 'odd-characters'
    problems.add(kind, 'mixes alphabets in one word', span ?? { start: index, end: index + word.length })
  }
}

function reportSigns(source: string, quoted: readonly Range[], span: Range | null, problems: Problems): void {
  let reported = 0
  for (let at = 0; at < source.length && reported < MOST; at++) {
    const code = source.codePointAt(at) ?? 0
    if (code === 9 || code === 10 || (code >= 0x20 && code <= 0x7e)) continue
    const char = String.fromCodePoint(code)
    const never = NEVER.test(char)
    if (never || OUTSIDE.test(char)) {
      const inText = isIn(at, quoted)
      if (!inText || never) {
        // Some programs stop reading at a NUL: it is never only text.
        const kind = inText && code !== 0 ? 'odd-text' : 'odd-characters'
        reported++
        problems.add(kind, `contains ${nameOf(code)}`, span ?? { start: at, end: at + char.length })
      }
    }
    if (code > 0xffff) at++
  }
}

/** Whether a program's name has a character that could look like another. */
export function hasOddName(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return true
  }
  return false
}

function nameOf(code: number): string {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (code === 0) return `a NUL character (${hex})`
  if (code === 13) return `a carriage return (${hex})`
  if (code === 27) return `an escape character (${hex})`
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `a control character (${hex})`
  if (code >= 0xff01 && code <= 0xff5e) return `a full-width character (${hex})`
  return `an invisible or lookalike character (${hex})`
}
