/** A tool that loads code or commands from files of the project. */
export interface ToolRow {
  readonly names: readonly string[]
  /** First words; absent: whatever they are. */
  readonly verbs?: readonly string[]
  /** The language of its configuration. */
  readonly language: string
  /** Configuration that is code; in JavaScript without the ending. */
  readonly files?: readonly string[]
  /** Configuration that is data, and the keys in it that name code. */
  readonly settings?: readonly string[]
  readonly keys?: readonly string[]
  readonly flags?: readonly string[]
  readonly values?: readonly string[]
  /** Why it can't be seen through at all. */
  readonly opaque?: string
  readonly line: number
}

/** Settings of a repository that name a program, and the verbs of git that run it. */
export interface GitProgramRow {
  readonly names: readonly string[]
  /** Absent: any. */
  readonly verbs?: readonly string[]
  /** The value is not a command, but changes which programs run. */
  readonly refused?: true
  /** The value is a file that git reads, and may print. */
  readonly file?: true
  readonly line: number
}

/** Hooks, and the verbs of git that run them. */
export interface GitHookRow {
  readonly names: readonly string[]
  readonly verbs: readonly string[]
  readonly line: number
}

/** Settings given to git and environment variables, with the values that are harmless; absent: any. */
export interface GitGivenRow {
  readonly names: readonly string[]
  readonly values?: readonly string[]
  readonly line: number
}

/** A use of some verbs of git whose changes are known. */
export interface GitUseRow {
  readonly verbs: readonly string[]
  readonly flags?: readonly string[]
  readonly values?: readonly string[]
  /** One of these must be there. */
  readonly needs?: readonly string[]
  readonly words: 'none' | 'any' | 'paths' | 'moves' | 'key' | 'revision' | 'files' | 'dashed' | 'here'
  /** The content that it takes into the repository: files that its words name, or tracked files that changed. */
  readonly stages?: 'words' | 'changed'
  /** Between which states of the work tree it moves. */
  readonly states?: 'switch' | 'merge' | 'stash' | 'pop' | 'files'
  readonly line: number
}

/** A program that runs the commands in a settings file. */
export interface CommandKeysRow {
  readonly names: readonly string[]
  /** First words; absent: whatever they are. */
  readonly verbs?: readonly string[]
  readonly files: readonly string[]
  /** Options that name another file. */
  readonly options?: readonly string[]
  /** Paths of the values that are commands. */
  readonly keys: readonly string[]
  readonly opaque?: string
  readonly line: number
}

/** A program that takes its own commands from a file. */
export interface CommandFileRow {
  readonly names: readonly string[]
  readonly options: readonly string[]
  /** Files that are loaded on every start. */
  readonly startup?: readonly string[]
  /** The command line with the same effect as one line. */
  readonly as: string
  readonly matters: string
  readonly blocks?: string
  readonly loads?: string
  readonly line: number
}

/** A key of a Compose service, and the option of `docker run` with the same meaning. */
export interface ComposeKeyRow {
  readonly key: string
  readonly option: string
  readonly values: 'true' | 'host' | 'each'
  /** Only values that match count. */
  readonly matches?: string
  readonly line: number
}

/** A settings file of package managers. */
export interface PackageSettingsRow {
  readonly programs: readonly string[]
  readonly file: string
  /** Settings that leave alone which code a script runs; absent: none. */
  readonly harmless?: readonly string[]
  readonly line: number
}
