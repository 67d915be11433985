import type { Answer } from './maybe-promise.ts'

/** What a target looked like at one moment: bound into the request, compared again before the effect. */
export type TargetState = {
  /** The path as the call named it. */
  readonly given: string
  /** Where it really leads: the deepest existing ancestor's real path plus the rest. */
  readonly real: string
  readonly type: 'file' | 'directory' | 'other' | 'absent'
  /** SHA-256 of the content, `stat:…` past the byte budget, `absent`, or the literal `unbound`. */
  readonly content: string
}

/** What lies at a path, in the figures a person reads. A link is told as itself, not as what it leads to. */
export interface TargetFacts {
  readonly type: 'file' | 'directory' | 'link' | 'other' | 'absent'
  readonly bytes: number
  /** Permission bits, such as 0o755. */
  readonly mode: number
  /** Where a link points, as it is written. */
  readonly leads?: string
}

/** What a folder holds, counted down to a bound. Links are counted as files and not followed. */
export interface TargetTree {
  readonly files: number
  readonly folders: number
  readonly bytes: number
  /** The first names below it, folders with a slash at their end. */
  readonly listed: readonly string[]
  /** Folders that this account may not list: what they hold is not in the count. */
  readonly unread: number
  /** False when the bound stopped the count: there is more. */
  readonly complete: boolean
}

/** Eyes on the file system. Reads only: nothing here has an effect. */
export interface Targets {
  /** Follows symlinks of the deepest existing ancestor and appends the rest. `~` is the account's home. */
  resolve(path: string, cwd: string): Answer<string>
  /** The absolute real path of a program as `cwd` and PATH would find it; undefined when there is none. */
  program(name: string, cwd: string): Answer<string | undefined>
  /** Looks at a target for binding: its content by hash while `budget` bytes last, then by stat. */
  look(path: string, cwd: string, budget: number): Promise<TargetState>
  /** The text of a file for a preview; undefined when absent, binary, or larger than `maxBytes`. */
  readText(path: string, cwd: string, maxBytes: number): Promise<string | undefined>
  /** What lies at a path right now. */
  facts(path: string, cwd: string): Promise<TargetFacts>
  /** Counts what a folder holds, at most `most` entries of it and not for long, and names the first `listed`. */
  tree(path: string, cwd: string, most: number, listed: number): Promise<TargetTree>
}
