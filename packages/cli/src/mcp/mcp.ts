import { CountersignError } from '@countersign/core'
import { HEADERS_VARIABLE, readServerUrl, serverLabel, URL_VARIABLE } from '@countersign/mcp'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { addBoundsFlags, type BoundsFlags, boundsOf } from '../contain/bounds-flags.ts'
import type { Io } from '../terminal/io.ts'
import { addProxyFlags, collect, type ProxyFlags, readProxyFlags } from './proxy/flags.ts'
import { listenPlace, listenServer } from './proxy/http-proxy.ts'
import type { ServeOptions, ServerPlace } from './proxy/server-context.ts'
import { serverHeaders } from './proxy/server-headers.ts'
import { relayServer } from './proxy/stdio-proxy.ts'
import { defineServerCommands } from './server-commands.ts'

interface McpFlags extends ProxyFlags, BoundsFlags {
  readonly contain?: boolean
  readonly name?: string
  readonly workspace?: string
  readonly url?: string
  readonly header?: readonly string[]
  readonly headerEnv?: readonly string[]
  readonly listen?: string
  readonly allowHost?: readonly string[]
}

/** `countersign mcp`: an MCP server behind the gate. */
export const command: Subcommand = {
  name: 'mcp',
  summary: 'put an MCP server behind the gate',
  define(command, io) {
    addExamples(command, [
      ['countersign mcp -- npx -y @modelcontextprotocol/server-filesystem .', 'as the command of a client’s server'],
      ['countersign mcp --name files --hold pending -- my-server', 'for a client with a one-minute timeout'],
      ['countersign mcp --deny-method "sampling/*" -- my-server', 'the server can’t use the client’s model'],
      ['countersign mcp --contain --read-only -- my-server', 'in the sandbox, with the workspace read-only'],
      ['countersign mcp --url https://mcp.example/mcp', 'an HTTP server, for a client on stdio'],
      ['countersign mcp --listen 4190 --url https://mcp.example/mcp', 'an HTTP server, for HTTP clients'],
    ])
    command
      .argument('[server...]', 'the command that starts the server')
      .option('--name <label>', 'the server’s name in policies; its tools are `label/tool` (default: from the command)')
    addProxyFlags(command)
      .option('--workspace <dir>', 'the folder the agent works in (default: the current one)')
      .option('--contain', 'run the server in the sandbox: it can change only the workspace, and has no network')
    addBoundsFlags(command)
      .option('--url <url>', `the URL of an HTTP server (if it contains a secret: ${URL_VARIABLE})`)
      .option('--header <name: value>', `a header for that server; repeatable (secrets: ${HEADERS_VARIABLE})`, collect)
      .option(
        '--header-env <name: variable>',
        'a header with the value of a variable, such as "Authorization: Bearer TOKEN"; repeatable',
        collect,
      )
      .option('--listen <[host:]port>', 'serve clients over HTTP (default host: 127.0.0.1)')
      .option('--allow-host <name>', 'a host name that clients may use with `--listen`; repeatable', collect)
      .usage('[options] -- <server...>')
      .passThroughOptions()
      .action((words: readonly string[], flags: McpFlags) => {
        const options = optionsOf(words, flags, io)
        if (flags.listen === undefined && flags.allowHost !== undefined)
          throw new CountersignError('CS_USAGE', '`--allow-host` needs `--listen`')
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
    label: serverLabel(flags.name, 'url' in server ? [readServerUrl(server.url).hostname] : words),
    ...readProxyFlags(flags),
    ...containOf(server, flags, io),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
  }
}

const BOUNDS = ['readOnly', 'write', 'read', 'network', 'credentials'] as const

function containOf(server: ServerPlace, flags: McpFlags, io: Io): Pick<ServeOptions, 'contain'> {
  if (flags.contain === true) {
    if ('url' in server)
      throw new CountersignError('CS_USAGE', '`--contain` needs the command of a server: an HTTP server runs elsewhere')
    return { contain: boundsOf(flags, io.cwd) }
  }
  const lone = BOUNDS.find((name) => flags[name] === true || (Array.isArray(flags[name]) && flags[name].length > 0))
  if (lone === undefined) return {}
  throw new CountersignError('CS_USAGE', `\`--${lone === 'readOnly' ? 'read-only' : lone}\` needs \`--contain\``)
}

function placeOf(words: readonly string[], flags: McpFlags, io: Io): ServerPlace {
  const [program, ...args] = words
  const { header, headerEnv } = flags
  const url = flags.url ?? (program === undefined ? io.env[URL_VARIABLE] : undefined)
  const lone = header !== undefined ? '--header' : headerEnv !== undefined ? '--header-env' : undefined
  if (url === undefined && lone !== undefined)
    throw new CountersignError('CS_USAGE', `\`${lone}\` needs \`--url\`: only an HTTP server takes headers`)
  if (url !== undefined && program !== undefined)
    throw new CountersignError('CS_USAGE', 'a server has a URL or a command; leave out `--url` or the words after `--`')
  if (url !== undefined) return { url, headers: serverHeaders(header ?? [], io, headerEnv) }
  if (program === undefined)
    throw new CountersignError('CS_USAGE', 'name the server’s command after `--`, or its URL with `--url`')
  return { command: program, args }
}
