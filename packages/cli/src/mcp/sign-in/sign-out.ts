import { URL_VARIABLE } from '@countersign/mcp'
import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'

/** `countersign mcp sign-out`: takes away what a sign-in left, here and where it was given. */
export function defineSignOut(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp sign-out https://mcp.example/mcp', 'the proxy is no longer signed in to this server'],
  ])
  command
    .argument('[url]', `the address of the server, as it was signed in to (or ${URL_VARIABLE})`)
    .action(async (url: string | undefined) => (await import('./revoke.ts')).signOut(url, io))
}
