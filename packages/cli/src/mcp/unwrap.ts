import type { Command } from 'commander'
import { addExamples } from '../examples.ts'
import type { Io } from '../io.ts'
import type { EditFlags } from './edit-clients.ts'
import { addEditFlags } from './wrap.ts'

/** `countersign mcp unwrap`: takes the servers of a client out of the gate again. */
export function defineUnwrap(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp unwrap cursor', 'its configuration is what it was, byte for byte'],
    ['countersign mcp unwrap --all --dry-run', 'only show it'],
  ])
  addEditFlags(command).action(async (client: string | undefined, flags: EditFlags) =>
    (await import('./edit-clients.ts')).unwrapClients(client, flags, io),
  )
}
