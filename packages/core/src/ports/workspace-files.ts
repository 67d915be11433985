import type { ChangeKind } from './changes.ts'

/** A file of a workspace as it is now. */
export interface FileState {
  /** Relative to the workspace. */
  readonly path: string
  /** A hash, `stat:…` for a large or unreadable file, `link:…`, `folder`, `other`, or `absent`. */
  readonly content: string
  /** Identity and times; empty where they can't prove that the content stays the same. */
  readonly mark: string
}

/** A file that changed. */
export interface FoundFile extends FileState {
  readonly change: ChangeKind
  /** Whether it was not there before; absent: not known. */
  readonly isNew?: true
}

/** Files that changed since a moment; or why that can't be told, so that all of them may have. */
export type FoundChanges =
  | { readonly kind: 'files'; readonly files: readonly FoundFile[] }
  | { readonly kind: 'unknown'; readonly why: string }

/** A workspace between the start and the end of a run. */
export interface FileWatch {
  /** When it began, in milliseconds of the file system's clock. */
  readonly since: number
  /** What changed until now, without installed code. Never throws. */
  changed(): Promise<FoundChanges>
}

/** Installed or generated folders in which files changed. */
export interface InstalledChanges {
  readonly folders: readonly { readonly path: string; readonly files: number }[]
  /** The time of the last change. */
  readonly until: number
}

/** Which files of a workspace change. Nothing here has an effect. */
export interface WorkspaceFiles {
  /** The time that files changed from now on have at least, in milliseconds of the file system's clock. */
  now(workspace: string): number
  /** Looks at the folders, so that moved and deleted ones are recognised later. */
  watch(workspace: string): Promise<FileWatch>
  /** The same without a look before: moved folders are recognised by their times. */
  changedSince(workspace: string, since: number): Promise<FoundChanges>
  /** Changes in folders of installed or generated code. */
  installedSince(workspace: string, since: number): Promise<InstalledChanges>
  /** The state of these files now. A file whose `mark` is the same is not read again. */
  states(workspace: string, files: readonly FileState[]): Promise<readonly FileState[]>
}
