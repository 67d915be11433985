import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'

/** `countersign mcp accept`: a person looks at what a server changed, and lets it be called again. */
export function defineAccept(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp accept github', 'show everything that waits, then ask'],
    ['countersign mcp accept github create_issue', 'of one tool only'],
  ])
  command
    .argument('<server>', 'the name of the server in policies')
    .argument('[tools...]', 'only these; one that was pinned at first contact is then signed')
    .action(async (server: string, tools: readonly string[]) =>
      (await import('./accept-tools.ts')).acceptShown(server, tools, io),
    )
}
