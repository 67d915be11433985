/**
 * The minimal proxy between client and server over HTTP: `node:http` on both sides, passing bytes.
 * Run as: node bare-proxy-child.ts <URL>
 */
import { Agent, request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const target = new URL(process.argv[2] ?? '')
const agent = new Agent({ keepAlive: true })
const server = createServer((request, response) => {
  const upstream = ask(target, { method: request.method, headers: { ...request.headers, host: target.host }, agent })
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  upstream.on('error', () => response.destroy())
  request.pipe(upstream)
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
