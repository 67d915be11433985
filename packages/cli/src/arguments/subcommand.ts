import type { Command } from 'commander'
import type { Io } from '../terminal/io.ts'

/** A subcommand of `countersign`. Each has its own folder and is loaded on first use. */
export interface Subcommand {
  readonly name: string
  readonly summary: string
  /** Adds options, arguments, examples and action; name and summary are already set. */
  define(command: Command, io: Io): void
}
