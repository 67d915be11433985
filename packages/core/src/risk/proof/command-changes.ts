import type { CommandPart } from '../../command/model/decomposition.ts'
import { actsOf } from '../acts/acts-of.ts'
import { destinationsOf } from '../acts/placing-acts.ts'
import { isInside } from '../path/category.ts'
import type { FileLooks } from '../path/file-look.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'

/** Something that a part of a command changes. */
export interface PathChange {
  /** The index of the part. */
  readonly by: number
  readonly at: string
  /** One plain file is written there; or a folder is made; or anything may be there afterwards. */
  readonly to: 'file' | 'folder' | 'anything'
}

interface Located {
  readonly part: CommandPart
  readonly paths: readonly LocatedPath[]
}

/** Everything that the parts of a command change. */
export function changesOf(parts: readonly Located[], looks: FileLooks): readonly PathChange[] {
  return parts.flatMap(({ part, paths }, by): PathChange[] => [
    ...paths.flatMap(({ use, at, given }): PathChange[] => {
      if (at === null || (use !== 'write' && use !== 'delete')) return []
      // What a program does whose acts are read is told by them.
      if (!isRedirected(part, given) && actsOf(part) != null) return []
      return [{ by, at, to: use === 'write' ? 'file' : 'anything' }]
    }),
    ...actChanges(part, by, looks),
  ])
}

function isRedirected({ redirections }: CommandPart, given: string): boolean {
  return redirections.some(({ target }) => target === given)
}

function actChanges(part: CommandPart, by: number, looks: FileLooks): readonly PathChange[] {
  const at = (path: string, to: PathChange['to']): PathChange[] => {
    const real = looks.get(pathKey(path, part.cwd))?.real
    return real === undefined ? [] : [{ by, at: real, to }]
  }
  return (actsOf(part) ?? []).flatMap((act): PathChange[] => {
    switch (act.kind) {
      case 'file':
        return at(act.path, 'file')
      case 'folder':
        return at(act.path, 'folder')
      case 'convert':
        return [...at(act.from, 'anything'), ...at(act.to, 'file')]
      case 'place': {
        const isFile = looks.get(pathKey(act.from, part.cwd))?.type === 'file'
        const gone = act.moves ? at(act.from, 'anything') : []
        const isInto = act.name !== '' && looks.get(pathKey(act.to, part.cwd))?.leadsTo === 'directory'
        const ends = isInto ? destinationsOf(act).slice(1) : destinationsOf(act)
        return [...gone, ...ends.flatMap((to) => at(to, isFile ? 'file' : 'anything'))]
      }
      case 'unpack':
        return at(act.into, 'anything')
      default:
        return []
    }
  })
}

/** The changes by other parts of something at, above or below a path. */
export function touching(changes: readonly PathChange[], path: string, own: number): readonly PathChange[] {
  return changes.filter(({ by, at }) => by !== own && (isInside(at, path) || isInside(path, at)))
}
