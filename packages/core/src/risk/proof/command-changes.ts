import type { CommandPart } from '../../command/model/decomposition.ts'
import { actsOf } from '../acts/acts-of.ts'
import { below, type FileAct } from '../acts/file-act.ts'
import { destinationsOf } from '../acts/placing-acts.ts'
import type { FileLooks } from '../path/file-look.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { madeMembers, unpackedName } from './archive-members.ts'
import type { PathChange } from './path-change.ts'

interface Located {
  readonly part: CommandPart
  readonly paths: readonly Pick<LocatedPath, 'use' | 'at' | 'given'>[]
}

/** Everything that the parts of a command change. What is unpacked depends on what other parts put into the archive. */
export function changesOf(parts: readonly Located[], looks: FileLooks): readonly PathChange[] {
  const changes = parts.flatMap(({ part, paths }, by): PathChange[] => [
    ...paths.flatMap(({ use, at, given }): PathChange[] => {
      if (at === null || (use !== 'write' && use !== 'delete')) return []
      // What a program does whose acts are read is told by them.
      if (!isRedirected(part, given) && actsOf(part) != null) return []
      // `touch` leaves a folder as it is.
      const isTouched = part.program === 'touch' && looks.get(pathKey(given, part.cwd))?.type === 'directory'
      return [{ by, at, to: use === 'delete' ? 'anything' : isTouched ? 'folder' : 'file' }]
    }),
    ...actChanges(part, by, looks),
  ])
  const commands = parts.map(({ part }) => part)
  for (const [by, part] of commands.entries())
    for (const act of actsOf(part) ?? [])
      if (act.kind === 'unpack') changes.push(...unpackedChanges(act, by, commands, looks, changes))
  return changes
}

/** The members of an archive; anything in the folder if they are not known, in which case unpacking it is not proven. */
function unpackedChanges(
  { archive, into, strip }: Extract<FileAct, { kind: 'unpack' }>,
  by: number,
  parts: readonly CommandPart[],
  looks: FileLooks,
  changes: readonly PathChange[],
): readonly PathChange[] {
  const look = (path: string) => looks.get(pathKey(path, parts[by]?.cwd ?? null))
  const made = madeMembers(parts, by, archive, looks, changes)
  const members = made === undefined ? look(archive)?.members : made
  const names = new Set(members?.flatMap((member) => unpackedName(member, strip) || []))
  const folders = new Set([...names].flatMap((name) => name.split('/').map((_, at, all) => all.slice(0, at).join('/'))))
  const found = [...names].map((name): PathChange | null => {
    const at = look(below(into, name))?.real
    return at === undefined ? null : { by, at, to: folders.has(name) ? 'folder' : 'file' }
  })
  const folder = look(into)?.real
  if (members == null || found.includes(null)) return folder === undefined ? [] : [{ by, at: folder, to: 'anything' }]
  return found.filter((one) => one !== null)
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
      default:
        return []
    }
  })
}
