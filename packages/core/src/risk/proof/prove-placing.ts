import { below, type FileAct } from '../acts/file-act.ts'
import type { Places } from '../path/category.ts'
import type { FileLook } from '../path/file-look.ts'
import { type ActContext, isPlainFile, treeAt } from './act-context.ts'
import { isOwnFile, isRunFile } from './own-file.ts'
import { touching } from './path-change.ts'

type Place = Extract<FileAct, { kind: 'place' }>

/** Whether a copy or a move puts only plain files of the workspace, under names that nothing runs or obeys by itself. */
export function isProvenPlace(act: Place, look: (path: string) => FileLook | null, context: ActContext): boolean {
  const { places } = context.now
  const from = look(act.from)
  const to = look(act.to)
  if (from === null || to === null || to.leadsTo === 'other') return false
  if (act.moves && !isOwnFile(from.real, places)) return false
  // Without the option for folders, something that is not there yet can only be a file.
  if (isPlainFile(from, context) || (!act.whole && isMissing(from, context))) return isFilePlaced(act, to, look, places)
  const tree = act.whole ? treeAt(from, context) : null
  if (tree === null || (act.moves && !areOwn(from.real, tree, places))) return false
  return isFolderPlaced(act, tree, to, look, places)
}

function isMissing({ type, real }: FileLook, { changes, index }: ActContext): boolean {
  return type === 'absent' && touching(changes, real, index).length === 0
}

function isFilePlaced(
  { to: path, name, keepsNode, suffix }: Place,
  to: FileLook,
  look: (path: string) => FileLook | null,
  places: Places,
): boolean {
  const into = to.leadsTo === 'directory' && name !== ''
  const placed = into ? look(below(path, name)) : to
  if (placed === null || placed.leadsTo === 'other') return false
  if (keepsNode && placed.leadsTo === 'file' && placed.names > 1) return false
  // Another part of the command may make a folder of it, or take the folder away.
  const isRoot = into && to.real === places.workspace
  const ends = name === '' || isRoot ? [placed.real] : [to.real, into ? placed.real : below(to.real, name)]
  return ends.every((end) => isOwnFile(end, places) && (suffix === '' || isOwnFile(`${end}${suffix}`, places)))
}

function isFolderPlaced(
  { to: path, name, keepsNode }: Place,
  tree: readonly string[],
  to: FileLook,
  look: (path: string) => FileLook | null,
  places: Places,
): boolean {
  const into = to.leadsTo === 'directory' && name !== ''
  const root = into ? look(below(path, name)) : to
  if (root === null || root.type === 'link') return false
  if (root.type === 'directory') {
    // Only beside what is there: nothing is written through a link, or over a file with other names.
    const there = new Set(root.tree ?? [])
    if (root.tree == null || (keepsNode && tree.some((one) => there.has(one)))) return false
    // What a project runs by its name is not slipped into it unread.
    if (tree.some((one) => isRunFile(below(root.real, one), places))) return false
  }
  const isRoot = (real: string) => real === places.workspace || isOwnFile(real, places)
  // Another part of the command may make the folder that it goes into, or take it away.
  const ends = name === '' ? [root.real] : [to.real, below(to.real, name)]
  return ends.every((end) => isRoot(end) && areOwn(end, tree, places))
}

function areOwn(root: string, tree: readonly string[], places: Places): boolean {
  return tree.every((name) => isOwnFile(below(root, name), places))
}
