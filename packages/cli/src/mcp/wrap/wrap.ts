import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'
import { addProxyFlags, collect } from '../proxy/flags.ts'
import type { EditFlags } from './edit-clients.ts'

/** `countersign mcp wrap`: puts the servers of a client behind the gate. */
export function defineWrap(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp wrap cursor', 'show what would change, then ask'],
    ['countersign mcp wrap --all --dry-run', 'only show it, for every client that is found'],
    ['countersign mcp wrap codex --server docs --yes', 'one server, without asking'],
    ['countersign mcp wrap cursor --hold pending --deny-method "sampling/*"', 'with flags of `countersign mcp`'],
  ])
  addEditFlags(command).option('--server <name>', 'only this server; may be given again', collect)
  addProxyFlags(command)
    .option('--launcher <program>', 'what starts Countersign there (default: this one; `countersign` in project files)')
    .action(async (client: string | undefined, flags: EditFlags) =>
      (await import('./edit-clients.ts')).wrapClients(client, flags, io),
    )
}

/** The flags of `wrap` and `unwrap`. */
export function addEditFlags(command: Command): Command {
  return command
    .argument('[client]', 'claude-code, cursor, codex, …; `--all` for every one that is found')
    .option('--all', 'every client that is found')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'do not ask')
    .option('--account-home <dir>', 'the home folder that clients keep their configuration in (default: the account’s)')
}
