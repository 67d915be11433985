import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf, lstatOf } from './look.ts'

const MOST_BYTES = 1_048_576
const RUNS = /^[ \t]*(?:x|exec)(?:\s|$)/m
const OF_WORKTREE = ['commondir', 'gitdir', 'config.worktree', 'modules']

/** What git obeys deeper in a repository's folder: data of linked worktrees, and commands that a rebase would run. */
export function deeperParts(folder: string): readonly string[] {
  const worktrees = worktreesOf(folder)
  const parts = worktrees.flatMap((at) => OF_WORKTREE.map((part) => join(at, part)))
  return [...parts.filter((path) => lstatOf(path) !== undefined), ...commandLists([folder, ...worktrees])]
}

/** What a run added there that git would obey. A worktree as git makes it is harmless. */
export function newDeeperParts(folder: string, known: ReadonlySet<string>): readonly string[] {
  const worktrees = worktreesOf(folder)
  const made = worktrees.flatMap((at) => {
    const common = join(at, 'commondir')
    if (!known.has(common) && textOf(common)?.trim() !== '../..') return [at]
    return ['config.worktree', 'modules'].map((part) => join(at, part)).filter((path) => lstatOf(path) !== undefined)
  })
  const isLink = lstatOf(join(folder, 'worktrees'))?.isSymbolicLink() === true
  return [...made, ...(isLink ? [join(folder, 'worktrees')] : []), ...commandLists([folder, ...worktrees])]
}

function worktreesOf(folder: string): readonly string[] {
  const parent = join(folder, 'worktrees')
  const folders = (entriesOf(parent) ?? []).filter((entry) => entry.isDirectory())
  return folders.map(({ name }) => join(parent, name))
}

function commandLists(folders: readonly string[]): readonly string[] {
  const lists = folders.map((folder) => join(folder, 'rebase-merge', 'git-rebase-todo'))
  return lists.filter((path) => lstatOf(path) !== undefined && RUNS.test(textOf(path) ?? 'exec'))
}

/** The text of a small file; null for anything else. */
function textOf(path: string): string | null {
  const stats = lstatOf(path)
  if (!stats?.isFile() || stats.size > MOST_BYTES) return null
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
