import type { CommandProblem, CommandProblemKind } from './decomposition.ts'

/** Bounds of one analysis. What passes them is reported as a problem, never analysed by halves in silence (L10). */
export const CAPS = {
  /** UTF-16 units of one command. */
  source: 64 * 1024,
  /** Compound commands, substitutions and re-entered shells around one command. */
  depth: 32,
  /** Open brackets before parsing: the parser's time grows with the square of them. */
  brackets: 64,
  /** Wrappers around one command. */
  wrappers: 8,
  /** Syntax nodes and words looked at. */
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
  /** Words one brace expansion may give. */
  braces: 64,
  /** Problems listed; one of each kind is always kept. */
  problems: 100,
} as const

interface Span {
  readonly start: number
  readonly end: number
}

/** Collects problems, each once, and never more than a person could read. */
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
