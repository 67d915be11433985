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
  /** For an unknown word that `find` or a loop fills in: a pattern for all its possible values. */
  readonly like?: string
  /** Of an exact word: the output of a process substitution, which is no file. */
  readonly pipe?: true
  /** Of an exact word: the words of a git command that lists files, each of which is a word in its place. */
  readonly listed?: readonly string[]
  /** Of an exact word: it stands for any file below it that `find` finds; the patterns for their names, if there are any. */
  readonly below?: readonly string[]
}

export interface Redirection {
  readonly operator: string
  /** null when the target is not literal. A here-document's or here-string's body is not a path and is not listed. */
  readonly target: string | null
  /** True when the target is a pattern: part of it is unknown, such as a date, or it is one of several files. */
  readonly glob?: boolean
  /** The target as written, when it is not literal. */
  readonly text?: string
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
  /** A pattern for the folder, when it is unknown: `../s*h` after `cd ../s*h`. */
  readonly cwdLike?: string
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
  /** Where it is written, for a command found in a file that another part runs. Its span is that part's. */
  readonly origin?: Origin
  /** What was found in the files that it runs; absent: it runs none, or they were not looked at. */
  readonly inside?: Inside
  /** Of a command in a file: the code around it has loops, functions or expansions. */
  readonly intricate?: true
  readonly text: string
  readonly span: { readonly start: number; readonly end: number }
}

/** What the files make a part run. */
export interface Inside {
  /** Indices of the commands found, in the parts of the same decomposition. */
  readonly runs: readonly number[]
  /** What could not be read or followed: short clauses with file and line. Empty: it was seen through whole. */
  readonly opaque: readonly string[]
  /** Settings that can’t be read and may name programs. */
  readonly held?: readonly string[]
  /** Only settings were read: what the program itself does is not proven by them. */
  readonly settings?: true
  /** Where the program itself was found, if a folder of the project comes before PATH. */
  readonly program?: string
  /** Names of variables of the command that were taken into account. */
  readonly variables?: readonly string[]
  /** The code is in the command itself, and loads nothing of the project. */
  readonly alone?: true
  /** Python may load compiled copies of its modules, which were not read. */
  readonly cached?: true
  /** Every file of the project that it loads was read: no other one can be loaded. */
  readonly exact?: true
  /** What a git command changes; absent: not known. */
  readonly repository?: RepositoryChanges
  /** The files that a git command lists, with their real paths: each is one plain word. */
  readonly listed?: readonly { readonly word: string; readonly real: string }[] | undefined
  /** Where the remotes of a git command lead, by the settings of its repository; absent: not known. */
  readonly remotes?: readonly RemotePlace[]
}

/** Where a remote of a repository leads. `other`: by ssh or a protocol that no proxy passes. */
export type RemotePlace =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'other' }

/** The changes of a git command that is known word by word: only the repository's own data, and files that its words name. */
export interface RepositoryChanges {
  /** The real folder that git starts in. */
  readonly folder: string
  /** Absolute paths of the files whose content it takes into the repository. */
  readonly stages: readonly string[]
  /** Absolute real paths of the files of the workspace that it writes. */
  readonly writes: readonly string[]
}

/** A line of a file that a command runs. */
export interface Origin {
  /** The path as people know it: relative to the workspace. */
  readonly file: string
  readonly line: number
}

/**
 * `evaluated` is text that bash evaluates as arithmetic, a variable's name or a prompt, and that is unknown or contains a
 * command. `odd-text` is a note: unusual characters in quoted text only.
 */
export type CommandProblemKind =
  | 'syntax'
  | 'too-long'
  | 'too-deep'
  | 'too-many'
  | 'dynamic'
  | 'evaluated'
  | 'odd-characters'
  | 'odd-text'

export interface CommandProblem {
  readonly kind: CommandProblemKind
  readonly message: string
  readonly span?: { readonly start: number; readonly end: number }
}

/** A file that a command writes literally: `echo 'npm test' > .husky/pre-push`. */
export interface WrittenText {
  /** Relative paths start at the call's own folder; `~` is the home. */
  readonly path: string
  /** The new text, or what is appended to the old one. */
  readonly text: string
}

/** A command as simple commands with exact words: all that it could run, in any order and number. */
export interface ExactCommands {
  readonly parts: readonly CommandPart[]
  /** Some of them run at the same time. */
  readonly isConcurrent: boolean
}

/** Every simple command that a shell command would run, and the problems found on the way. */
export interface Decomposition {
  readonly parts: readonly CommandPart[]
  readonly problems: readonly CommandProblem[]
  /** The last statement runs in the background: it would go on after the command has ended. */
  readonly leavesRunning?: boolean
  /** Files whose new text is known; absent if there are none. */
  readonly written?: readonly WrittenText[]
  /** More than simple commands in lists, pipes, groups and conditions: a loop, a function, an expansion, a background command. */
  readonly intricate?: boolean
  /**
   * For a command that is more than simple commands with literal words, or that changes its folder: the same with exact
   * words, on which its proof rests; null if they are not certain.
   */
  readonly exact?: ExactCommands | null
}
