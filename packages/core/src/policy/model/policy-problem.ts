import type { ErrorCode } from '../../errors.ts'

/** A problem in a policy file, with its place and a suggestion. */
export interface PolicyProblem {
  readonly code?: Extract<ErrorCode, `CS_POLICY_${string}` | 'CS_CHECK_UNKNOWN'>
  readonly file: string
  /** From 1, as editors count. */
  readonly line: number
  readonly column: number
  readonly message: string
  /** The probably intended word. */
  readonly suggestion?: string
}

/** A problem in one line, in the `file:line:column` form that editors recognize. */
export function formatProblem(problem: PolicyProblem): string {
  const hint = problem.suggestion === undefined ? '' : `; did you mean ${quote(problem.suggestion)}?`
  return `${visible(problem.file)}:${problem.line}:${problem.column}: ${problem.message}${hint}`
}

const LONGEST_QUOTE = 60

/** Quotes text of a policy file in a message: in backticks, on one line, without invisible characters, truncated if long. */
export function quote(text: string): string {
  const points = Array.from(text.length > LONGEST_QUOTE * 2 ? text.slice(0, LONGEST_QUOTE * 2) : text)
  const shown = visible(points.slice(0, LONGEST_QUOTE).join(''))
  return `\`${shown}${points.length > LONGEST_QUOTE ? '…' : ''}\``
}

/** SECURITY: A12, A13. A policy file may come from a repository; its text must not control a terminal. */
function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]|`/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

/** Converts offsets in a text to lines and columns as editors count them. Lines end with LF or CRLF. */
export function positionsIn(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }
}

/** Problems in reading order. */
export function sortProblems(problems: readonly PolicyProblem[]): readonly PolicyProblem[] {
  const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return [...problems].sort((a, b) => byName(a.file, b.file) || a.line - b.line || a.column - b.column)
}
