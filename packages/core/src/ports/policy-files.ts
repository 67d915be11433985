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
  /** Results of parsing, kept from one process to the next. Absent: every process parses. */
  readonly parsed?: ParsedFiles
  /** Keeps the text of every policy that was in force, for audits. Absent: only hashes are known later. */
  readonly versions?: PolicyVersions
}

/** Texts of policies by their hash: the SHA-256 of a text is the hash that calls record. Never throws. */
export interface PolicyVersions {
  keep(hash: string, text: string): void
}

/** Sealed results of parsing files, by the hash of everything they depend on. Never throws. */
export interface ParsedFiles {
  /** Differs between any two programs that could parse a file differently. */
  readonly program: string
  get(key: string): Uint8Array | undefined
  put(key: string, sealed: Uint8Array): void
}
