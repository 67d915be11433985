import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { DiffHunk } from '../model/preview.ts'
import { diffTexts } from './hunks.ts'

/** What of a tool's definition is accepted, in the order people read it: everything a model or a person is told. */
export const DEFINITION_MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const

/** What is new in a definition: the lines that differ, or all of it. Untrusted text: surfaces make it safe. */
export type DefinitionChange =
  | { readonly kind: 'lines'; readonly hunks: readonly DiffHunk[]; readonly added: number; readonly removed: number }
  | { readonly kind: 'whole'; readonly text: string }

const LONG = 1000
const WORDS: ReadonlySet<string> = new Set(['name', 'title', 'description'])

/** What changes from one definition to the other. Nothing of the new one that changed is left out. */
export function compareDefinitions(before: Json | null, after: Json): DefinitionChange {
  const text = definitionText(after)
  if (before === null) return { kind: 'whole', text }
  const { hunks, added, removed, folded: left } = diffTexts(definitionText(before), text)
  return left > 0 ? { kind: 'whole', text } : { kind: 'lines', hunks, added, removed }
}

/**
 * A definition as people read it: names, then words line by line, then schemas as indented JSON in the order of their
 * keys. INVARIANT: L5, two definitions that differ never read the same. What stands before each line is ours: `|`
 * begins one, `↪` goes on with one that is too long for a difference to keep whole.
 */
function definitionText(definition: Json): string {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition))
    return `${canonicalJson(definition)}\n`
  const members = definition as { readonly [member: string]: Json | undefined }
  const lines = DEFINITION_MEMBERS.flatMap((member): readonly string[] => {
    const value = members[member]
    if (value === undefined) return []
    if (WORDS.has(member) && typeof value === 'string') return [`${member}:`, ...value.split('\n').flatMap(folded)]
    const text = JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)
    return [`${member}${WORDS.has(member) ? ', which is no text' : ''}:`, ...text.split('\n').flatMap(folded)]
  })
  return `${lines.join('\n')}\n`
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
