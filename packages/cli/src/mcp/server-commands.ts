import { URL_VARIABLE } from '@countersign/mcp'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { nested } from '../nested-command.ts'
import type { Io } from '../terminal/io.ts'
import { addProxyFlags, collect } from './proxy/flags.ts'
import type { SignInFlags } from './sign-in/sign-in.ts'
import type { EditFlags } from './wrap/edit-clients.ts'

/** The commands below `countersign mcp`. Each loads its code only when it runs. */
export function defineServerCommands(command: Command, io: Io): void {
  defineWrap(nested(command, 'wrap', 'put the servers of a client behind the gate'), io)
  defineUnwrap(nested(command, 'unwrap', 'undo `wrap`, byte for byte'), io)
  defineTools(nested(command, 'tools', 'list accepted and quarantined tools'), io)
  defineAccept(nested(command, 'accept', 'review what a server changed, and accept it'), io)
  defineForget(nested(command, 'forget', 'withdraw the acceptance of tools'), io)
  defineTrust(nested(command, 'trust', 'trust a server’s read-only hints'), io)
  defineSignIn(nested(command, 'sign-in', 'sign in to an HTTP server, for the proxy'), io)
  defineSignOut(nested(command, 'sign-out', 'delete a sign-in and revoke its tokens'), io)
}

const SERVER_ARGUMENT = 'the name of the server in policies'

function defineWrap(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp wrap cursor', 'show the changes, then ask'],
    ['countersign mcp wrap --all --dry-run', 'only show the changes, for every client found'],
    ['countersign mcp wrap codex --server docs --yes', 'one server, without asking'],
    ['countersign mcp wrap cursor --hold pending --deny-method "sampling/*"', 'with flags of `countersign mcp`'],
  ])
  addEditFlags(command).option('--server <name>', 'only this server; repeatable', collect)
  addProxyFlags(command)
    .option(
      '--launcher <program>',
      'the program that starts Countersign (default: this installation; `countersign` in project files)',
    )
    .option('--allow-unstable-path', 'allow this copy’s path even if it is a clone or a cache (for development)')
    .action(async (client: string | undefined, flags: EditFlags) =>
      (await import('./wrap/edit-clients.ts')).wrapClients(client, flags, io),
    )
}

function defineUnwrap(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp unwrap cursor', 'restore its configuration byte for byte'],
    ['countersign mcp unwrap --all --dry-run', 'only show the changes'],
    ['countersign mcp unwrap cursor --server docs', 'one server, even if its gate was added by hand'],
  ])
  addEditFlags(command)
    .option('--server <name>', 'only this server, even if `wrap` has no record of it; repeatable', collect)
    .action(async (client: string | undefined, flags: EditFlags) =>
      (await import('./wrap/edit-clients.ts')).unwrapClients(client, flags, io),
    )
}

function addEditFlags(command: Command): Command {
  return command
    .argument('[client]', 'claude-code, cursor, codex, …; or `--all` for every client found')
    .option('--all', 'every client found')
    .option('--dry-run', 'show the changes without making them')
    .option('--yes', 'do not ask')
    .option('--account-home <dir>', 'the home folder with the clients’ configuration (default: the account’s)')
}

function defineTools(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp tools', 'every known server and its tools'],
    ['countersign mcp tools github', 'the tools of one server'],
  ])
  command
    .argument('[server]', SERVER_ARGUMENT)
    .action(async (server: string | undefined) => (await import('./tools/list.ts')).listTools(server, io))
}

function defineAccept(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp accept github', 'show everything in quarantine, then ask'],
    ['countersign mcp accept github create_issue', 'one tool only'],
  ])
  command
    .argument('<server>', SERVER_ARGUMENT)
    .argument('[tools...]', 'only these; also signs a tool that was pinned at first contact')
    .action(async (server: string, tools: readonly string[]) =>
      (await import('./tools/accept.ts')).acceptShown(server, tools, io),
    )
}

function defineForget(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp forget github delete_repo', 'this tool goes into quarantine when it is listed next'],
    ['countersign mcp forget github', 'start over: the next contact counts as the first'],
  ])
  command
    .argument('<server>', SERVER_ARGUMENT)
    .argument('[tools...]', 'only these')
    .action(async (server: string, tools: readonly string[]) =>
      (await import('./tools/forget.ts')).forget(server, tools, io),
    )
}

function defineTrust(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp trust github', 'use its `readOnlyHint` from now on'],
    ['countersign mcp trust github --untrust', 'undo it'],
  ])
  command
    .argument('<server>', SERVER_ARGUMENT)
    .option('--untrust', 'stop trusting its hints')
    .action(async (server: string, flags: { readonly untrust?: true }) =>
      (await import('./tools/trust.ts')).trustServer(server, flags.untrust === true, io),
    )
}

function defineSignIn(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp sign-in https://mcp.example/mcp', 'open the sign-in page and wait until you are done'],
    ['countersign mcp sign-in https://mcp.example/mcp --no-open', 'only print the link'],
    [
      'countersign mcp sign-in https://mcp.example/mcp --scope "notes:read"',
      'request this scope instead of the one the server proposes',
    ],
  ])
  command
    .argument('[url]', `the URL of the server, as in \`--url\` (if it contains a secret: ${URL_VARIABLE})`)
    .option('--client-id <id>', 'an OAuth client that you registered (its secret: COUNTERSIGN_MCP_CLIENT_SECRET)')
    .option('--issuer <url>', 'the authorization server to use, by its issuer URL; no other is used')
    .option(
      '--allow-host <name>',
      'another host that the sign-in may use, besides the issuer’s; repeatable',
      (name: string, before: readonly string[] | undefined) => [...(before ?? []), name],
    )
    .option('--scope <scopes>', 'scopes to request, separated by spaces (default: as the server proposes)')
    .option('--port <number>', 'the local port for the redirect (default: a free one)')
    .option('--wait <duration>', 'how long to wait for you', '5m')
    .option('--no-open', 'do not open a browser')
    .action(async (url: string | undefined, flags: SignInFlags) =>
      (await import('./sign-in/sign-in.ts')).signIn(url, flags, io),
    )
}

function defineSignOut(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign mcp sign-out https://mcp.example/mcp', 'the proxy loses its access to this server'],
  ])
  command
    .argument('[url]', `the URL that was signed in to (or ${URL_VARIABLE})`)
    .action(async (url: string | undefined) => (await import('./sign-in/sign-out.ts')).signOut(url, io))
}
