import type { FrozenCall } from '../../call/call.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import { answerOr, type MaybePromise } from '../../ports/maybe-promise.ts'
import type { Ports } from '../../ports/ports.ts'
import { isInside } from '../../risk/path/category.ts'
import type { BoundFile } from '../../risk/path/file-look.ts'
import type { Places } from '../model/circumstances.ts'

interface Sources {
  readonly store: Partial<Pick<Ports['store'], 'changes'>>
  readonly files?: Pick<Ports['files'], 'states'>
}

/** INVARIANT: L10, so many deleted files of one call are looked at. */
const MOST_FILES = 8
/** What removes the files that it names, and nothing else. */
const REMOVES: ReadonlySet<string | null> = new Set(['rm', 'grm', 'unlink'])

/**
 * Of the files that a call deletes, those that calls created and whose content nobody has seen or changed since: no
 * person loses anything when they are deleted. They are bound to the call. Null if there are none.
 */
export function createdFiles(
  call: FrozenCall,
  command: Decomposition | null,
  resolved: Iterable<string>,
  { workspace }: Places,
  { store, files }: Sources,
): MaybePromise<readonly BoundFile[] | null> {
  if (store.changes === undefined || files === undefined || !isPlainDeletion(call, command)) return null
  const paths = [...new Set(resolved)].filter((path) => path !== workspace && isInside(path, workspace))
  if (paths.length === 0 || paths.length > MOST_FILES) return null
  const changes = store.changes.bind(store)
  return answerOr(async () => {
    const rows = ownRows(paths, await changes(workspace), workspace)
    const states = rows.length === 0 ? [] : await files.states(workspace, rows)
    const same = states.filter(({ path, content }) => rows.some((row) => row.path === path && row.content === content))
    const bound = same.filter(({ content }) => SHA256.test(content))
    return bound.length === 0 ? null : bound.map(({ path, content }) => ({ path: `${workspace}/${path}`, content }))
  }, null)
}

const SHA256 = /^[0-9a-f]{64}$/

/** A tool of this machine that deletes, or one `rm`: a second command could put another file in that place before. */
function isPlainDeletion({ tool, descriptor }: FrozenCall, command: Decomposition | null): boolean {
  const { kind, source, argv } = descriptor
  if (command !== null) {
    const [part] = command.parts
    return command.parts.length === 1 && part !== undefined && part.via.length === 0 && REMOVES.has(part.program)
  }
  if (argv !== undefined || kind !== 'delete' || tool.server !== null) return false
  return source === 'known' || source === 'declared'
}

type Known = Awaited<ReturnType<Ports['store']['changes']>>

/** The records of these files, if calls created them. What changed beside the record may have changed any file. */
function ownRows(paths: readonly string[], known: Known, workspace: string): Known['files'] {
  if (known.everything !== null || known.unrecorded.length > 0) return []
  // A later file may hold what a person had in a file that is gone: it may have been moved, and then edited.
  const gone = known.files.filter(({ content, seen }) => content === 'absent' && seen !== 'absent').map(({ at }) => at)
  const before = Math.min(...gone)
  const wanted = new Set(paths.map((path) => path.slice(workspace.length + 1)))
  return known.files.filter(
    ({ path, kind, seen, at }) => wanted.has(path) && kind === 'written' && seen === 'absent' && at < before,
  )
}
