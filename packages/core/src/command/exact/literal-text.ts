import type { WordPart } from 'unbash'
import { Inexact } from './state.ts'

/** Escapes in `$'…'` that every bash reads alike; a zero byte would end the word. */
const ANSI = /^\$'(?:[^\\']|\\[abeEfnrtv\\'"?]|\\x(?!00)[0-9a-fA-F]{2}|\\(?!000)[0-3][0-7]{2})*'$/
/** What a tilde stands for is known only at the start of a word, or after these. */
const TILDE = /(?:^|[=:])~/

/** Unquoted text that bash would expand: a tilde, or braces that the parser took for text. */
export function checkLiteral(text: string, isStart: boolean): void {
  if (text.includes('~') && (TILDE.test(text) || !isStart)) throw new Inexact()
  // Empty braces stay as they are.
  if (/[{}]/.test(text.replaceAll('{}', ''))) throw new Inexact()
}

/** In double quotes, a single quote inside `${…}` is a quote for some operators and some versions of bash only. */
export function checkQuoted(parts: readonly WordPart[]): void {
  for (const part of parts) if (part.type === 'ParameterExpansion' && /['\\]/.test(part.text)) throw new Inexact()
}

export function ansi(part: WordPart & { type: 'AnsiCQuoted' }): string {
  if (!ANSI.test(part.text)) throw new Inexact()
  return part.value
}

/** In a here-document all quotes are only characters, except for some inside `${…}`. */
export function checkText(parts: readonly WordPart[]): void {
  for (const part of parts) if (part.type === 'ParameterExpansion' && /['"\\]/.test(part.text)) throw new Inexact()
}
