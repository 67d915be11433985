import type { CommandPart } from '../../command/model/decomposition.ts'
import { isRegenerableGlob } from './category.ts'

const NAMES = new Set(['-name', '-iname', '-path', '-ipath', '-wholename'])

/** Whether `find` is told to look only for what a tool makes again: `-name '*.pyc'`, `-name node_modules`. */
export function findsRegenerable(part: CommandPart): boolean {
  // An empty file or folder holds nothing to lose.
  if (part.args.some(({ value }) => value === '-empty')) return true
  let named = 0
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? null
    // Negations and unknown words could widen it to anything.
    if (value === null || value === '!' || value === '-not') return false
    if (!NAMES.has(value)) continue
    if (!isRegenerableGlob(part.args[at + 1]?.value ?? '')) return false
    named++
    at++
  }
  return named > 0
}
