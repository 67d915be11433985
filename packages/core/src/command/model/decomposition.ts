/** A word, as far as it is known without running anything. */
export interface CommandWord {
  readonly text: string
  /**
   * The decoded value; null when only the shell would know it. `$HOME` becomes `~` and `$PWD` becomes `.`, so that the
   * word is still a path.
   */
  readonly value: string | null
  /** True when the shell would expand it against file names. */
  readonly glob: boolean
  /** The position of `text` in the command; undefined for code inside a word. */
  readonly at?: number | undefined
  /** For an unknown word that `find` fills in: a pattern for all its possible values. */
  readonly like?: string
}

export interface Redirection {
  readonly operator: string
  /** null when the target is not literal. A here-document's or here-string's body is not a path and is not listed. */
  readonly target: string | null
  /** True when the target is a pattern: part of it is unknown, such as a date, or it is one of several files. */
  readonly glob?: boolean
  /** Its position in the command; undefined for code inside a word. */
  readonly span?: { readonly start: number; readonly end: number } | undefined
}

/** The streams a part is connected to. Equal numbers are the same stream; 0 is none. */
export interface PartFlow {
  /** Its standard input. */
  readonly input: number
  /** Its standard output. */
  readonly output: number
  /** The output of the substitutions in its words; their input from it (`>(…)`) is the negative number. */
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
   * The literal base name of the program; null when it is unknown; empty when nothing runs (only assignments or
   * redirections).
   */
  readonly program: string | null
  /** The program as written (may be a path); null as above. */
  readonly path: string | null
  readonly args: readonly CommandWord[]
  /** Set for this command, or by it (`export`); `env` and `sudo` pass theirs to the inner part. */
  readonly assignments: readonly PartAssignment[]
  /** Its own, and those of the groups and loops around it. Copies of descriptors (`2>&1`) are not listed. */
  readonly redirections: readonly Redirection[]
  /**
   * The wrappers around it, outermost first: `sudo`, `bash -c`, `find -exec`, `$(…)`, `<(…)`, `function f`, and `$x` for
   * what would run if an unknown first word were empty.
   */
  readonly via: readonly string[]
  /**
   * The folder it runs in: empty for the call's own, a path (relative ones start at the call's own folder; `~` is the
   * home) after a literal `cd`, null when unknown.
   */
  readonly cwd: string | null
  /** Standard input: known text, unknown data, or nothing. It may be code. */
  readonly stdin:
    | { readonly kind: 'none' }
    | { readonly kind: 'literal'; readonly text: string }
    | { readonly kind: 'piped' }
  readonly flow?: PartFlow
  /** True for a function or an alias that the source defines: what it runs is a separate part. */
  readonly defined?: boolean
  /** The text of the script it runs, when the same source wrote it literally. */
  readonly script?: string | undefined
  readonly text: string
  readonly span: { readonly start: number; readonly end: number }
}

/** `odd-text` is a note: unusual characters in quoted text only. */
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

/** Every simple command that a shell command would run, and the problems found on the way. */
export interface Decomposition {
  readonly parts: readonly CommandPart[]
  readonly problems: readonly CommandProblem[]
}
