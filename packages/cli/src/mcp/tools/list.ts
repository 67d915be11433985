import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'

/** `countersign mcp tools`: what is accepted of each server, and what waits. */
export function defineTools(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp tools', 'every server that was met, and its tools'],
    ['countersign mcp tools github', 'of one server'],
  ])
  command
    .argument('[server]', 'the name of the server in policies')
    .action(async (server: string | undefined) => (await import('./list-tools.ts')).listTools(server, io))
}
