import { URL_VARIABLE } from '@countersign/mcp'
import type { Command } from 'commander'
import { addExamples } from '../../arguments/help-examples.ts'
import type { Io } from '../../terminal/io.ts'
import type { SignInFlags } from './authorize.ts'

/** `countersign mcp sign-in`: a person signs in to a server over HTTP, and the proxy uses it. */
export function defineSignIn(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp sign-in https://mcp.example/mcp', 'opens the page, and waits until you are done there'],
    ['countersign mcp sign-in https://mcp.example/mcp --no-open', 'only prints the link'],
    [
      'countersign mcp sign-in https://mcp.example/mcp --scope "notes:read"',
      'asks for this much, not for what the server proposes',
    ],
  ])
  command
    .argument('[url]', `the address of the server, as in \`--url\` (one with a secret in it: ${URL_VARIABLE})`)
    .option('--client-id <id>', 'a client that you registered there (its secret: COUNTERSIGN_MCP_CLIENT_SECRET)')
    .option('--issuer <address>', 'who gives the tokens, as they call themselves: nobody else is asked')
    .option(
      '--allow-host <name>',
      'another host that the sign-in may be at, besides its issuer’s; may be given again',
      (name: string, before: readonly string[]) => [...before, name],
      [] as readonly string[],
    )
    .option('--scope <scopes>', 'what to ask for, with blanks between (default: what the server proposes)')
    .option('--port <number>', 'the port of this machine that the browser comes back to (default: a free one)')
    .option('--wait <duration>', 'how long to wait for you', '5m')
    .option('--no-open', 'open no browser')
    .action(async (url: string | undefined, flags: SignInFlags) =>
      (await import('./authorize.ts')).signIn(url, flags, io),
    )
}
