import { canonicalJson, diffTexts, type Json } from '@countersign/core'
import { isObject, PINNED } from './tool-definition.ts'

/** One line of a definition, or of the difference of two. Untrusted text: surfaces make it safe. */
export interface DefinitionLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

const LONG = 1000
const WORDS: ReadonlySet<string> = new Set(['name', 'title', 'description'])

/**
 * A definition as people read it: names, then words line by line, then schemas as indented JSON in the order of their
 * keys. INVARIANT: L5, two definitions that differ never read the same. What stands before each line is ours: `|`
 * begins one, `↪` goes on with one that is too long for a difference to keep whole.
 */
export function definitionText(definition: Json): string {
  if (!isObject(definition)) return `${canonicalJson(definition)}\n`
  const lines = PINNED.flatMap((member): readonly string[] => {
    const value = definition[member]
    if (value === undefined) return []
    if (WORDS.has(member) && typeof value === 'string') return [`${member}:`, ...value.split('\n').flatMap(folded)]
    const text = JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)
    return [`${member}${WORDS.has(member) ? ', which is no text' : ''}:`, ...text.split('\n').flatMap(folded)]
  })
  return `${lines.join('\n')}\n`
}

/** What changes from one definition to the other. Nothing of the new one that changed is left out. */
export function diffDefinitions(before: Json | null, after: Json): readonly DefinitionLine[] {
  const text = definitionText(after)
  const whole = text
    .slice(0, -1)
    .split('\n')
    .map((line): DefinitionLine => ({ kind: 'added', text: line }))
  if (before === null) return whole
  const { hunks, folded: left } = diffTexts(definitionText(before), text)
  return left > 0 ? whole : hunks.flatMap(({ lines }) => lines)
}

function folded(line: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length || at === 0; ) {
    // No letter is cut in two.
    const isHalf = /[\ud800-\udbff]/.test(line.charAt(at + LONG - 1))
    const end = at + LONG + (isHalf ? 1 : 0)
    pieces.push(`  ${at === 0 ? '|' : '↪'} ${line.slice(at, end)}`)
    at = end
  }
  return pieces
}
