import type { CommandPart } from '../../command/model/decomposition.ts'
import type { FileLooks } from '../path/file-look.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { actsOf } from './acts-of.ts'

/**
 * The members of an archive that an earlier part of the same command makes from files that are there already; null if they
 * are not known, undefined if no part makes it.
 */
export function madeMembers(
  parts: readonly CommandPart[],
  index: number,
  archive: string,
  looks: FileLooks,
): readonly string[] | null | undefined {
  const own = parts[index]
  const real = own === undefined ? undefined : looks.get(pathKey(archive, own.cwd))?.real
  if (real === undefined) return null
  for (const part of parts.slice(0, index)) {
    const acts = actsOf(part) ?? []
    const makes = acts.some((act) => act.kind === 'file' && looks.get(pathKey(act.path, part.cwd))?.real === real)
    const packed = acts.filter((act) => act.kind === 'pack')
    if (!makes || packed.length === 0) continue
    const members: string[] = []
    for (const { from, member } of packed) {
      const look = looks.get(pathKey(from, part.cwd))
      if (member === null || look === undefined) return null
      if (look.type === 'file') members.push(member)
      else if (look.type === 'directory' && look.tree != null)
        members.push(...(member === '.' ? [] : [member]), ...look.tree.map((name) => inside(member, name)))
      else return null
    }
    return members
  }
  return undefined
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
