import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import type { Targets } from '../../ports/targets.ts'
import { guessNotes, type Preview, type PreviewTarget } from '../model/preview.ts'
import { inspectTarget } from '../targets/target-lookup.ts'

/** Argument names for source and destination. */
const ENDS: readonly (readonly [from: string, to: string])[] = [
  ['source', 'destination'],
  ['source', 'target'],
  ['source_path', 'destination_path'],
  ['sourcePath', 'destinationPath'],
  ['src', 'dst'],
  ['src', 'dest'],
  ['from', 'to'],
  ['from_path', 'to_path'],
  ['fromPath', 'toPath'],
  ['old', 'new'],
  ['old_path', 'new_path'],
  ['oldPath', 'newPath'],
  ['path', 'new_path'],
  ['path', 'newPath'],
  ['path', 'destination'],
]
const COPIES: ReadonlySet<string> = new Set(['copy', 'cp', 'duplicate', 'clone'])

/** Source and destination of a move or a copy. */
export interface Ends {
  readonly verb: 'move' | 'copy'
  readonly from: string
  readonly to: string
}

/** Source and destination of a call that moves or copies and names exactly two paths. */
export function endsOf({ tool, args, descriptor }: FrozenCall): Ends | undefined {
  const { kind, paths = [] } = descriptor
  const copies = kind === 'write' && nameWords(tool.name).some((word) => COPIES.has(word))
  if ((kind !== 'move' && !copies) || paths.length !== 2) return undefined
  const verb = copies ? 'copy' : 'move'
  for (const [one, other] of ENDS) {
    const from = pathIn(args, one, paths)
    const to = pathIn(args, other, paths)
    if (from !== undefined && to !== undefined) return { verb, from, to }
  }
  const [from, to] = paths
  // Only a move is sure to name the source first.
  return kind === 'move' && from !== undefined && to !== undefined ? { verb, from, to } : undefined
}

/** Source, destination, and what is overwritten. */
export async function movePreview(call: FrozenCall, ends: Ends, targets: Targets): Promise<Preview> {
  const { verb } = ends
  const from = await inspectTarget(ends.from, verb === 'move' ? 'delete' : 'read', call.cwd, targets)
  const named = await inspectTarget(ends.to, 'write', call.cwd, targets)
  const isSame = await leadsToSame(ends, call.cwd, targets)
  const isInside = named.type === 'directory' && !isSame
  const to = isInside ? await inspectTarget(insideOf(ends.to, ends.from), 'write', call.cwd, targets) : named
  const overwrites = to.type !== 'absent' && to.type !== 'unseen' && !isSame
  return { kind: 'move', verb, from, to, overwrites, notes: [...guessNotes(call), ...notes()] }

  function notes(): readonly string[] {
    const said: string[] = []
    if (from.type === 'absent') said.push(`\`${ends.from}\` does not exist: this would fail`)
    if (isSame) said.push('source and destination are the same: nothing changes, or the tool fails')
    if (isInside) said.push(`\`${ends.to}\` is a folder: most tools put it inside, some replace the folder`)
    if (overwrites) said.push(...overwriteNotes(verb, from, to))
    if (to.type === 'unseen') said.push(`can't inspect \`${to.path}\`: something may be there`)
    return said
  }
}

function overwriteNotes(verb: Ends['verb'], from: PreviewTarget, to: PreviewTarget): readonly string[] {
  if (to.type === 'directory' && from.type === 'directory')
    return [`a folder is already at \`${to.path}\`: some tools put one into the other, some replace it, some fail`]
  if (to.type === 'directory') return [`a folder is already at \`${to.path}\``]
  if (to.type === 'link' && verb === 'copy') return [`\`${to.path}\` is a link: a copy changes its target`]
  return []
}

async function leadsToSame({ from, to }: Ends, cwd: string, targets: Targets): Promise<boolean> {
  try {
    return (await targets.resolve(from, cwd)) === (await targets.resolve(to, cwd))
  } catch {
    return false
  }
}

function insideOf(folder: string, path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  const name = names.at(-1) ?? path
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}

function pathIn(args: JsonObject, name: string, paths: readonly string[]): string | undefined {
  const value = args[name]
  return typeof value === 'string' && paths.includes(value) ? value : undefined
}
