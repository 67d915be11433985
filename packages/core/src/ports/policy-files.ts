/** One policy file as found, with the layer it speaks for. */
export interface PolicyFile {
  readonly layer: 'managed' | 'user' | 'project'
  /** Shown to people in messages. */
  readonly name: string
  readonly text: string
  /** Only meaningful for the project's layer: the person has pinned exactly this content. */
  readonly trusted: boolean
  /** Why it could not be read: its text is then empty, and nobody knows what it said. */
  readonly unreadable?: string
}

/** The policy files of every layer, as they are now. */
export interface PolicyFiles {
  /** Changes when any file may have; cheap enough for every call. */
  version(): string
  /** Reads every policy file; one that exists but cannot be read is given as `unreadable`. */
  read(): Promise<readonly PolicyFile[]>
}
