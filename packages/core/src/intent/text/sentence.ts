import { CLOSE, type Excerpt, extractCodeAndQuotes, OPEN } from './code-and-quotes.ts'
import { type Token, tokenize } from './tokenizer.ts'

/** A sentence, or an item of a list. */
export interface Sentence {
  /** As written, code and quotations included. */
  readonly shown: string
  /** Lower case, with marks for excerpts. */
  readonly text: string
  readonly tokens: readonly Token[]
  readonly isQuestion: boolean
  /** A list item: a step of a plan. */
  readonly isItem: boolean
  readonly isHeading: boolean
  /** Ends with a colon: it introduces what follows. */
  readonly isIntro: boolean
}

const BULLET = /^\s{0,40}(?:[-*+•▪◦‣→➡✓☐]|\[[ x]?\]|\(?\d{1,3}[.)]|[a-h][.)]|step \d{1,3}[:.)-]?|#{1,6})\s+/i

/** A longer sentence is read in pieces, so that the cost stays linear. */
const MAX_SENTENCE = 2000

/** Splits a text into sentences. Code and quotations are not the agent's own sentences. */
export function* readSentences(text: string): Generator<Sentence> {
  const { text: plain, excerpts } = extractCodeAndQuotes(unwrapped(normalize(text)))
  for (const { text: one, isItem, isHeading } of splitSentences(plain)) {
    const lower = one.toLowerCase()
    const tokens = tokenize(lower, excerpts)
    const last = tokens.findLast(({ word }) => word !== ')' && word !== '.')
    yield {
      shown: one.includes(OPEN) ? shownText(one, excerpts) : one.replace(/\s+/g, ' '),
      text: lower,
      tokens,
      isQuestion: one.includes('?'),
      isItem,
      isHeading,
      isIntro: last?.word === ':',
    }
  }
}

/** Styled letters that normalize to a few plain ones: full width, mathematical, enclosed, ligatures. */
const STYLED = /[\uFF00-\uFFEF\u2100-\u214F\u2460-\u24FF\uFB00-\uFB06\u{1D400}-\u{1D7FF}]+/gu

function normalize(text: string): string {
  return text
    .normalize('NFC')
    .replace(STYLED, (letters) => letters.normalize('NFKC'))
    .replace(/[\uE000\uE001\u200B-\u200D\u2060\uFEFF\u00AD]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/(\*\*|__)(?=\S)|(?<=\S)(\*\*|__)/g, '')
    .replace(/[’‘´]/g, "'")
}

/** A text that is one quotation as a whole is the message. */
function unwrapped(text: string): string {
  const trimmed = text.trim()
  const [open, close] = [trimmed[0], trimmed.at(-1)]
  const isWrapped = trimmed.length > 2 && ((open === '"' && close === '"') || (open === '“' && close === '”'))
  const inner = isWrapped ? trimmed.slice(1, -1) : ''
  return isWrapped && !/["“”]/.test(inner) ? inner : text
}

function shownText(text: string, excerpts: readonly Excerpt[]): string {
  return text
    .replace(new RegExp(`${OPEN}(\\d+)${CLOSE}`, 'g'), (_, at: string) => {
      const excerpt = excerpts[Number(at)]
      if (excerpt === undefined) return ''
      return excerpt.kind === 'quote' ? `"${excerpt.text}"` : excerpt.kind === 'code' ? `\`${excerpt.text}\`` : '[code]'
    })
    .replace(/\s+/g, ' ')
    .trim()
}

interface Piece {
  readonly text: string
  readonly isItem: boolean
  readonly isHeading: boolean
}

function* splitSentences(text: string): Generator<Piece> {
  let block = ''
  let isItem = false
  let isHeading = false
  let before = ''
  for (const line of text.split('\n')) {
    const bullet = BULLET.exec(line)
    if (line.trim() === '' || bullet !== null || startsSentence(line, before) || block.length > MAX_SENTENCE) {
      for (const one of splitStops(block)) yield { text: one, isItem, isHeading }
      block = ''
      isItem = false
      isHeading = false
    }
    if (bullet !== null) {
      isHeading = bullet[0].trimStart().startsWith('#')
      isItem = !isHeading
    }
    block += block === '' ? line.slice(bullet?.[0].length ?? 0) : ` ${line}`
    before = line
  }
  for (const one of splitStops(block)) yield { text: one, isItem, isHeading }
}

/** A new line is a new sentence unless it continues a wrapped one. */
function startsSentence(line: string, before: string): boolean {
  const end = before.trimEnd().at(-1) ?? ''
  if (end === ',' || end === '') return false
  if (/[.!?:;。！？]/.test(end)) return true
  return before.length < 60 && /^\s*[^\p{Ll}\s]/u.test(line)
}

const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|mr|ms|dr|approx|no|z\.b|d\.h|bzw|p\.ej)$/i

function* splitStops(block: string): Generator<string> {
  let from = 0
  for (let at = 0; at < block.length; at++) {
    const char = block[at] ?? ''
    let ends = char === '。' || (at - from > MAX_SENTENCE && (char === ' ' || at - from > 2 * MAX_SENTENCE))
    if (char === '!' || char === '?' || char === '.') {
      while ('.!?)'.includes(block[at + 1] ?? ' ') && at - from < MAX_SENTENCE) at++
      const next = block[at + 1]
      const isFree = next === undefined || /\s/.test(next) || (char !== '.' && /\P{ASCII}/u.test(next))
      ends = isFree && !(char === '.' && ABBREVIATIONS.test(block.slice(Math.max(from, at - 8), at)))
    }
    if (!ends && at < block.length - 1) continue
    const one = block.slice(from, at + 1).trim()
    from = at + 1
    if (one !== '' && one !== '.') yield one
  }
}
