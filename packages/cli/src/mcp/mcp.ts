import { CountersignError } from '@countersign/core'
import { HEADERS_VARIABLE, readAddress, serverLabel, URL_VARIABLE } from '@countersign/mcp'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import type { Io } from '../terminal/io.ts'
import { addProxyFlags, collect, type ProxyFlags, readProxyFlags } from './proxy/flags.ts'
import { listenPlace, listenServer } from './proxy/http-proxy.ts'
import { serverHeaders } from './proxy/server-headers.ts'
import { relayServer, type ServeOptions, type ServerPlace } from './proxy/stdio-proxy.ts'
import { defineServerCommands } from './server-commands.ts'

interface McpFlags extends ProxyFlags {
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
      ['countersign mcp --name files --hold pending -- my-server', 'for a client that gives up after a minute'],
      ['countersign mcp --deny-method "sampling/*" -- my-server', 'the server may not use the client’s model'],
      ['countersign mcp --url https://mcp.example/mcp', 'a server over HTTP, for a client that starts programs'],
      ['countersign mcp --listen 4190 --url https://mcp.example/mcp', 'a server over HTTP, for clients over HTTP'],
    ])
    command
      .argument('[server...]', 'the command that starts the server')
      .option('--name <label>', 'what policies call the server: its tools are `label/tool` (default: from the command)')
    addProxyFlags(command)
      .option('--workspace <dir>', 'the folder the agent works in (default: the current one)')
      .option('--url <address>', `the server is over HTTP, at this address (one with a secret in it: ${URL_VARIABLE})`)
      .option(
        '--header <name: value>',
        `sent to that server; may be given again (secrets: ${HEADERS_VARIABLE})`,
        collect,
      )
      .option(
        '--header-env <name: variable>',
        'sent to it with the value of a variable, such as "Authorization: Bearer TOKEN"; may be given again',
        collect,
      )
      .option('--listen <[host:]port>', 'clients come over HTTP, too; on loopback unless a host is named')
      .option('--allow-host <name>', 'a name by which clients may call a listening proxy; may be given again', collect)
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
    ...readProxyFlags(flags),
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
  }
}

function placeOf(words: readonly string[], flags: McpFlags, io: Io): ServerPlace {
  const [program, ...args] = words
  const { header, headerEnv } = flags
  const url = flags.url ?? (program === undefined ? io.env[URL_VARIABLE] : undefined)
  const lone = header !== undefined ? '--header' : headerEnv !== undefined ? '--header-env' : undefined
  if (url === undefined && lone !== undefined)
    throw new CountersignError('CS_USAGE', `\`${lone}\` needs \`--url\`: a command gets no headers`)
  if (url !== undefined && program !== undefined)
    throw new CountersignError(
      'CS_USAGE',
      'a server has an address or a command; leave out `--url` or what follows `--`',
    )
  if (url !== undefined) return { url, headers: serverHeaders(header ?? [], io, headerEnv) }
  if (program === undefined)
    throw new CountersignError('CS_USAGE', 'name the server’s command after `--`, or its address with `--url`')
  return { command: program, args }
}
