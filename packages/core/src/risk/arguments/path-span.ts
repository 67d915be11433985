import type { CommandPart } from '../../command/model/decomposition.ts'

/** Where a part names a path: the redirection or the word, or the whole part when neither is known. */
export function spanOfPath(part: CommandPart, given: string): CommandPart['span'] {
  for (const { target, span } of part.redirections) if (span !== undefined && target === given) return span
  for (const { value, text, at } of part.args) {
    if (at === undefined || (value ?? text) !== given) continue
    return { start: at, end: at + text.length }
  }
  return part.span
}
