import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'

/** A repository's data outside the workspace. All paths are real. */
export type GitFolder =
  /** A linked worktree: `common` is shared with others, `own` is this worktree's part of it. */
  | { readonly kind: 'worktree'; readonly common: string; readonly own: string }
  /** A submodule, with its data in the folder of the repository around it. */
  | { readonly kind: 'submodule'; readonly own: string }
  /** The workspace is a folder of a larger repository, at `top`. */
  | { readonly kind: 'around'; readonly top: string }

/**
 * The git data that a workspace needs from outside. SECURITY: a `.git` file is believed only if the folder it names points
 * back to this workspace, so that nobody can be led into another repository.
 */
export function gitFolderOf(workspace: string, home: string): GitFolder | null {
  const entry = lstatSync(join(workspace, '.git'), { throwIfNoEntry: false })
  if (entry?.isDirectory()) return null
  if (entry?.isFile()) return linked(workspace)
  for (let top = dirname(workspace); top !== dirname(top); top = dirname(top)) {
    if (`${home}${sep}`.startsWith(`${top}${sep}`)) return null
    if (lstatSync(join(top, '.git'), { throwIfNoEntry: false })?.isDirectory()) return { kind: 'around', top }
  }
  return null
}

function linked(workspace: string): GitFolder | null {
  try {
    const target = /^gitdir: (.+)\n?$/.exec(readFileSync(join(workspace, '.git'), 'utf8'))?.[1]
    if (target === undefined) return null
    const own = realpathSync.native(resolve(workspace, target))
    if (own.startsWith(`${workspace}${sep}`)) return null
    const back = lstatSync(join(own, 'gitdir'), { throwIfNoEntry: false })
    if (back?.isFile()) {
      const named = readFileSync(join(own, 'gitdir'), 'utf8').trim()
      const common = realpathSync.native(resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim()))
      const isOurs = realpathSync.native(dirname(resolve(own, named))) === workspace
      return isOurs && own.startsWith(`${common}${sep}worktrees${sep}`) ? { kind: 'worktree', common, own } : null
    }
    const worktree = /^\s*worktree = (.+)$/m.exec(readFileSync(join(own, 'config'), 'utf8'))?.[1]
    if (worktree === undefined || !own.includes(`${sep}.git${sep}modules${sep}`)) return null
    return realpathSync.native(resolve(own, worktree)) === workspace ? { kind: 'submodule', own } : null
  } catch {
    return null
  }
}
