/** A file that a command would run, as it was when the call was judged. */
export interface SeenFile {
  /** The absolute real path. */
  readonly path: string
  /** SHA-256 of the content; null if the file was not read: too large, binary, or not a plain file. */
  readonly sha256: string | null
  /** It was only asked for something that turned out not to matter: nothing of it is run or obeyed. */
  readonly consulted?: true
}

/** The files that a command runs, as they were when it was judged. The commands in them are parts of its decomposition. */
export interface SeenThrough {
  readonly files: readonly SeenFile[]
  /** Real paths that would be run or loaded if they existed. */
  readonly absent: readonly string[]
  /** Real paths of folders in which a new file could be loaded in place of another. */
  readonly folders?: readonly string[]
}
