import { CountersignError, parseDuration, safeText } from '@countersign/core'
import { HEADERS_VARIABLE, readAddress, URL_VARIABLE } from '@countersign/mcp'
import { addExamples } from '../examples.ts'
import type { Io } from '../io.ts'
import type { Subcommand } from '../subcommand.ts'
import { listenPlace, listenServer } from './listen-server.ts'
import { relayServer, type ServeOptions, type ServerPlace } from './relay-server.ts'
import { defineServerCommands } from './server-commands.ts'
import { serverLabel } from './server-label.ts'
import { serverHeaders } from './url-server.ts'

interface McpFlags {
  readonly name?: string
  readonly hold?: string
  readonly holdLimit?: string
  readonly denyMethod?: readonly string[]
  readonly workspace?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly listen?: string
  readonly allowHost?: readonly string[]
  readonly elicit?: string
}

/** `countersign mcp`: an MCP server behind the gate. */
export const command: Subcommand = {
  name: 'mcp',
  summary: 'put an MCP server behind the gate',
  define(command, io) {
    addExamples(command, [
      ['countersign mcp -- npx -y @modelcontextprotocol/server-filesystem .', 'as the command of a client’s server'],
      ['countersign mcp --name files --hold pending -- my-server', 'for a client that gives up after a minute'],
      ['countersign mcp --deny-method "sampling/*" -- my-server', 'the server may not use the client’s model'],
      ['countersign mcp --url https://mcp.example/mcp', 'a server over HTTP, for a client that starts programs'],
      ['countersign mcp --listen 4190 --url https://mcp.example/mcp', 'a server over HTTP, for clients over HTTP'],
    ])
    command
      .argument('[server...]', 'the command that starts the server')
      .option('--name <label>', 'what policies call the server: its tools are `label/tool` (default: from the command)')
      .option(
        '--hold <mode>',
        '`block` keeps the client waiting, `pending` answers in time and is asked again',
        'block',
      )
      .option(
        '--hold-limit <duration>',
        'keep the client waiting at most this long, such as 50s (default: by the client)',
      )
      .option('--deny-method <name>', 'a method, or a glob, that does not pass; may be given again', collect)
      .option('--workspace <dir>', 'the folder the agent works in (default: the current one)')
      .option('--url <address>', `the server is over HTTP, at this address (one with a secret in it: ${URL_VARIABLE})`)
      .option(
        '--header <name: value>',
        `sent to that server; may be given again (secrets: ${HEADERS_VARIABLE})`,
        collect,
      )
      .option('--listen <[host:]port>', 'clients come over HTTP, too; on loopback unless a host is named')
      .option('--allow-host <name>', 'a name by which clients may call a listening proxy; may be given again', collect)
      .option('--elicit <mode>', '`show` has the client show its person where a call is held; decides nothing', 'off')
      .usage('[options] -- <server...>')
      .passThroughOptions()
      .action((words: readonly string[], flags: McpFlags) => {
        const options = optionsOf(words, flags, io)
        if (flags.listen === undefined && flags.allowHost !== undefined)
          throw new CountersignError('CS_USAGE', '`--allow-host` needs `--listen`: nobody calls it by a name else')
        return flags.listen === undefined
          ? relayServer(options, io)
          : listenServer(options, listenPlace(flags.listen, flags.allowHost ?? []), io)
      })
    defineServerCommands(command, io)
  },
}

function optionsOf(words: readonly string[], flags: McpFlags, io: Io): ServeOptions {
  const server = placeOf(words, flags, io)
  return {
    server,
    label: serverLabel(flags.name, 'url' in server ? [readAddress(server.url).hostname] : words),
    hold: {
      mode: modeOf(flags.hold),
      ...(flags.holdLimit === undefined ? {} : { limitMs: limitOf(flags.holdLimit) }),
    },
    denied: flags.denyMethod ?? [],
    elicit: elicitOf(flags.elicit),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
  }
}

function placeOf(words: readonly string[], flags: McpFlags, io: Io): ServerPlace {
  const [program, ...args] = words
  const { header } = flags
  const url = flags.url ?? (program === undefined ? io.env[URL_VARIABLE] : undefined)
  if (url === undefined && header !== undefined)
    throw new CountersignError('CS_USAGE', '`--header` needs `--url`: a command gets no headers')
  if (url !== undefined && program !== undefined)
    throw new CountersignError(
      'CS_USAGE',
      'a server has an address or a command; leave out `--url` or what follows `--`',
    )
  if (url !== undefined) return { url, headers: serverHeaders(header ?? [], io) }
  if (program === undefined)
    throw new CountersignError('CS_USAGE', 'name the server’s command after `--`, or its address with `--url`')
  return { command: program, args }
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function modeOf(text: string | undefined): 'block' | 'pending' {
  if (text === 'block' || text === 'pending') return text
  throw new CountersignError('CS_USAGE', `\`--hold\` is block or pending; \`${safeText(text ?? '')}\` is neither`)
}

/** INVARIANT: L3, no client decides for a person: there is no `decide` (ADR 0031). */
function elicitOf(text: string | undefined): 'off' | 'show' {
  if (text === undefined || text === 'off' || text === 'show') return text ?? 'off'
  throw new CountersignError('CS_USAGE', `\`--elicit\` is off or show; \`${safeText(text)}\` is neither`)
}

function limitOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null) return ms
  throw new CountersignError('CS_USAGE', `\`${safeText(text)}\` is no duration; write 50s, 5m or 2h`)
}
