import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'

/** `countersign mcp forget`: takes tools out of what was accepted. */
export function defineForget(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp forget github delete_repo', 'this tool is in quarantine when it is listed next'],
    ['countersign mcp forget github', 'the next contact with the server is the first'],
  ])
  command
    .argument('<server>', 'the name of the server in policies')
    .argument('[tools...]', 'only these')
    .action(async (server: string, tools: readonly string[]) =>
      (await import('./forget-tools.ts')).forget(server, tools, io),
    )
}
