import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import type { Targets } from '../../ports/targets.ts'
import { guessNotes, type Preview, type PreviewTarget } from '../model/preview.ts'
import { lookAt } from '../targets/target-lookup.ts'

/** How tools name the two ends. */
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

/** The two ends of a move or a copy of files. */
export interface Ends {
  readonly verb: 'move' | 'copy'
  readonly from: string
  readonly to: string
}

/** The two ends, when the call is a move or a copy and names exactly two paths. */
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
  // Only a move says by itself which end comes first: it names what is moved before where to.
  return kind === 'move' && from !== undefined && to !== undefined ? { verb, from, to } : undefined
}

/** From where to where, and what is lost there. */
export async function movePreview(call: FrozenCall, ends: Ends, targets: Targets): Promise<Preview> {
  const { verb } = ends
  const from = await lookAt(ends.from, verb === 'move' ? 'delete' : 'read', call.cwd, targets)
  const named = await lookAt(ends.to, 'write', call.cwd, targets)
  const isSame = await leadsToSame(ends, call.cwd, targets)
  const isInside = named.type === 'directory' && !isSame
  const to = isInside ? await lookAt(insideOf(ends.to, ends.from), 'write', call.cwd, targets) : named
  const overwrites = to.type !== 'absent' && to.type !== 'unseen' && !isSame
  return { kind: 'move', verb, from, to, overwrites, notes: [...guessNotes(call), ...notes()] }

  function notes(): readonly string[] {
    const said: string[] = []
    if (from.type === 'absent') said.push(`nothing is at \`${ends.from}\`: this would fail`)
    if (isSame) said.push('both are the same place: nothing would change, or the tool fails')
    if (isInside) said.push(`\`${ends.to}\` is a folder: most tools put it inside, some replace the folder`)
    if (overwrites) said.push(...overwriteNotes(verb, from, to))
    if (to.type === 'unseen') said.push(`\`${to.path}\` could not be looked at: something may be there`)
    return said
  }
}

function overwriteNotes(verb: Ends['verb'], from: PreviewTarget, to: PreviewTarget): readonly string[] {
  if (to.type === 'directory' && from.type === 'directory')
    return [`a folder is already at \`${to.path}\`: some tools put one into the other, some replace it, some fail`]
  if (to.type === 'directory') return [`a folder is already at \`${to.path}\``]
  if (to.type === 'link' && verb === 'copy') return [`\`${to.path}\` is a link: a copy changes what it leads to`]
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
