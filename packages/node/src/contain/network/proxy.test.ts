import { existsSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { dirname } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hostFilter } from './host-filter.ts'
import { isInOwnNetworks } from './own-networks.ts'
import { type FilteringProxy, openProxy, type ProxyOptions } from './proxy.ts'
import { readHead } from './request-head.ts'

let server: Server
let port: number
const received: IncomingMessage[] = []
beforeAll(async () => {
  server = createServer((request, response) => {
    received.push(request)
    request.resume()
    response.end(request.url === '/large' ? 'x'.repeat(300_000) : 'hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

let proxy: FilteringProxy | undefined
afterEach(() => proxy?.close())

async function open(hosts: readonly string[], options: ProxyOptions = {}): Promise<FilteringProxy> {
  proxy = await openProxy(hosts, options)
  return proxy
}

/** Sends bytes to the proxy, and reads until it closes. */
function talk(socketPath: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path: socketPath })
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      answer += text
    })
    socket.on('error', reject).on('close', () => resolve(answer))
    for (const part of parts) socket.write(part)
  })
}

const get = (host: string, more = ''): string => `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
const tunnel = (host: string): readonly string[] => [
  `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  'GET /tunnel HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
]

describe('the proxy', () => {
  it('passes requests and tunnels to a named host and port', async () => {
    const { socketPath, refused } = await open([`127.0.0.1:${port}`])
    expect(await talk(socketPath, get(`127.0.0.1:${port}`, 'Proxy-Authorization: x\r\n'))).toContain('hello')
    expect(received.at(-1)?.headers).toEqual({ host: `127.0.0.1:${port}`, connection: 'close' })
    expect(await talk(socketPath, ...tunnel(`127.0.0.1:${port}`))).toMatch(/^HTTP\/1.1 200 .*hello/s)
    const address = Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255])
    const request = 'GET /socks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    expect(await talk(socketPath, Buffer.from([5, 1, 0]), address, request)).toMatch(/^\x05\0\x05\0.*hello/s)
    expect(refused()).toEqual([])
  })

  it('sends the host that was checked, not the one in the header', async () => {
    const { socketPath } = await open([`127.0.0.1:${port}`])
    await talk(socketPath, `GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: other.example\r\n\r\n`)
    expect(received.at(-1)?.headers.host).toBe(`127.0.0.1:${port}`)
  })

  it('is on a socket that only its account can reach, and that is gone after closing', async () => {
    const { socketPath, close } = await open([])
    expect(statSync(dirname(socketPath)).mode & 0o777).toBe(0o700)
    await close()
    expect(existsSync(dirname(socketPath))).toBe(false)
  })

  it.each([
    [() => `localhost:${port}`],
    [() => `0x7f.1:${port + 1}`],
    [() => 'evil.example:443'],
    [() => `127.0.0.1.evil.example:${port}`],
    [() => `[::ffff:169.254.169.254]:80`],
    [() => `127.0.0.1:22`],
  ])('refuses and notes what is not named: %s', async (host) => {
    const { socketPath, refused } = await open([`127.0.0.1:${port}`, '*.example.org'])
    const before = received.length
    expect(await talk(socketPath, ...tunnel(host()))).toMatch(/^HTTP\/1.1 403 /)
    expect(refused()).toHaveLength(1)
    expect(received).toHaveLength(before)
  })

  it.each([
    'CONNECT a.example\0.example.org:443 HTTP/1.1\r\n\r\n',
    'CONNECT example.org HTTP/1.1\r\n\r\n',
    'CONNECT user@example.org:443 HTTP/1.1\r\n\r\n',
    'GET /relative HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET https://example.org/ HTTP/1.1\r\n\r\n',
    'GET http://a@example.org/ HTTP/1.1\r\n\r\n',
    'GET http://example.org/ HTTP/1.1\r\nX: a\nHost: b\r\n\r\n',
    'GET http://example.org/ HTTP/1.1\r\n folded: x\r\n\r\n',
    'nonsense\r\n\r\n',
  ])('refuses what other programs could read differently: %j', async (text) => {
    const { socketPath } = await open(['*'])
    expect(await talk(socketPath, Buffer.from(text, 'latin1'))).toMatch(/^HTTP\/1.1 403 /)
  })

  it('is bounded in connections, bytes and time', async () => {
    const { socketPath } = await open([`127.0.0.1:${port}`], { limits: { connections: 1 } })
    const first = connect({ path: socketPath })
    await new Promise((resolve) => first.once('connect', resolve))
    expect(await talk(socketPath, get(`127.0.0.1:${port}`)).catch(() => '')).toBe('')
    first.destroy()
    await expect.poll(() => talk(socketPath, get(`127.0.0.1:${port}`)).catch(() => '')).toContain('hello')
    await proxy?.close()
    const small = await open([`127.0.0.1:${port}`], { limits: { bytes: 100_000 } })
    const cut = await talk(small.socketPath, `GET http://127.0.0.1:${port}/large HTTP/1.1\r\n\r\n`)
    expect(cut.length).toBeLessThan(300_000)
    await small.close()
    const idle = await open([`127.0.0.1:${port}`], { limits: { idleMs: 50 } })
    expect(await talk(idle.socketPath, tunnel(`127.0.0.1:${port}`)[0] ?? '')).toMatch(/^HTTP\/1.1 200 /)
  })

  it('refuses an invalid pattern', async () => {
    await expect(openProxy(['a b'])).rejects.toThrow('is not a host pattern')
  })
})

describe('own networks', () => {
  const interfaces = { eth0: [{ cidr: '203.0.114.7/24' }, { cidr: '2a01:4f8::7/64' }], tun0: [{ cidr: '1.2.3.4/0' }] }

  it.each([
    ['203.0.114.7', true],
    ['203.0.114.9', true],
    ['::ffff:203.0.114.7', true],
    ['2a01:4f8::99', true],
    ['2a01:4f8::99%eth0', true],
    ['203.0.115.7', false],
    ['2a01:4f9::7', false],
    ['a.example', false],
  ])('contain %s: %s', (address, expected) => {
    expect(isInOwnNetworks(address, interfaces)).toBe(expected)
  })
})

describe('the filter', () => {
  const filter = (hosts: readonly string[], addresses: readonly string[]) => hostFilter(hosts, async () => addresses)

  it.each<readonly [readonly string[], string, number, readonly string[], 'allowed' | 'refused']>([
    [['a.example'], 'a.example', 443, ['93.184.216.34'], 'allowed'],
    [['a.example'], 'a.example', 8443, ['93.184.216.34'], 'refused'],
    [['a.example:8443'], 'a.example', 8443, ['93.184.216.34'], 'allowed'],
    [['*.a.example'], 'b.a.example', 80, ['93.184.216.34'], 'allowed'],
    [['*.a.example'], 'a.example', 80, ['93.184.216.34'], 'refused'],
    [['*.a.example'], 'xa.example', 80, ['93.184.216.34'], 'refused'],
    // A name that leads into this network.
    [['a.example'], 'a.example', 443, ['127.0.0.1'], 'refused'],
    [['a.example'], 'a.example', 443, ['93.184.216.34', '10.0.0.1'], 'refused'],
    [['a.example'], 'a.example', 443, ['::ffff:169.254.169.254'], 'refused'],
    [['a.example', '10.0.0.1'], 'a.example', 443, ['10.0.0.1'], 'allowed'],
    [['a.example', '10.0.0.1:22'], 'a.example', 443, ['10.0.0.1'], 'refused'],
    [['a.example'], 'a.example', 443, [], 'refused'],
    [['localhost'], 'localhost', 80, ['::1', '127.0.0.1'], 'allowed'],
    [['*'], 'localhost', 80, ['127.0.0.1'], 'refused'],
    [['*'], '169.254.169.254', 80, [], 'refused'],
    [['*'], '93.184.216.34', 80, [], 'allowed'],
    [['169.254.169.254'], '169.254.169.254', 80, [], 'allowed'],
  ])('%j to %s:%i at %j is %s', async (hosts, host, at, addresses, kind) => {
    expect(await filter(hosts, addresses)(host, at)).toMatchObject({ kind })
  })

  it('refuses names and addresses of this machine, whatever its addresses are', async () => {
    const own = Object.values(networkInterfaces()).flatMap((one) => (one ?? []).map(({ address }) => address))
    expect(own).not.toEqual([])
    for (const address of own) {
      expect(await filter(['a.example'], [address])('a.example', 443)).toMatchObject({ kind: 'refused' })
      expect(await filter(['*'], [])(address, 443)).toMatchObject({ kind: 'refused' })
    }
  })
})

it('reads the host of a request in its one spelling', () => {
  expect(readHead('CONNECT EXAMPLE.org.:443 HTTP/1.1')).toEqual({ kind: 'connect', host: 'example.org', port: 443 })
  expect(readHead('CONNECT 0x7f.1:80 HTTP/1.1')).toEqual({ kind: 'connect', host: '127.0.0.1', port: 80 })
})
