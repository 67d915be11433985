import type { CommandPart } from '../../command/model/decomposition.ts'
import { actsOf } from '../acts/acts-of.ts'
import type { FileAct } from '../acts/file-act.ts'
import type { FileLooks } from '../path/file-look.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { isPlainFile, treeAt } from './act-context.ts'
import type { PathChange } from './path-change.ts'

/**
 * The members of an archive that an earlier part of the same command makes, from files that are there already or that other
 * parts put there; null if they are not known, undefined if no part makes it.
 */
export function madeMembers(
  parts: readonly CommandPart[],
  index: number,
  archive: string,
  looks: FileLooks,
  changes: readonly PathChange[],
): readonly string[] | null | undefined {
  const own = parts[index]
  const real = own === undefined ? undefined : looks.get(pathKey(archive, own.cwd))?.real
  if (real === undefined) return null
  for (const [maker, part] of parts.slice(0, index).entries()) {
    const acts = actsOf(part) ?? []
    const makes = acts.some((act) => act.kind === 'file' && looks.get(pathKey(act.path, part.cwd))?.real === real)
    const packed = acts.filter((act) => act.kind === 'pack')
    if (!makes || packed.length === 0) continue
    // What is unpacked here comes later.
    const before = changes.filter(({ by }) => by !== index)
    const found = packed.map((act) => membersOf(act, { part, maker, looks, changes: before }))
    return found.some((members) => members === null) ? null : found.flatMap((members) => members ?? [])
  }
  return undefined
}

interface Packing {
  readonly part: CommandPart
  readonly maker: number
  readonly looks: FileLooks
  readonly changes: readonly PathChange[]
}

/** The names under which a file, or everything in a folder, is packed. */
function membersOf(
  { from, member, renames }: Extract<FileAct, { kind: 'pack' }>,
  { part, maker, looks, changes }: Packing,
): readonly string[] | null {
  const look = looks.get(pathKey(from, part.cwd))
  if (member === null || look === undefined) return null
  const named = (name: string) => (renames === undefined ? name : name.replace(renames.from, () => renames.to))
  const at = { changes, index: maker }
  if (isPlainFile(look, at)) return [named(member)]
  const tree = treeAt(look, at)
  if (tree === null) return null
  return [...(member === '.' ? [] : [named(member)]), ...tree.map((name) => named(inside(member, name)))]
}

function inside(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`
}

/**
 * Where a member is written, below the folder; null if nothing of its name is left. A name that starts in the folder itself
 * stays as it is where names are taken away, since programs count differently.
 */
export function unpackedName(member: string, strip: number): string | null {
  const name = member.replace(/\/+$/, '')
  if (/^\.(?:\/|$)/.test(name)) return strip > 0 ? name : name.replace(/^\.(?:\/+\.)*(?:\/+|$)/, '')
  // Where names are taken away, programs count doubled slashes differently: the name stays as it is.
  if (strip > 0 && name.includes('//')) return name
  const left = name.split('/').slice(strip)
  return left.length === 0 ? null : left.join('/')
}
