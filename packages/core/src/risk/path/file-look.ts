import type { TargetFacts } from '../../ports/targets.ts'

/** What is at a path that a command changes or copies, as it was when the call was judged. */
export interface FileLook {
  readonly real: string
  /** What the path itself is: a link counts as a link. */
  readonly type: TargetFacts['type']
  /** What is where it leads. */
  readonly leadsTo: TargetFacts['type']
  /** How many names the file has: with more than one, a write changes a file elsewhere too. */
  readonly names: number
  /** Everything below a folder, relative to it; null if there are links or special files, or too many names. */
  readonly tree?: readonly string[] | null
  /** For the beginning of names: whether nothing begins like that. */
  readonly isFree?: boolean
  /** The members of an archive; null if it can't be read, or has members that are neither plain files nor folders. */
  readonly members?: readonly string[] | null
  /** Whether compiling it reads no other file of the workspace or the person. */
  readonly isPlainSource?: boolean
  /** The files that a patch changes; null if it does more than that. */
  readonly patched?: readonly { readonly names: readonly string[]; readonly isNew: boolean }[] | null
}

/** By `pathKey`. */
export type FileLooks = ReadonlyMap<string, FileLook>

/** A file whose content was read, and must be the same when the call runs. */
export interface BoundFile {
  readonly path: string
  readonly content: string
}

/** INVARIANT: L10, how much of a bound file is read and compared. */
export const BOUND_BYTES = 32 * 1024 * 1024
