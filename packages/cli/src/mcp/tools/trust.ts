import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'

/** `countersign mcp trust`: believe a server when it says that a tool only reads. */
export function defineTrust(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp trust github', 'its `readOnlyHint` counts from now on'],
    ['countersign mcp trust github --untrust', 'take it back'],
  ])
  command
    .argument('<server>', 'the name of the server in policies')
    .option('--untrust', 'no longer believe it')
    .action(async (server: string, flags: { readonly untrust?: true }) =>
      (await import('./trust-server.ts')).trustServer(server, flags.untrust === true, io),
    )
}
