import type { Command } from 'commander'
import { addGlobalFlags } from './program.ts'

/** A command below a subcommand, with the flags that every command takes. */
export function nested(parent: Command, name: string, summary: string): Command {
  return addGlobalFlags(parent.helpCommand(false).command(name).description(summary))
}
