/** A policy file, or a file of own knowledge, and its layer. */
export interface PolicyFile {
  readonly layer: 'managed' | 'user' | 'project'
  /** A file of the folder `knowledge`; absent: a policy file. */
  readonly form?: 'knowledge'
  /** Shown to people in messages. */
  readonly name: string
  readonly text: string
  /** Only for the project's layer: a person has trusted exactly this content. */
  readonly trusted: boolean
  /** Why it could not be read; its text is then empty. */
  readonly unreadable?: string
}

/** The policy files of every layer. */
export interface PolicyFiles {
  /** Changes when any file may have changed. Cheap enough for every call. */
  version(): string
  /** Reads every policy file; one that cannot be read is `unreadable`. */
  read(): Promise<readonly PolicyFile[]>
}
