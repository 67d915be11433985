/**
 * A client in its own process, to be killed: starts a command or connects to a URL, initializes, calls one tool, and
 * prints the id of the process it started.
 * Run as: node client-child.ts <stage> <tool> <command or URL as JSON>
 */
import { openHttpClient } from './http-client.ts'
import { type Command, initialize, startPeer } from './line-peer.ts'

const [stage = '', tool = '', text = '{}'] = process.argv.slice(2)
const place = JSON.parse(text) as Command | { readonly url: string }
const call = { id: 1, method: 'tools/call', params: { name: tool, arguments: { text: 'x' } } }

if ('url' in place) {
  const client = openHttpClient(place.url)
  if (stage !== 'starting') await client
  if (stage === 'calling') void (await client).ask(call)
} else {
  const peer = startPeer(place)
  process.stdout.write(`${peer.child.pid}\n`)
  if (stage !== 'starting') await initialize(peer)
  if (stage === 'calling') peer.send(call)
}
process.stdout.write('ready\n')
setInterval(() => {}, 1000)
