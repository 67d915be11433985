import { compareDefinitions, type Json } from '@countersign/core'

/** One line of a definition, or of the difference of two. Untrusted text: surfaces make it safe. */
export interface DefinitionLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** What changes from one definition to the other, as lines under each other. */
export function diffDefinitions(before: Json | null, after: Json): readonly DefinitionLine[] {
  const change = compareDefinitions(before, after)
  if (change.kind === 'lines') return change.hunks.flatMap(({ lines }) => lines)
  return change.text
    .slice(0, -1)
    .split('\n')
    .map((text): DefinitionLine => ({ kind: 'added', text }))
}
