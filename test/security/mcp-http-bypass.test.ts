import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type OutgoingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { until } from '@countersign/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type HttpPeer, startHttpRelay } from '../mcp/support/http-peers.ts'
import { openRelayHome, type RelayHome } from '../mcp/support/relay-home.ts'

const POLICY = `version: 1
rules:
  - { tool: "*/echo", supervision: automatic, up_to: critical }
  - { tool: "*/note", supervision: confirm }
`
const MARK = 'smuggled'
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const callOf = (name: string, text: string) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: { text }, _meta: META },
  })
const NOTE = callOf('note', MARK)
const headersOf = (name: string, method = 'tools/call'): OutgoingHttpHeaders => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
})

interface Sent {
  readonly body?: string | Buffer
  readonly headers?: OutgoingHttpHeaders
  readonly method?: string
  readonly path?: string
}

/** Requests that never reach a server over HTTP. */
const REFUSED: readonly (readonly [name: string, sent: Sent])[] = [
  ['a header that names another tool', { headers: headersOf('echo') }],
  ['a header that names another method', { headers: headersOf('note', 'ping') }],
  ['a header with the name in capitals', { headers: headersOf('NOTE') }],
  ['two name headers', { headers: { ...headersOf('note'), 'mcp-name': ['echo', 'note'] } }],
  ['a batch', { body: `[${NOTE}]` }],
  ['two methods', { body: NOTE.replace('"method"', '"method":"ping","method"') }],
  ['two names', { body: NOTE.replace('"name":"note"', '"name":"echo","name":"note"') }],
  ['a call with a field that is not shown', { body: NOTE.replace('"name"', '"extra":{"really":"all"},"name"') }],
  ['a forged request state', { body: NOTE.replace('"name"', '"requestState":"forged","name"') }],
  ['an id beyond the safe integers', { body: NOTE.replace('"id":1', '"id":9007199254740993') }],
  ['a call that is a notification', { body: NOTE.replace('"id":1,', '') }],
  ['invalid UTF-8', { body: Buffer.from(NOTE.replace(MARK, `${MARK}\xff`), 'latin1') }],
  ['two calls in a body', { body: NOTE + NOTE }],
  ['a compressed body', { body: gzipSync(NOTE), headers: { ...headersOf('note'), 'content-encoding': 'gzip' } }],
  ['a call by PUT', { method: 'PUT' }],
  ['a call by PATCH', { method: 'PATCH' }],
  ['a call by GET', { method: 'GET' }],
  ['a call by DELETE', { method: 'DELETE' }],
  ['a foreign host', { headers: { ...headersOf('note'), host: 'evil.example' } }],
  ['a foreign origin', { headers: { ...headersOf('note'), origin: 'http://evil.example' } }],
  ['a tool that is not listed', { body: callOf('wipe', MARK), headers: headersOf('wipe') }],
]

describe('nothing reaches a server over HTTP without asking', () => {
  const bodies: string[] = []
  let root: string
  let home: RelayHome
  let upstream: Server
  let proxy: HttpPeer

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bypass-')))
    home = openRelayHome(root, POLICY)
    upstream = createServer((asked, answer) => {
      const chunks: Buffer[] = []
      asked.on('data', (chunk: Buffer) => chunks.push(chunk))
      asked.on('end', () => {
        const body = Buffer.concat(chunks).toString('latin1')
        bodies.push(body)
        const { id = null, method = '' } = body.startsWith('{') ? JSON.parse(body) : {}
        const tools = ['note', 'echo'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
        const result = method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'ran' }] }
        answer.writeHead(200, { 'content-type': 'application/json' })
        answer.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }))
      })
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    const { port } = upstream.address() as AddressInfo
    proxy = await startHttpRelay(home, 'a', `http://127.0.0.1:${port}/mcp`)
  }, 120_000)

  afterAll(async () => {
    await proxy?.end()
    upstream?.closeAllConnections()
    upstream?.close()
    await home?.close()
    rmSync(root, { recursive: true, force: true })
  }, 60_000)

  afterEach(async () => {
    for (const view of await home.held(0)) await home.decide(view, { kind: 'reject' })
  })

  function send({ body = NOTE, headers = headersOf('note'), method = 'POST', path }: Sent): Promise<string> {
    const url = path === undefined ? proxy.url : new URL(path, proxy.url)
    return new Promise((resolve) => {
      const asked = request(url, { method, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        answer.on('close', () => resolve(`${answer.statusCode} ${text}`))
      })
      asked.on('error', (error) => resolve(`broken: ${error.message}`))
      asked.end(body)
    })
  }

  const reached = () => bodies.filter((body) => body.includes(MARK))

  it('passes allowed messages, as a control for the other tests', async () => {
    expect(await send({ body: callOf('echo', 'hello'), headers: headersOf('echo') })).toContain('ran')
    const asked = send({ body: callOf('note', 'asked') })
    const [view] = await home.held(1)
    expect(bodies.some((body) => body.includes('asked'))).toBe(false)
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    expect(await asked).toContain('ran')
    expect(bodies.some((body) => body.includes('asked'))).toBe(true)
  }, 60_000)

  it.each(REFUSED)('refuses %s', async (_, sent) => {
    expect(await send(sent)).not.toContain('ran')
    expect(await home.held(0)).toEqual([])
    expect(reached()).toEqual([])
  })

  it('holds a call with unrequested input responses, and sends it without them', async () => {
    const asked = send({ body: callOf('note', 'answered').replace('"name"', '"inputResponses":{"a":{}},"name"') })
    const [view] = await home.held(1)
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    expect(await asked).toContain('ran')
    const sent = bodies.filter((body) => body.includes('answered'))
    expect(sent).toHaveLength(1)
    expect(sent.join()).not.toContain('inputResponses')
  })

  it('reports a mismatch of header and body with the protocol’s error code', async () => {
    const answer = await send({ headers: headersOf('echo') })
    expect(answer).toMatch(/^400 /)
    expect(answer).toContain('-32020')
  })

  it('gates a call on any path and with any content type', async () => {
    const paths: readonly Sent[] = ['/', '/other', '//mcp', '/mcp/..%2fmcp'].map((path) => ({ path }))
    const text: Sent = { headers: { ...headersOf('note'), 'content-type': 'text/plain' } }
    for (const sent of [...paths, text]) {
      const answer = send(sent)
      const first = await Promise.race([answer, home.held(1)])
      if (typeof first !== 'string') for (const view of first) await home.decide(view, { kind: 'reject' })
      expect(await answer).not.toContain('ran')
      expect(reached()).toEqual([])
    }
  }, 60_000)

  it('withdraws a held call when the client closes the stream', async () => {
    const asked = request(proxy.url, { method: 'POST', headers: headersOf('note') })
    asked.on('error', () => {})
    asked.end(NOTE)
    await home.held(1)
    asked.destroy()
    await until('nothing to be held', async () => (await home.held(0)).length === 0)
    expect(reached()).toEqual([])
  }, 60_000)

  it('does not run a truncated body', async () => {
    const headers = { ...headersOf('note'), 'content-length': Buffer.byteLength(NOTE) + 1 }
    const asked = request(proxy.url, { method: 'POST', headers })
    asked.on('error', () => {})
    asked.write(NOTE)
    await send({ body: callOf('echo', 'meanwhile'), headers: headersOf('echo') })
    asked.destroy()
    await send({ body: callOf('echo', 'afterwards'), headers: headersOf('echo') })
    expect(await home.held(0)).toEqual([])
    expect(reached()).toEqual([])
  }, 60_000)
})
