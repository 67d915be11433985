/** One policy file as found, with the layer it speaks for. */
export interface PolicyFile {
  readonly layer: 'managed' | 'user' | 'project'
  /** Shown to people in messages. */
  readonly name: string
  readonly text: string
  /** Only meaningful for the project's layer: the person has pinned exactly this content. */
  readonly trusted: boolean
}

/** The policy files of every layer, as they are now. */
export interface PolicyFiles {
  /** Changes when any file may have; cheap enough for every call. */
  version(): string
  /** Reads every policy file. Throws CS_POLICY_READ when one exists but cannot be read. */
  read(): Promise<readonly PolicyFile[]>
}
