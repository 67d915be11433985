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
