/** A word as far as it can be known without running anything. */
export interface CommandWord {
  readonly text: string
  /**
   * The decoded value; null when it depends on what only the shell would know. `$HOME` reads `~` and `$PWD` reads `.`,
   * so that such a word is still a path.
   */
  readonly value: string | null
  /** True when the shell would expand it against file names. */
  readonly glob: boolean
  /** Where `text` stands in the command; undefined when it came out of code inside a word. */
  readonly at?: number | undefined
  /** Of an unknown word that `find` fills in: a pattern that all it can be fits. */
  readonly like?: string
}

export interface Redirection {
  readonly operator: string
  /** null when the target is not literal. A here-document's or here-string's body is not a path and is not listed. */
  readonly target: string | null
  /** True when the target is a pattern: it has a piece such as a date, or is one of several files. */
  readonly glob?: boolean
  /** Where it stands in the command; undefined when it came out of code inside a word. */
  readonly span?: { readonly start: number; readonly end: number } | undefined
}

/** Which streams a part is joined to: numbers that mean nothing but being the same. 0 is none. */
export interface PartFlow {
  /** What it reads as standard input. */
  readonly input: number
  /** Where its standard output goes. */
  readonly output: number
  /** What the substitutions in its words print; what they read from it (`>(…)`) is this number made negative. */
  readonly words: number
}

/** A variable set to a value; `text` is the value as written. */
export interface PartAssignment {
  readonly name: string
  readonly value: string | null
  readonly text?: string
}

/** One simple command that would run. */
export interface CommandPart {
  /**
   * The program's base name in its literal spelling; null when it is named by something unknown; the empty text when
   * nothing runs (only assignments or redirections).
   */
  readonly program: string | null
  /** The program as written (may be a path); null as above. */
  readonly path: string | null
  readonly args: readonly CommandWord[]
  /** Set for this command, or by it when it is `export` and its like; `env` and `sudo` pass theirs on to the inner part. */
  readonly assignments: readonly PartAssignment[]
  /** Its own, and those of the groups and loops around it. Copies of descriptors (`2>&1`) are not listed. */
  readonly redirections: readonly Redirection[]
  /**
   * What it was reached through, outermost first: `sudo`, `bash -c`, `find -exec`, `$(…)`, `<(…)`, `function f`, and
   * `$x` for what would run if an unknown first word were empty.
   */
  readonly via: readonly string[]
  /**
   * The folder it runs in: empty for the call's own, a path (relative ones start at the call's own folder; `~` is the
   * home) after a literal `cd`, null when unknown.
   */
  readonly cwd: string | null
  /** Standard input: text known to be fed to it, unknown data, or nothing. Code may arrive here. */
  readonly stdin:
    | { readonly kind: 'none' }
    | { readonly kind: 'literal'; readonly text: string }
    | { readonly kind: 'piped' }
  readonly flow?: PartFlow
  /** True for a function or an alias that the source defines: what it runs is a part of its own. */
  readonly defined?: boolean
  /** The text of the script it runs, when the same source wrote it literally. */
  readonly script?: string | undefined
  readonly text: string
  readonly span: { readonly start: number; readonly end: number }
}

/** `odd-text` is a note: characters that only stand in quoted prose. */
export type CommandProblemKind =
  | 'syntax'
  | 'too-long'
  | 'too-deep'
  | 'too-many'
  | 'dynamic'
  | 'odd-characters'
  | 'odd-text'

export interface CommandProblem {
  readonly kind: CommandProblemKind
  readonly message: string
  readonly span?: { readonly start: number; readonly end: number }
}

/** Every simple command a shell command would run, as far as can be told, and what could not be told. */
export interface Decomposition {
  readonly parts: readonly CommandPart[]
  readonly problems: readonly CommandProblem[]
}
