import type { Language } from '../../knowledge/shell.ts'
import { SYNTAX, type Syntax } from './language-syntax.ts'
import { closingOf, readPercent, readQuoteWord, readText } from './string-literals.ts'

/** A name, string or symbol of inline code. Comments and white space have no tokens, except for line ends. */
export interface CodeToken {
  /** `shell`: a command between backticks. `variable`: a name after a sigil. */
  readonly kind: 'name' | 'string' | 'shell' | 'variable' | 'sign' | 'end'
  /** A name, the content of a string, or the symbol; `->` and `::` become `.`. */
  readonly text: string
  /** Part of the string is computed. */
  readonly dynamic: boolean
}

/** Code inside strings, which is read after the code around it. */
export interface PendingCode {
  readonly code: string[]
}

/** Code inside strings inside code: deeper nesting is deliberate hiding. */
const MAX_NESTING = 4

/** After these a slash starts a regular expression. */
const BEFORE_VALUE = '(,=:[!&|?{};~+-*%<>'
const BEFORE_PATTERN = new Set([
  'return',
  'typeof',
  'if',
  'unless',
  'and',
  'or',
  'not',
  'split',
  'grep',
  'when',
  'puts',
  'print',
  'while',
  'until',
])

/** Splits inline code into tokens in one pass, with strings and comments apart from code. */
export function codeTokens(text: string, language: Language): readonly CodeToken[] {
  const syntax = SYNTAX[language]
  const tokens: CodeToken[] = []
  let level = [text]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_NESTING) {
      tokens.push({ kind: 'name', text: 'eval', dynamic: false })
      break
    }
    const pending: PendingCode = { code: [] }
    for (const code of level) {
      scan(code, syntax, tokens, pending)
      tokens.push({ kind: 'end', text: '\n', dynamic: false })
    }
    level = pending.code
  }
  return tokens
}

function scan(text: string, syntax: Syntax, tokens: CodeToken[], pending: PendingCode): void {
  let at = 0
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === '\n') {
      tokens.push({ kind: 'end', text: '\n', dynamic: false })
      at++
    } else if (char === '\\' || char === ' ' || char === '\t' || char === '\r') at++
    else at = commentEnd(text, at, syntax) ?? scanToken(text, at, char, syntax, tokens, pending)
  }
}

function commentEnd(text: string, at: number, { block, comments }: Syntax): number | null {
  if (block !== null && text.startsWith(block[0], at)) {
    const end = text.indexOf(block[1], at + block[0].length)
    return end === -1 ? text.length : end + block[1].length
  }
  if (!comments.some((sign) => text.startsWith(sign, at))) return null
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function scanToken(
  text: string,
  at: number,
  char: string,
  syntax: Syntax,
  tokens: CodeToken[],
  pending: PendingCode,
): number {
  if (syntax.quotes.includes(char)) return readText(text, at, '', syntax, tokens, pending)
  if (char === '`' && syntax.backtick !== null) return readText(text, at, '', syntax, tokens, pending)
  if (isWordAt(text, at)) return scanName(text, at, syntax, tokens, pending)
  if (syntax.sigils.includes(char) && isVariable(text, at, tokens)) {
    const end = wordEnd(text, at + 1)
    tokens.push({ kind: 'variable', text: text.slice(at + 1, end), dynamic: false })
    return end
  }
  if (char === '%' && syntax.percents) {
    const end = readPercent(text, at, tokens)
    if (end !== null) return end
  }
  if (char === '/' && syntax.patterns && startsPattern(tokens)) {
    const end = closingOf(text, at + 1, '/', '/', true)
    if (end !== null) {
      tokens.push({ kind: 'string', text: '', dynamic: true })
      return end + 1
    }
  }
  if (text.startsWith('->', at) || text.startsWith('::', at)) {
    tokens.push({ kind: 'sign', text: '.', dynamic: false })
    return at + 2
  }
  tokens.push({ kind: 'sign', text: char, dynamic: false })
  return at + 1
}

function scanName(text: string, at: number, syntax: Syntax, tokens: CodeToken[], pending: PendingCode): number {
  const end = wordEnd(text, at)
  const name = text.slice(at, end)
  const next = text[end] ?? ''
  // Prefixes of strings: `f"…"`, `rb'…'`.
  if (syntax.triples && syntax.quotes.includes(next) && /^[a-z]{1,2}$/i.test(name))
    return readText(text, end, name.toLowerCase(), syntax, tokens, pending)
  if (syntax.quoteWords && tokens.at(-1)?.text !== '.') {
    const after = readQuoteWord(text, name, end, tokens, pending)
    if (after !== null) return after
  }
  tokens.push({ kind: 'name', text: name, dynamic: false })
  return end
}

/** Letters, digits, the underscore, and anything past ASCII. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= 128) return true
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
}

function wordEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && isWordAt(text, end)) end++
  return end
}

/** `$x` and `@x`, but not `a % b` and `a & b`. */
function isVariable(text: string, at: number, tokens: readonly CodeToken[]): boolean {
  if (at + 1 >= text.length || !isWordAt(text, at + 1)) return false
  if (text[at] === '$' || text[at] === '@') return true
  const before = tokens.at(-1)
  return before === undefined || (before.kind === 'sign' && before.text !== ')' && before.text !== ']')
}

function startsPattern(tokens: readonly CodeToken[]): boolean {
  const before = tokens.at(-1)
  if (before === undefined || before.kind === 'end') return true
  if (before.kind === 'sign') return BEFORE_VALUE.includes(before.text)
  return before.kind === 'name' && BEFORE_PATTERN.has(before.text)
}
