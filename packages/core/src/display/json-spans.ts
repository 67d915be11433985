import type { SafeText } from './escape.ts'

/** A token in a line of JSON. */
export interface JsonSpan {
  readonly kind: 'key' | 'text' | 'number' | 'word'
  readonly start: number
  readonly end: number
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g

/** INVARIANT: L10, a longer line is shown without colors. */
const LONGEST_LINE = 20_000

/** The tokens of a line that `safeJson` made, for coloring it. The text itself is not changed. */
export function jsonSpans(line: SafeText): readonly JsonSpan[] {
  if (line.length > LONGEST_LINE) return []
  return [...line.matchAll(TOKEN)].map(({ 0: token, index }) => {
    const end = index + token.length
    if (!token.startsWith('"')) return { kind: /[a-z]/.test(token[0] ?? '') ? 'word' : 'number', start: index, end }
    return { kind: line[end] === ':' ? 'key' : 'text', start: index, end }
  })
}
