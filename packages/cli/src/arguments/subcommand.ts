import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/** One subcommand of `countersign`: a folder of its own, loaded only when it is used. */
export interface Subcommand {
  readonly name: string
  readonly summary: string
  /** Adds its options, arguments, examples and action to a commander `Command` that already has its name and summary. */
  define(command: Command, io: Io): void
}
