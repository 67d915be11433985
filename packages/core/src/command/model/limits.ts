import type { CommandProblem, CommandProblemKind } from './decomposition.ts'

/** Limits of one analysis. Whatever exceeds them is reported as a problem, never silently analyzed in part (L10). */
export const CAPS = {
  /** UTF-16 units of one command. */
  source: 64 * 1024,
  /** Compound commands, substitutions and re-entered shells around one command. */
  depth: 32,
  /** Open brackets before parsing: the parser's time grows with the square of them. */
  brackets: 64,
  /** Wrappers around one command. */
  wrappers: 8,
  /** Syntax nodes and words visited. */
  nodes: 20_000,
  parts: 2_000,
  /** Calls of functions and aliases that are followed. */
  calls: 400,
  /** Words of one command. */
  words: 1_000,
  /** UTF-16 units of code found inside words and parsed again. */
  reparsed: 256 * 1024,
  /** UTF-16 units of one remembered variable. */
  variable: 4 * 1024,
  /** Words of one brace expansion. */
  braces: 64,
  /** Problems listed; at least one of each kind is kept. */
  problems: 100,
} as const

interface Span {
  readonly start: number
  readonly end: number
}

/** Collects problems, each once, up to a readable number. */
export class Problems {
  readonly list: CommandProblem[] = []
  #seen: Set<string> | null = null

  add(kind: CommandProblemKind, message: string, span: Span | null): void {
    const key = span === null ? `${kind} ${message}` : `${kind} ${message} ${span.start}`
    this.#seen ??= new Set()
    if (this.#seen.has(key) || (this.#seen.has(kind) && this.list.length >= CAPS.problems)) return
    this.#seen.add(key)
    this.#seen.add(kind)
    this.list.push(span === null ? { kind, message } : { kind, message, span })
  }
}

const PAREN_OPEN = 40
const PAREN_CLOSE = 41
const BRACKET_OPEN = 91
const BRACE_OPEN = 123
const BRACE_CLOSE = 125
const DOLLAR = 36

/**
 * Whether a source is nested too deeply for the parser. Linear, and ignores quotes, about which a scanner and the parser
 * could disagree: so quoted text with very many open brackets is refused too.
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
