import { CAPS } from '../model/limits.ts'

const PAREN_OPEN = 40
const PAREN_CLOSE = 41
const BRACKET_OPEN = 91
const BRACE_OPEN = 123
const BRACE_CLOSE = 125
const DOLLAR = 36

/**
 * Whether a source is nested too deeply to be given to the parser at all. Linear and blind to quotes: quotes are what
 * a parser and a scanner would disagree about, so prose with very many open brackets is refused too.
 */
export function isTooNested(source: string): boolean {
  if (source.length <= CAPS.depth) return false
  let depth = 0
  let oldArithmetic = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === PAREN_OPEN || code === BRACE_OPEN) {
      depth++
      if (depth > CAPS.brackets) return true
    } else if ((code === PAREN_CLOSE || code === BRACE_CLOSE) && depth > 0) {
      depth--
    } else if (code === BRACKET_OPEN && at > 0 && source.charCodeAt(at - 1) === DOLLAR) {
      // The parser needs cubic time for unclosed `$[`.
      oldArithmetic++
      if (oldArithmetic > CAPS.depth) return true
    }
  }
  return false
}
