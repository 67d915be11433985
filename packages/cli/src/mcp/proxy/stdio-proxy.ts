import { safeText } from '@countersign/core'
import {
  type Catalogue,
  openChildLink,
  openHttpLink,
  openUpstream,
  type ServerLink,
  startRelay,
} from '@countersign/mcp'
import { INSIDE } from '@countersign/node'
import { type Io, say } from '../../terminal/io.ts'
import { clientOutput } from './client-streams.ts'
import { containedServer } from './contained-server.ts'
import {
  definitionsOf,
  MAX_LINE_BYTES,
  type ServeOptions,
  type ServerContext,
  SIGNALS,
  serverBearer,
  withServerContext,
} from './server-context.ts'

/** Runs a server behind the gate for the client on stdin and stdout, until either of them ends. */
export function relayServer(options: ServeOptions, given: Io): Promise<void> {
  return withServerContext(options, given, async (context) => {
    const { io, opened } = context
    const catalogue = context.newCatalogue()
    const gatekeeper = context.gatekeeper(opened.gate, catalogue)
    const relay = startRelay({
      input: io.stdin,
      output: clientOutput(io),
      link: await linkTo(options, context, catalogue),
      gatekeeper,
      maxLineBytes: MAX_LINE_BYTES,
    })
    for (const signal of SIGNALS) process.on(signal, relay.stop)
    const end = await relay.done
    for (const signal of SIGNALS) process.off(signal, relay.stop)
    await gatekeeper.close()
    if (end.by === 'server') {
      say(io, `countersign: ${safeText(end.why)}`)
      io.exit(end.exitCode ?? 1)
    }
  })
}

async function linkTo(
  { server, label, contain }: ServeOptions,
  context: ServerContext,
  catalogue: Catalogue,
): Promise<ServerLink> {
  const { io, serverStderr } = context
  if ('url' in server) {
    const upstream = openUpstream(server.url, server.headers, serverBearer(server.url, context))
    return openHttpLink({ upstream, maxMessageBytes: MAX_LINE_BYTES, definitionOf: definitionsOf(catalogue) })
  }
  return openChildLink({
    ...(contain === undefined ? server : await containedServer(server, contain, context.opened)),
    cwd: io.cwd,
    env: { ...io.env, [INSIDE]: `mcp ${label}` },
    maxLineBytes: MAX_LINE_BYTES,
    ...(serverStderr === undefined ? {} : { words: serverStderr }),
  })
}
