import { findPatch, findPaths } from '../../call/arguments/paths.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { Descriptor, Kind } from '../../call/descriptor.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { PathUse } from '../report/report.ts'
import { spelledPaths } from './command-paths.ts'
import { copiesOf } from './file-program-paths.ts'
import type { SpelledPath } from './unresolved-path.ts'

export { folderOf } from '../../command/part-folder.ts'

/** INVARIANT: L10, more paths of one call are not resolved, and unknown paths are rated high. */
export const MAX_PATHS = 256

/** A path the gate resolves before a call is rated. */
export interface PathToResolve {
  readonly given: string
  readonly use: PathUse['use']
  /** See CommandPart.cwd: empty for the call's own folder, null if unknown. */
  readonly cwd: string | null
  /** Index of the simple command that names it; null if the call itself does. */
  readonly part: number | null
}

/** The key of a resolved path: its spelling, with the folder if the path is relative. */
export function pathKey(given: string, cwd: string | null): string {
  const anchored = given.startsWith('/') || given.startsWith('~')
  return `${anchored ? '' : (cwd ?? '?')}\0${given}`
}

const KIND_USES: Readonly<Record<Kind, PathUse['use']>> = {
  read: 'read',
  write: 'write',
  delete: 'delete',
  move: 'write',
  execute: 'read',
  // A fetch that names a file saves it there.
  fetch: 'write',
  query: 'read',
  send: 'read',
  other: 'write',
}

/** How a call that is not a command uses its path at a position: a move removes the first. */
export function useOfKind(kind: Kind, at: number): PathUse['use'] {
  return kind === 'move' && at === 0 ? 'delete' : KIND_USES[kind]
}

/**
 * How a call uses each path that it names itself. A patch shows it file by file; otherwise the kind of the call decides.
 * `kind` replaces the descriptor's kind if more is known about the call.
 */
export function callUses(
  { descriptor, args }: Pick<FrozenCall, 'descriptor' | 'args'>,
  kind = descriptor.kind,
): readonly { readonly given: string; readonly use: PathUse['use'] }[] {
  const patch = isPatched(descriptor) && kind === descriptor.kind ? findPatch(args) : undefined
  // Paths in arguments of their own are used by the tool's kind, whatever a patch beside them contains.
  const named = patch === undefined ? [] : findPaths(args, { also: [], byShape: true })
  return (descriptor.paths ?? []).map((given, at) => {
    const use = named.includes(given) ? undefined : patch?.summary.uses.get(given)
    return { given, use: use ?? useOfKind(kind, at) }
  })
}

/** A registration's own description takes precedence over a patch. */
function isPatched({ kind, source }: Descriptor): boolean {
  return source !== 'declared' && (kind === 'delete' || kind === 'move' || kind === 'write')
}

function isResolvable(path: SpelledPath, cwd: string | null): path is SpelledPath & { readonly lookup: string } {
  return path.lookup !== null && path.lookup !== '' && (cwd !== null || /^[/~]/.test(path.lookup))
}

/**
 * The paths to resolve before `rateRisk`; store each under `pathKey(given, cwd)`. For a glob, only the folder before its
 * first wildcard is resolved: the rating assumes that it affects anything in there, and the report leaves `real` null, so
 * that no rule loosens because of it.
 */
export function collectPaths(
  call: FrozenCall,
  decomposition: Decomposition | null,
  own?: OwnKnowledge,
): readonly PathToResolve[] {
  const paths = new Map<string, PathToResolve>()
  const add = (path: PathToResolve) => {
    const key = `${pathKey(path.given, path.cwd)}\0${path.use}\0${path.part ?? ''}`
    if (paths.size < MAX_PATHS && !paths.has(key)) paths.set(key, path)
  }
  for (const { given, use } of callUses(call)) add({ given, use, cwd: '', part: null })
  decomposition?.parts.forEach((part, index) => {
    for (const path of spelledPaths(part, own)) {
      if (isResolvable(path, part.cwd)) add({ given: path.lookup, use: path.use, cwd: part.cwd, part: index })
    }
    for (const given of copiesOf(part)) add({ given, use: 'write', cwd: part.cwd, part: index })
  })
  const known = new Set([...paths.values()].map(({ given, use, cwd }) => `${pathKey(given, cwd)}\0${use}`))
  const addExact = (path: Omit<PathToResolve, 'part'>) => {
    if (!known.has(`${pathKey(path.given, path.cwd)}\0${path.use}`)) add({ ...path, part: null })
  }
  for (const part of decomposition?.exact?.parts ?? []) {
    const { cwd } = part
    for (const path of spelledPaths(part, own))
      if (isResolvable(path, cwd)) addExact({ given: path.lookup, use: path.use, cwd })
    for (const given of copiesOf(part)) addExact({ given, use: 'write', cwd })
  }
  return [...paths.values()]
}
