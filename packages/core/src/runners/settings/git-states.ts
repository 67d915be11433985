import type { CommandPart } from '../../command/model/decomposition.ts'
import type { PendingFiles, WorkTreeStates } from '../../ports/repositories.ts'
import type { ProjectReader } from '../reading/project-reader.ts'
import type { Repository } from './git-repository.ts'
import { findUse, isHarmlessVariable, readGitWords } from './git-words.ts'

/** Verbs that neither move a branch nor change the index. */
const READS: ReadonlySet<string> = new Set(['status', 'log', 'diff', 'show'])
/** Verbs that take what is in the work tree into the index or a commit, and write no file of it. */
const RECORDS: ReadonlySet<string> = new Set(['add', 'stage', 'commit'])

/**
 * The files that a command may write by moving the work tree between states: commits that it names, the stash, and what is there
 * now. Every part of the command must be a known use of git: then each file ends as it is in one of the states, and only files
 * in which they differ are written. Null if that can’t be told.
 */
export async function gitStates(
  parts: readonly CommandPart[],
  start: string,
  { top, folder, own }: Repository,
  reader: ProjectReader,
): Promise<readonly string[] | null> {
  // In a linked worktree, others have states of their own.
  const states = folder === own && folder === `${top}/.git` ? statesOf(parts, top) : null
  if (states === null || (states.files !== null && start !== top)) return null
  await bindNames(states, folder, reader)
  const { switched, merged, stashes, files, added } = states
  const paths = await reader.between(top, { switched, merged, stashes })
  // A file that is added and committed goes away with the commit.
  const pending = added === null ? [] : await reader.pending(top, added)
  if (paths === null || pending === null) return null
  const real: string[] = []
  for (const path of new Set([...paths, ...pending])) {
    if (files !== null && !files.some((file) => path === file || path.startsWith(`${file}/`))) continue
    const at = await reader.resolve(path, top)
    // A link in the way leads git elsewhere, or is replaced.
    if (at !== `${top}/${path}`) return null
    real.push(at)
  }
  return real
}

interface States extends WorkTreeStates {
  /** Only these files and folders are written; null: all. */
  readonly files: readonly string[] | null
  /** What is added to the index; null: nothing. */
  readonly added: PendingFiles | null
}

function statesOf(parts: readonly CommandPart[], top: string): States | null {
  const files: string[] = []
  const added = new Set<string>()
  let moves = 0
  let records = 0
  let commits = 0
  let isForced = false
  const switches: string[] = []
  const merged: string[] = []
  const stashes = new Set<'stash' | 'pop'>()
  for (const { program, path, args, via, cwd, origin, assignments } of parts) {
    if (program !== 'git' || path !== 'git' || via.length > 0 || cwd !== '' || origin !== undefined) return null
    if (!assignments.every(isHarmlessVariable)) return null
    const words = readGitWords(args, top)
    if (words === null || words.folder !== top || words.repository !== null) return null
    const use = findUse(words)
    const [revision = ''] = use?.named ?? []
    if (use !== null && RECORDS.has(words.verb)) {
      records++
      isForced ||= use.options.has('-f') || use.options.has('--force')
      if (words.verb === 'commit') commits++
      else for (const path of use.named.length === 0 ? ['.'] : use.named) added.add(path)
      continue
    }
    if (use?.states !== undefined) moves++
    if (use?.states === 'files') {
      if (use.before === 1) switches.push(revision)
      for (const file of use.named.slice(use.before ?? 0)) files.push(file.replace(/^(?:\.\/)+|\/+$/g, ''))
    } else if (use?.states === 'switch') switches.push(revision)
    else if (use?.states === 'merge') merged.push(revision)
    else if (use?.states !== undefined) stashes.add(use.states)
    else if (!READS.has(words.verb)) return null
  }
  // What a stash is applied to must be what it was made from, and a name must mean the same all along.
  const moved = [...switches, ...merged]
  if (stashes.size > 0 && (moved.length > 0 || records > 0)) return null
  if (merged.length > 0 && records > 0) return null
  if (moved.length > 1 && moved.some((name) => /^HEAD/.test(name))) return null
  const switched = switches.flatMap((name) => afterCommits(name, commits) ?? [])
  if (switched.length < switches.length) return null
  const addedPaths = [...added].map((path) => path.replace(/^(?:\.\/)+|\/+$/g, '') || '.')
  if (addedPaths.some((path) => path.startsWith('/') || path.split('/').includes('..'))) return null
  const untracked = isForced ? 'ignored' : 'new'
  const pending: PendingFiles | null = added.size === 0 ? null : { paths: addedPaths, untracked }
  if (files.length === 0) return { switched, merged, stashes: [...stashes], files: null, added: pending }
  // A name with dots in it may be spelled in another way.
  const isPlain = files.every((file) => !/^\/|(?:^|\/)\.{0,2}(?:\/|$)/.test(file))
  return moves === 1 && isPlain ? { switched, merged, stashes: [], files, added: pending } : null
}

/**
 * The commits that a name may mean after so many commits of the same command, each of which may also have failed. What they
 * hold themselves is in the work tree now. Null if that can’t be told.
 */
function afterCommits(name: string, commits: number): readonly string[] | null {
  if (commits === 0) return [name]
  const [, steps] = /^HEAD(\^|~\d{0,3})?$/.exec(name) ?? [null, null]
  if (steps === null) return null
  const back = steps === undefined ? 0 : Number(steps.slice(1) || 1)
  return Array.from({ length: Math.min(commits, back) + 1 }, (_, made) => `HEAD~${back - made}`)
}

/** Reads the files that say which commits the names mean, so that they are bound to the decision. */
async function bindNames(
  { switched, merged, stashes }: WorkTreeStates,
  folder: string,
  reader: ProjectReader,
): Promise<void> {
  const head = await reader.read('HEAD', folder)
  const branch = head.kind === 'file' ? /^ref: (refs\/[\w./-]+)\s*$/.exec(head.text)?.[1] : undefined
  const names = [...switched, ...merged].flatMap((name) => [`refs/heads/${name}`, `refs/tags/${name}`])
  const all = [
    'packed-refs',
    ...(branch === undefined ? [] : [branch]),
    ...(stashes.length === 0 ? [] : ['refs/stash']),
  ]
  for (const name of new Set([...all, ...names])) await reader.read(name, folder)
}
