import type { CommandPart } from '../../command/model/decomposition.ts'
import type { FileLook, FileLooks } from '../path/file-look.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { type PathChange, touching } from './path-change.ts'

/** What surrounds an act: the whole command, and what was found at its paths. */
export interface ActContext {
  readonly parts: readonly CommandPart[]
  readonly index: number
  readonly changes: readonly PathChange[]
  readonly looks: FileLooks
  readonly now: RiskCircumstances
}

/**
 * Everything that is below a folder when it is used: what was there, and what other parts of the command put there. Null if
 * that is not known, or if there are links.
 */
export function treeAt(
  look: FileLook,
  { changes, index }: Pick<ActContext, 'changes' | 'index'>,
): readonly string[] | null {
  if (look.type === 'directory' ? look.tree == null : look.type !== 'absent') return null
  const others = touching(changes, look.real, index)
  if (look.type === 'absent' && others.length === 0) return null
  const names = new Set(look.tree)
  for (const { at, to } of others) {
    const isBelow = at.length > look.real.length
    if (to === 'anything' || (to === 'file' && !isBelow)) return null
    if (isBelow) names.add(at.slice(look.real.length + 1))
  }
  return [...names]
}

/** Whether something is one plain file when it is used, whatever other parts of the command do. */
export function isPlainFile(look: FileLook | null, { changes, index }: Pick<ActContext, 'changes' | 'index'>): boolean {
  if (look === null || (look.type !== 'file' && look.type !== 'absent')) return false
  const others = touching(changes, look.real, index)
  if (!others.every(({ at, to }) => at === look.real && to === 'file')) return false
  return look.type === 'file' || others.length > 0
}
