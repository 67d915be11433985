import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { JsonObject } from '@countersign/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runTool } from '../tool-run.fixture.ts'
import { surpriseIn } from './http-request.ts'

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const fetchUrl = async (args: JsonObject, signal?: AbortSignal) => (await runTool('fetch_url', args, '/', signal)).text

describe('fetch_url', () => {
  it('uses GET by default, and returns status and type', async () => {
    const url = await serve((request, answer) =>
      answer.setHeader('content-type', 'text/plain').end(`${request.method} hi`),
    )
    expect(await fetchUrl({ url })).toBe('200 text/plain\nGET hi')
  })

  it('sends a method, headers and a body', async () => {
    const url = await serve((request, answer) => {
      request.setEncoding('utf8').on('data', (body: string) => {
        answer.statusCode = 201
        answer.end(`${request.method} ${request.headers['x-one']} ${body}`)
      })
    })
    expect(await fetchUrl({ url, method: 'POST', headers: { 'x-one': '1' }, body: 'b' })).toBe('201\nPOST 1 b')
  })

  it.each(['GET', 'HEAD', 'OPTIONS'])('sends no body with %s', async (method) => {
    await expect(fetchUrl({ url: 'http://127.0.0.1:1/', method, body: 'b' })).rejects.toThrow(
      `a ${method} request can’t have a body`,
    )
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'frames the body of %s, so that it is not read as a request',
    async (method) => {
      const seen: string[] = []
      const url = await serve((request, answer) => {
        seen.push(`${request.method} ${request.url} ${request.headers['content-length']}`)
        request.resume().on('end', () => answer.end('done'))
      })
      const body = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
      await fetchUrl({ url, method, body })
      expect(seen).toEqual([`${method} / ${body.length}`])
    },
  )

  it('follows redirects on one host and shows them, and names others without following', async () => {
    let elsewhere = 0
    const other = await serve((_, answer) => {
      elsewhere += 1
      answer.end('secret')
    })
    const url = await serve((request, answer) => {
      const to = request.url === '/a' ? '/b' : request.url === '/far' ? other.replace('127.0.0.1', 'localhost') : null
      if (to === null) answer.end('here')
      else answer.writeHead(302, { location: to }).end()
    })
    expect(await fetchUrl({ url: `${url}/a` })).toBe(`redirected to ${url}/b\n200\nhere`)
    expect(await fetchUrl({ url: `${url}/far` })).toMatch(
      /^302 redirects to http:\/\/localhost:\d+\/, which was not followed/,
    )
    expect(await fetchUrl({ url: `${url}/a`, method: 'POST', body: '' })).toContain('was not followed')
    expect(elsewhere).toBe(0)
  })

  it('stops at a redirect loop', async () => {
    const url = await serve((_, answer) => answer.writeHead(302, { location: '/' }).end())
    await expect(fetchUrl({ url })).rejects.toThrow('more than 5 times')
  })

  it('reads at most 1 MiB, and reports binary content', async () => {
    const large = await serve((_, answer) => answer.end('x'.repeat(3 * 1024 * 1024)))
    expect(await fetchUrl({ url: large })).toContain('larger than 1 MiB')
    const bytes = await serve((_, answer) => answer.end(Buffer.from([1, 0, 2])))
    expect(await fetchUrl({ url: bytes })).toBe('200\n[binary, 3 bytes]')
  })

  it('stops when aborted', async () => {
    const abort = new AbortController()
    const url = await serve(() => abort.abort(new Error('told to')))
    await expect(fetchUrl({ url }, abort.signal)).rejects.toThrow('told to')
  })

  it.each(['ftp://host/x', 'file:///etc/passwd', 'not an address'])('refuses %s', async (url) => {
    await expect(fetchUrl({ url })).rejects.toThrow('not an http or https URL')
  })

  it.each([
    ['another host', { Host: 'internal' }],
    ['another content length', { 'content-length': '0' }],
    ['a line break', { 'x-a': 'b\r\nx-c: d' }],
    ['an empty name', { 'x a': 'b' }],
  ])('sends no header with %s', async (_, headers) => {
    await expect(fetchUrl({ url: 'http://127.0.0.1:1/', headers })).rejects.toThrow('cannot be set')
  })

  it.each([
    ['example.com', ['93.184.216.34'], null],
    ['example.com', ['93.184.216.34', '10.0.0.1'], '10.0.0.1'],
    ['example.com', ['127.0.0.1'], '127.0.0.1'],
    ['example.com', ['::1'], '::1'],
    ['example.com', ['::ffff:127.0.0.1'], '::ffff:127.0.0.1'],
    ['example.com', ['169.254.169.254'], '169.254.169.254'],
    ['wiki.internal', ['10.0.0.1'], null],
    ['wiki.internal', ['169.254.169.254'], '169.254.169.254'],
    ['localhost', ['127.0.0.1'], null],
  ])('%s with the addresses %j has the unexpected address %s', (host, addresses, expected) => {
    expect(surpriseIn(host, addresses)).toBe(expected)
  })

  it('counts every address of this machine as unexpected for a public name', () => {
    const own = Object.values(networkInterfaces()).flatMap((one) => (one ?? []).map(({ address }) => address))
    expect(own.filter((address) => surpriseIn('example.com', [address]) === null)).toEqual([])
  })

  it('reports that a host is unreachable', async () => {
    await expect(fetchUrl({ url: 'http://127.0.0.1:1/' })).rejects.toThrow('cannot be reached (ECONNREFUSED)')
  })
})
