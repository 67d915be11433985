/**
 * A client in a process of its own, to be killed: starts the command it is given, shakes hands, asks for one tool, and
 * prints the number of the process it started.
 * Run as: node --conditions=countersign-source client-child.ts <stage> <tool> <command as JSON>
 */
import type { Command } from './line-peer.ts'
import { startPeer } from './line-peer.ts'
import { initialize } from './relay-home.ts'

const [stage = '', tool = '', command = '{}'] = process.argv.slice(2)
const peer = startPeer(JSON.parse(command) as Command)
process.stdout.write(`${peer.child.pid}\n`)
if (stage !== 'starting') {
  await initialize(peer)
  if (stage === 'calling') peer.send({ id: 1, method: 'tools/call', params: { name: tool, arguments: { text: 'x' } } })
}
process.stdout.write('ready\n')
setInterval(() => {}, 1000)
