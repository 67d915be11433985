import type { CommandPart } from '../../command/model/decomposition.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import { isRegenerableGlob } from './category.ts'

/** Whether `find` searches only for files that a tool creates again: `-name '*.pyc'`, `-name node_modules`. */
export function findsRegenerable(part: CommandPart): boolean {
  // Empty files and folders have no content to lose.
  if (part.args.some(({ value }) => value === '-empty')) return true
  let named = 0
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? null
    // A negation or an unknown word could match anything.
    if (value === null || value === '!' || value === '-not') return false
    if (!PATH_ARGUMENTS.findNames.has(value)) continue
    if (!isRegenerableGlob(part.args[at + 1]?.value ?? '')) return false
    named++
    at++
  }
  return named > 0
}
