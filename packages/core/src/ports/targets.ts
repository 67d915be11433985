/** What a target looked like at one moment: bound into the request, compared again before the effect. */
export interface TargetState {
  /** The path as the call named it. */
  readonly given: string
  /** Where it really leads: the deepest existing ancestor's real path plus the rest. */
  readonly real: string
  readonly type: 'file' | 'directory' | 'other' | 'absent'
  /** SHA-256 of the content, `stat:…` past the byte budget, `absent`, or the literal `unbound`. */
  readonly content: string
}

/** Eyes on the file system. Reads only: nothing here has an effect. */
export interface Targets {
  /** Follows symlinks of the deepest existing ancestor and appends the rest. `~` is the account's home. */
  resolve(path: string, cwd: string): Promise<string>
  /** The absolute real path of a program as `cwd` and PATH would find it; undefined when there is none. */
  program(name: string, cwd: string): Promise<string | undefined>
  /** Looks at a target for binding: its content by hash while `budget` bytes last, then by stat. */
  look(path: string, cwd: string, budget: number): Promise<TargetState>
  /** The text of a file for a preview; undefined when absent, binary, or larger than `maxBytes`. */
  readText(path: string, cwd: string, maxBytes: number): Promise<string | undefined>
}
