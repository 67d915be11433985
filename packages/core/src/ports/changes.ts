/** What a gated call did to a file. */
export type ChangeKind = 'written' | 'deleted' | 'moved'

/** A file of a workspace that a gated call changed, as the store keeps it. */
export interface StoredFileChange {
  /** Relative to the workspace. */
  readonly path: string
  readonly kind: ChangeKind
  /** The content after the last recorded change: a hash, `stat:…` for a large file, `link:…`, or `absent`. */
  readonly content: string
  /** Identity and times of the file when it had that content; empty if they are not known. */
  readonly mark: string
  /** The content that a person saw last; null if it is not known. The file is unseen while it has any other. */
  readonly seen: string | null
  /** The name of the backup that has the content seen last; null if there is none. */
  readonly backup: string | null
  /** The call that changed it last, and its agent. */
  readonly call: string
  readonly agent: string
  readonly at: number
}

/** A call that may have changed files of a workspace since `since`, in milliseconds of the file system's clock. */
export interface UnrecordedCall {
  readonly workspace: string
  readonly call: string
  readonly agent: string
  readonly since: number
}

/** A file that one call changed. */
export interface FileChange {
  readonly path: string
  readonly kind: ChangeKind
  readonly content: string
  readonly mark: string
  /** The content before the call; null if it is not known. */
  readonly before: string | null
  /** Whether a person saw this content when they approved the call. */
  readonly seen: boolean
  readonly backup: string | null
  /** It may be what a person had before: it never counts as created by a call. */
  readonly restored?: true
}

/** What one call changed in a workspace. */
export interface RecordedChanges {
  readonly workspace: string
  readonly call: string
  readonly agent: string
  readonly at: number
  readonly files: readonly FileChange[]
  /** Why all files of the workspace count as unseen from now on; null if they do not. */
  readonly everything: string | null
  /** Installed code that changed since then counts as unseen; the earliest time is kept. Null: the call can't have changed it. */
  readonly installedSince: number | null
  /** Keeps the call unrecorded: it may change more. */
  readonly continues?: true
}

/** The state of a file that a person saw. */
export interface SeenFile {
  readonly path: string
  readonly content: string
  readonly mark: string
}

/** Contents of a workspace that a person saw. */
export interface SeenContents {
  readonly workspace: string
  readonly files: readonly SeenFile[]
  /** The call in which they were shown; empty for the desk. */
  readonly call: string
  readonly at: number
  /** Installed code has been seen as it was at this time. */
  readonly installedUntil?: number
  /** Ends a state in which everything counts as unseen. */
  readonly everything?: true
}

/** What the store knows about changed files of a workspace. */
export interface WorkspaceChanges {
  readonly files: readonly StoredFileChange[]
  readonly unrecorded: readonly UnrecordedCall[]
  readonly everything: string | null
  readonly installedSince: number | null
}

/** INVARIANT: L10, beyond so many changed files of a workspace all of its files count as unseen. */
export const MOST_CHANGED_FILES = 20_000
