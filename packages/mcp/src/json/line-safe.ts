/** Characters that end a line to some readers (Node's `readline`, Python's `splitlines`), and to JSON are letters. */
const LINE_ENDS = ['\u0085', '\u2028', '\u2029'] as const

/**
 * JSON that is one line to every reader. It says the same: such characters stand in strings only, where an escape is
 * another spelling of them. Looked for one by one, which costs next to nothing where there are none.
 */
export function lineSafe(json: string): string {
  let safe = json
  for (const end of LINE_ENDS)
    if (safe.includes(end)) safe = safe.replaceAll(end, `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return safe
}
