/** Which files of a work tree to list. */
export interface PendingFiles {
  /** Paths from the top of the work tree, taken literally; empty: all. */
  readonly paths: readonly string[]
  /** Untracked files: none, those that are not ignored, or all. */
  readonly untracked: 'none' | 'new' | 'ignored'
}

/** States of a work tree that a command moves between. */
export interface WorkTreeStates {
  /** Branches, tags or commits that are checked out. */
  readonly switched: readonly string[]
  /** Those that are merged. */
  readonly merged: readonly string[]
  /** Whether changes are put into the stash, or taken out of it. */
  readonly stashes: readonly ('stash' | 'pop')[]
}

/** What of a repository leads out of its own folder. */
export interface RepositoryLinks {
  /** The other repositories that the index names, submodules or not, as paths from the top of the work tree. */
  readonly repositories: readonly string[]
  /** The symbolic links in its folder, as absolute paths. Not those of objects, nor of the repositories of submodules. */
  readonly links: readonly string[]
}

/**
 * Asks git about a repository. Only for repositories whose settings were read: git obeys them, but no others, and runs neither
 * hooks nor a file system monitor.
 */
export interface Repositories {
  /**
   * Files that differ from the index or are untracked, as paths from the top. A folder with a repository of its own ends with
   * a slash. Undefined if git can’t tell, or lists more than the bound.
   */
  pending(top: string, which: PendingFiles): Promise<readonly string[] | undefined>
  /** The files in the index that these path patterns of git match, as paths from the top. Undefined as above. */
  tracked(top: string, patterns: readonly string[]): Promise<readonly string[] | undefined>
  /**
   * Files that differ between the states, what is there now among them. Undefined if git can’t tell, if one of them is a link or
   * a repository, or if a merge would make new content.
   */
  between(top: string, states: WorkTreeStates): Promise<readonly string[] | undefined>
  /** What leads out of a repository, whatever its settings are. `folder` is its `.git`. Undefined as above. */
  links(folder: string): Promise<RepositoryLinks | undefined>
}
