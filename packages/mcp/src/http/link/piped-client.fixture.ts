/** A client on two streams, for tests of links to HTTP servers. */
import { PassThrough } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { RelayEnd } from '../../relay/ending.ts'
import { startRelay } from '../../relay/relay.ts'
import { until } from '../../relay/relay-world.fixture.ts'
import type { ServerLink } from '../../relay/server-link.ts'
import type { HttpWorld } from '../http-world.fixture.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { HttpServerOptions } from './streamable-http-link.ts'

export type Answer = { readonly [member: string]: unknown }

const MAX_BYTES = 8 * 1024 * 1024

/** Opens a client in front of a server, for one test. */
export async function openPipedClient(
  world: HttpWorld,
  upstream: Upstream,
  openLink: (server: HttpServerOptions) => ServerLink,
) {
  const { opened, definitionOf } = world
  const gate = await opened.newSession()
  const gatekeeper = world.gatekeeper(gate)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const link = openLink({ upstream, maxMessageBytes: MAX_BYTES, definitionOf })
  const relay = startRelay({ input, output, link, gatekeeper, maxLineBytes: MAX_BYTES })
  let text = ''
  output.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  let end: RelayEnd | undefined
  const done = relay.done.then(async (ended) => {
    end = ended
    await gatekeeper.close()
    await gate.close()
    return ended
  })
  onTestFinished(async () => {
    if (end === undefined) relay.stop()
    await done
  })
  const messages = (): readonly Answer[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Answer)
  const client = {
    input,
    done,
    messages,
    send: (message: object) => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    answer: (id: unknown): Promise<Answer> =>
      until(`an answer to ${String(id)}`, () =>
        messages().find((one) => one['id'] === id && one['method'] === undefined),
      ),
    /** Sends `initialize` and returns the answer. */
    meet(): Promise<Answer> {
      const clientInfo = { name: 'tester', version: '1' }
      client.send({
        id: 'init',
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
      })
      return client.answer('init')
    },
    async initialize() {
      await client.meet()
      client.send({ method: 'notifications/initialized' })
    },
  }
  return client
}
