/**
 * The server behind every contender: minimal, on stdio or over HTTP, so that the contender dominates the measurement.
 * Its tools return as many letters as requested.
 * Run as: node server-child.ts [http]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTo } from './answer-to.ts'

if (process.argv[2] === 'http') serveHttp()
else servePipe()

function servePipe(): void {
  let rest = ''
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    const answers = lines.map(answerTo).filter((answer) => answer !== null)
    if (answers.length > 0) process.stdout.write(`${answers.join('\n')}\n`)
  })
}

function serveHttp(): void {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = answerTo(Buffer.concat(chunks).toString('utf8'))
      if (answer === null) response.writeHead(202).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`)
  })
  process.stdin.resume().on('end', () => process.exit(0))
}
