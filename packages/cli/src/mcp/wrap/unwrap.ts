import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'
import { collect } from '../proxy/flags.ts'
import type { EditFlags } from './edit-clients.ts'
import { addEditFlags } from './wrap.ts'

/** `countersign mcp unwrap`: takes the servers of a client out of the gate again. */
export function defineUnwrap(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp unwrap cursor', 'its configuration is what it was, byte for byte'],
    ['countersign mcp unwrap --all --dry-run', 'only show it'],
    ['countersign mcp unwrap cursor --server docs', 'one server, also when its gate was made by hand'],
  ])
  addEditFlags(command)
    .option('--server <name>', 'only this server, also one that `wrap` has no record of; may be given again', collect)
    .action(async (client: string | undefined, flags: EditFlags) =>
      (await import('./edit-clients.ts')).unwrapClients(client, flags, io),
    )
}
