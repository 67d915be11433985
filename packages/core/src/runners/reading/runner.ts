import type { CommandPart, Inside, Origin, RepositoryChanges } from '../../command/model/decomposition.ts'
import type { BinFolder } from './bin-folders.ts'
import type { ProjectFile, ProjectReader } from './project-reader.ts'

/** Something that a file of the project makes a command run. */
export interface Run {
  /** Shell code, or exact words. */
  readonly code: string | readonly string[]
  readonly origin: Origin
  /** The folder it runs in: as `CommandPart.cwd`. */
  readonly cwd: string | null
  /** Folders that PATH is extended with, first first: `node_modules/.bin`. */
  readonly bins?: readonly BinFolder[]
  /** The shell that runs the code; `sh` if absent. */
  readonly shell?: string
  /** The code runs in the shell that goes on after it, which it may change. */
  readonly sourced?: true
  /** Shown instead of the code, for code in another language. */
  readonly text?: string
}

/** What a runner finds. */
export interface Found {
  readonly runs: readonly Run[]
  /** What can't be read or followed, in short clauses. */
  readonly opaque: readonly string[]
  /** Settings that can’t be read and may name programs: at least medium. */
  readonly held?: readonly string[]
  /** Only settings were read: what the program itself does is not proven by them. */
  readonly settings?: true
  /** Where the program itself was found, if not through PATH. */
  readonly program?: string
  /** What a git command changes. */
  readonly repository?: RepositoryChanges | undefined
  /** The files that a git command lists. */
  readonly listed?: Inside['listed']
  /** Where the remotes of a git command lead. */
  readonly remotes?: Inside['remotes'] | undefined
  /** Names of the variables of the command that were taken into account. */
  readonly variables?: readonly string[]
  /** The code is in the command itself, and loads nothing of the project. */
  readonly alone?: true
  /** Python may load compiled copies of its modules, which are not read. */
  readonly cached?: true
  /** Every file of the project that it loads was read, but for the commands in `runs`: no other one can be loaded. */
  readonly exact?: true
}

/** A part and the means to look into what it runs. */
export interface RunnerInput {
  readonly part: CommandPart
  readonly program: string
  /** The absolute folder the part runs in. */
  readonly folder: string
  readonly reader: ProjectReader
  /** Folders before PATH. */
  readonly bins: readonly BinFolder[]
  /** All parts of the command that was called. */
  readonly parts: readonly CommandPart[]
}

/** Finds what one program runs of the project; null if this command runs nothing of it. */
export type Runner = (input: RunnerInput) => Promise<Found | null>

/** Nothing more than a reason why nothing could be found. */
export function unclear(why: string): Found {
  return { runs: [], opaque: [why] }
}

/** Collects what a runner finds. */
export class Finds implements Found {
  readonly runs: Run[] = []
  readonly opaque: string[] = []
  readonly held: string[] = []

  add(other: Found): void {
    this.runs.push(...other.runs)
    this.opaque.push(...other.opaque)
    this.held.push(...(other.held ?? []))
  }
}

/** Collects what settings make a program run. */
export class SettingsFinds extends Finds {
  readonly settings = true
  repository: RepositoryChanges | undefined
  listed: Inside['listed']
  remotes: Inside['remotes'] | undefined
}

/** A word as the shell reads it back. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** The line of a position in a file. */
export function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** A place in a file, as people read it. */
export function placeIn(file: ProjectFile, line: number): Origin {
  return { file: file.shown, line }
}
