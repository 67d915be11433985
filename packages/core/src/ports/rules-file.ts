import type { PolicyFile } from './policy-files.ts'

/** The file of rules that people change through the desk. It loads only with a valid signature. */
export interface RulesFile {
  /** Shown to people in messages. */
  readonly name: string
  /** The file as it is now; null if there is none. Nothing is verified. */
  read(): Promise<string | null>
  /** An earlier version; null if it is not kept. */
  past(seq: number): Promise<string | null>
  /** The number of the newest version that was ever kept; 0 for none. */
  newest(): Promise<number>
  /**
   * Runs `work` while no other process changes the file. A change that another process left unfinished is first completed,
   * if it is in the journal, or dropped.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Replaces the file, only inside `exclusively`. Once `record` is done, the change survives the end of this process. */
  replace(seq: number, text: string, record: () => Promise<void>): Promise<void>
  /** The policy files that count in a workspace; in none without one. */
  filesIn(workspace: string | null): Promise<readonly PolicyFile[]>
}
