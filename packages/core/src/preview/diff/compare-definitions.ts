import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { DiffHunk } from '../model/preview.ts'
import { diffTexts } from './hunks.ts'

/** The members of a tool definition that a person accepts, in reading order: everything a model or a person sees. */
export const DEFINITION_MEMBERS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
] as const

/** The change of a definition: the lines that differ, or the whole. Untrusted text: surfaces escape it. */
export type DefinitionChange =
  | { readonly kind: 'lines'; readonly hunks: readonly DiffHunk[]; readonly added: number; readonly removed: number }
  | { readonly kind: 'whole'; readonly text: string }

const LONG = 1000
const WORDS: ReadonlySet<string> = new Set(['name', 'title', 'description'])

/** Compares two definitions. No changed part of the new one is left out. */
export function compareDefinitions(before: Json | null, after: Json): DefinitionChange {
  const text = definitionText(after)
  if (before === null) return { kind: 'whole', text }
  const { hunks, added, removed, folded: left } = diffTexts(definitionText(before), text)
  return left > 0 ? { kind: 'whole', text } : { kind: 'lines', hunks, added, removed }
}

/**
 * A definition as readable text: names, descriptions line by line, then schemas as indented JSON in key order.
 * INVARIANT: L5, definitions that differ never read the same. The prefix of each line is ours: `|` starts a line, `↪`
 * continues one that is too long for the diff.
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
    return [`${member}${WORDS.has(member) ? ' (not text)' : ''}:`, ...text.split('\n').flatMap(folded)]
  })
  return `${lines.join('\n')}\n`
}

function folded(line: string): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at < line.length || at === 0; ) {
    // Do not split a surrogate pair.
    const isHalf = /[\ud800-\udbff]/.test(line.charAt(at + LONG - 1))
    const end = at + LONG + (isHalf ? 1 : 0)
    pieces.push(`  ${at === 0 ? '|' : '↪'} ${line.slice(at, end)}`)
    at = end
  }
  return pieces
}
