import type { MaybePromise } from './maybe-promise.ts'

/** The state of a target at one moment: bound into the request, and compared again before the effect. A type, so that it is `Json`. */
export type TargetState = {
  /** The path as the call named it. */
  readonly given: string
  /** Where it really leads: the deepest existing ancestor's real path plus the rest. */
  readonly real: string
  readonly type: 'file' | 'directory' | 'other' | 'absent'
  /** SHA-256 of the content, `stat:…` past the byte budget, `absent`, or the literal `unbound`. */
  readonly content: string
}

/** Facts about a path for people to read. A link is described itself, not its target. */
export interface TargetFacts {
  readonly type: 'file' | 'directory' | 'link' | 'other' | 'absent'
  readonly bytes: number
  /** Permission bits, such as 0o755. */
  readonly mode: number
  /** How many names a file has; absent: one. */
  readonly names?: number
  /** The target of a link, as written. */
  readonly leads?: string
}

/** The content of a folder, counted up to a bound. Links count as files and are not followed. */
export interface TargetTree {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  /** The first names in it, folders with a trailing slash. */
  readonly listed: readonly string[]
  /** Folders that this account may not list; their content is not counted. */
  readonly unread: number
  /** False when the bound stopped the count: there is more. */
  readonly complete: boolean
}

/** A name in a folder. A link is described itself, not its target. */
export interface TargetEntry {
  readonly name: string
  readonly type: Exclude<TargetFacts['type'], 'absent'>
}

/** What is at a real path. A link is not followed. The text is missing if the file is binary, too large or can't be read. */
export type TargetText =
  | { readonly type: 'file'; readonly bytes: number; readonly text?: string }
  | { readonly type: Exclude<TargetFacts['type'], 'file'> }

/** Read access to the file system. Nothing here has an effect. */
export interface Targets {
  /** Follows symlinks of the deepest existing ancestor and appends the rest. `~` is the account's home. */
  resolve(path: string, cwd: string): MaybePromise<string>
  /** The absolute real path of a program as `cwd` and PATH would find it; undefined when there is none. */
  program(name: string, cwd: string): MaybePromise<string | undefined>
  /** The state of a target for binding: its content by hash up to `budget` bytes, otherwise by stat. */
  look(path: string, cwd: string, budget: number): Promise<TargetState>
  /** The text of a file for a preview; undefined when absent, binary, or larger than `maxBytes`. */
  readText(path: string, cwd: string, maxBytes: number): Promise<string | undefined>
  /** What is at a path whose folder is known to be real, with the text of a file up to `maxBytes`. */
  readEntry(real: string, maxBytes: number): MaybePromise<TargetText>
  /** What is at a path right now. */
  facts(path: string, cwd: string): MaybePromise<TargetFacts>
  /** The entries of a folder; undefined when it can't be listed or has more than `most`. */
  list(path: string, cwd: string, most: number): MaybePromise<readonly TargetEntry[] | undefined>
  /**
   * The names in an archive, in its order; undefined if it is larger than `maxBytes`, can't be read in one way only, or has
   * anything but plain files and folders in it. Absent: archives can't be read.
   */
  members?(real: string, format: 'tar' | 'zip', maxBytes: number): Promise<readonly string[] | undefined>
  /** Counts the content of a folder, up to `most` entries and for a limited time, and lists the first `listed` names. */
  tree(path: string, cwd: string, most: number, listed: number): Promise<TargetTree>
}
