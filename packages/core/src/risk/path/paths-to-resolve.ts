import { findPatch, findPaths } from '../../call/arguments/paths.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { Descriptor, Kind } from '../../call/descriptor.ts'
import type { Decomposition } from '../../command/model/decomposition.ts'
import type { PathUse } from '../report/report.ts'
import { spelledPaths } from './command-paths.ts'
import type { SpelledPath } from './unresolved-path.ts'

/** Paths of one call that are resolved; the rest stay unknown, and unknown is rated high (L10). */
const MAX_PATHS = 256

/** A path the gate resolves before a call is rated. */
export interface PathToResolve {
  readonly given: string
  readonly use: PathUse['use']
  /** See CommandPart.cwd: empty for the call's own folder, null when unknown. */
  readonly cwd: string | null
  /** Index of the simple command that names it; null when the call itself does. */
  readonly part: number | null
}

/** The one key under which a resolved path is filed: by spelling, and by folder where the folder matters. */
export function pathKey(given: string, cwd: string | null): string {
  const anchored = given.startsWith('/') || given.startsWith('~')
  return `${anchored ? '' : (cwd ?? '?')}\0${given}`
}

/** The folder to resolve a path in: the call's own, or the one a `cd` led to. */
export function folderOf(cwd: string | null, callCwd: string, home: string): string {
  if (cwd === null || cwd === '') return callCwd
  if (cwd.startsWith('~')) return home + cwd.slice(1)
  return cwd.startsWith('/') ? cwd : `${callCwd}/${cwd}`
}

const KIND_USES: Readonly<Record<Kind, PathUse['use']>> = {
  read: 'read',
  write: 'write',
  delete: 'delete',
  move: 'write',
  execute: 'read',
  // Whoever fetches and names a file puts it there.
  fetch: 'write',
  query: 'read',
  send: 'read',
  other: 'write',
}

/** How a call that is no command uses the path at one position: a move takes the first away. */
export function useOfKind(kind: Kind, at: number): PathUse['use'] {
  return kind === 'move' && at === 0 ? 'delete' : KIND_USES[kind]
}

/**
 * How a call uses each path it names itself. A patch says it file by file; otherwise the call's kind speaks for all.
 * `kind` stands for the descriptor's own where something else is known of the call.
 */
export function callUses(
  { descriptor, args }: Pick<FrozenCall, 'descriptor' | 'args'>,
  kind = descriptor.kind,
): readonly { readonly given: string; readonly use: PathUse['use'] }[] {
  const patch = isPatched(descriptor) && kind === descriptor.kind ? findPatch(args) : undefined
  // What the arguments name by themselves is used as the tool's kind says, whatever a text beside it tells.
  const named = patch === undefined ? [] : findPaths(args, { also: [], byShape: true })
  return (descriptor.paths ?? []).map((given, at) => {
    const use = named.includes(given) ? undefined : patch?.summary.uses.get(given)
    return { given, use: use ?? useOfKind(kind, at) }
  })
}

/** Only what was read from the arguments: a registration's own word stands. */
function isPatched({ kind, source }: Descriptor): boolean {
  return source !== 'declared' && (kind === 'delete' || kind === 'move' || kind === 'write')
}

function isResolvable(path: SpelledPath, cwd: string | null): path is SpelledPath & { readonly lookup: string } {
  return path.lookup !== null && path.lookup !== '' && (cwd !== null || /^[/~]/.test(path.lookup))
}

/**
 * The spellings that must be resolved before `rateRisk`: file each under `pathKey(given, cwd)`. Of a glob only the
 * folder before its first wildcard is resolved: the rating takes it as touching anything in there, and the report
 * leaves its `real` null, so that no rule loosens by it.
 */
export function collectPaths(call: FrozenCall, decomposition: Decomposition | null): readonly PathToResolve[] {
  const paths = new Map<string, PathToResolve>()
  const add = (path: PathToResolve) => {
    const key = `${pathKey(path.given, path.cwd)}\0${path.use}\0${path.part ?? ''}`
    if (paths.size < MAX_PATHS && !paths.has(key)) paths.set(key, path)
  }
  for (const { given, use } of callUses(call)) add({ given, use, cwd: '', part: null })
  decomposition?.parts.forEach((part, index) => {
    for (const path of spelledPaths(part)) {
      if (isResolvable(path, part.cwd)) add({ given: path.lookup, use: path.use, cwd: part.cwd, part: index })
    }
  })
  return [...paths.values()]
}
