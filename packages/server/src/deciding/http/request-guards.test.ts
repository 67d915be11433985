import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { openServiceWorld, rawAnswer } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { guard, originsOf } from './request-guards.ts'
import { CONTENT_SECURITY_POLICY } from './security-headers.ts'

/** One request with exactly these bytes, on its own connection. */
async function send(head: (port: number) => readonly string[], body = '') {
  const { port } = await openServiceWorld()
  const answer = await rawAnswer(port, `${[...head(port), 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return { status: Number(answer.slice(9, 12)), answer }
}

const POST = 'POST /api/v1/sign-in HTTP/1.1'
const JSON_TYPE = 'Content-Type: application/json'

describe('before any route, the service', () => {
  it.each<[string, number, (port: number) => readonly string[]]>([
    ['a rebound host name', 421, (port) => ['GET /api/v1/held HTTP/1.1', `Host: evil.example:${port}`]],
    ['the right host without its port', 421, () => ['GET /api/v1/held HTTP/1.1', 'Host: localhost']],
    ['the right host on another port', 421, () => ['GET / HTTP/1.1', 'Host: localhost:1']],
    ['0.0.0.0', 421, (port) => ['GET / HTTP/1.1', `Host: 0.0.0.0:${port}`]],
    ['a missing Host', 400, () => ['GET /api/v1/held HTTP/1.1']],
    ['a missing Host under HTTP/1.0', 400, () => ['GET /api/v1/held HTTP/1.0']],
    ['an empty Host', 400, () => ['GET / HTTP/1.1', 'Host:']],
    [
      'another host in the request line',
      421,
      (port) => ['GET http://evil.example/api/v1/held HTTP/1.1', `Host: localhost:${port}`],
    ],
    [
      'the stream under a rebound host name',
      421,
      (port) => ['GET /api/v1/stream HTTP/1.1', `Host: evil.example:${port}`],
    ],
    ['a write without Origin', 403, (port) => [POST, `Host: localhost:${port}`, JSON_TYPE, 'Content-Length: 0']],
    [
      'a write from another origin',
      403,
      (port) => [POST, `Host: localhost:${port}`, JSON_TYPE, 'Origin: http://evil.example', 'Content-Length: 0'],
    ],
    [
      'a write from the null origin',
      403,
      (port) => [POST, `Host: localhost:${port}`, JSON_TYPE, 'Origin: null', 'Content-Length: 0'],
    ],
    [
      'a write from our origin with another scheme',
      403,
      (port) => [POST, `Host: localhost:${port}`, JSON_TYPE, `Origin: https://localhost:${port}`, 'Content-Length: 0'],
    ],
    [
      'a cross-site write (Sec-Fetch-Site)',
      403,
      (port) => [
        POST,
        `Host: localhost:${port}`,
        JSON_TYPE,
        `Origin: http://localhost:${port}`,
        'Sec-Fetch-Site: cross-site',
        'Content-Length: 0',
      ],
    ],
    [
      'a cross-site read (Sec-Fetch-Site)',
      403,
      (port) => ['GET /api/v1/held HTTP/1.1', `Host: localhost:${port}`, 'Sec-Fetch-Site: cross-site'],
    ],
    [
      'a form post',
      415,
      (port) => [
        POST,
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        'Content-Type: application/x-www-form-urlencoded',
        'Content-Length: 0',
      ],
    ],
    [
      'JSON as plain text',
      415,
      (port) => [
        POST,
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        'Content-Type: text/plain',
        'Content-Length: 0',
      ],
    ],
    [
      'a body declared too large',
      413,
      (port) => [
        POST,
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        JSON_TYPE,
        `Content-Length: ${1024 * 1024 + 1}`,
      ],
    ],
  ])('refuses %s (A17)', async (_, status, head) => {
    expect((await send(head)).status).toBe(status)
  })

  it.each([
    ['another site', 'Sec-Fetch-Site: cross-site'],
    ['another port of this machine', 'Sec-Fetch-Site: same-site'],
    ['another site in a browser without Sec-Fetch-Site', 'Referer: https://evil.example/'],
  ])('opens the list, not the call, for a link from %s (A5)', async (_, header) => {
    const of = (path: string) => send((port) => [`GET ${path} HTTP/1.1`, `Host: localhost:${port}`, header])
    const call = await of('/held/3f2a91c0%2Fb')
    expect([call.status, /^location: (.*)$/im.exec(call.answer)?.[1]?.trim()]).toEqual([
      303,
      '/?linked=%2Fheld%2F3f2a91c0%252Fb',
    ])
    for (const path of ['/tools', '/batch/x']) expect((await of(path)).status).toBe(303)
    for (const path of ['/', '/?linked=%2Fheld%2Fx', '/sign-in']) expect((await of(path)).status).toBe(200)
  })

  it.each(['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: none', 'Accept: */*'])(
    'opens a call for a navigation of its own, typed, or by a program (%s)',
    async (header) => {
      expect((await send((port) => ['GET /held/x HTTP/1.1', `Host: localhost:${port}`, header])).status).toBe(200)
    },
  )

  it('refuses a chunked body that grows too large (A31)', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
    const { status } = await send(
      (port) => [
        POST,
        `Host: localhost:${port}`,
        `Origin: http://localhost:${port}`,
        JSON_TYPE,
        'Transfer-Encoding: chunked',
      ],
      `${chunk.repeat(17)}0\r\n\r\n`,
    )
    expect(status).toBe(413)
  })

  it('answers no preflight, and allows no origin to read', async () => {
    const { status, answer } = await send((port) => [
      'OPTIONS /api/v1/held HTTP/1.1',
      `Host: localhost:${port}`,
      'Origin: http://evil.example',
      'Access-Control-Request-Method: POST',
    ])
    expect(status).toBe(403)
    expect(answer.toLowerCase()).not.toContain('access-control-')
  })

  it('serves the inbox as it was at start, whatever is changed on disk since (A16)', async () => {
    const inbox = temporaryFolder()
    writeFileSync(join(inbox, 'index.html'), '<p>ours</p>')
    const { service } = await openServiceWorld({ inbox })
    writeFileSync(join(inbox, 'index.html'), '<p>theirs</p>')
    writeFileSync(join(inbox, 'more.js'), 'evil()')
    expect(await (await fetch(service.url)).text()).toBe('<p>ours</p>')
    expect((await fetch(`${service.url}/more.js`)).status).toBe(404)
  })

  it('sends the strict headers with every response, also refusals', async () => {
    const { service } = await openServiceWorld()
    for (const path of ['/', '/api/v1/held', '/nothing.js']) {
      const { headers } = await fetch(`${service.url}${path}`)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
    }
    expect(CONTENT_SECURITY_POLICY).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
    )
  })

  it('is reachable only on loopback', async () => {
    const { port } = await openServiceWorld()
    const { networkInterfaces } = await import('node:os')
    const outside = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4')
    if (outside === undefined) return // a machine without a network has no other address
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect(port, outside.address)
      socket.on('connect', () => {
        socket.destroy()
        resolve(false)
      })
      socket.on('error', () => resolve(true))
    })
    expect(refused).toBe(true)
  })
})

describe('a default port', () => {
  const reached = async (port: number, host: string, publicUrl?: URL) => {
    const app = new Hono().use('*', guard(originsOf(port, publicUrl))).all('*', (c) => c.text('in'))
    return (await app.request(`http://${host}/x`, { headers: { host } })).status
  }

  it.each<[number, string, number]>([
    [80, 'localhost', 200],
    [80, 'localhost:80', 200],
    [80, '127.0.0.1', 200],
    [80, 'evil.example', 421],
    [4180, 'localhost:4180', 200],
    [4180, 'localhost', 421],
    [4180, 'gate.example', 200],
    [4180, 'gate.example:443', 200],
    [4180, 'gate.example:80', 421],
  ])('can be omitted: port %d, Host `%s` gets %d', async (port, host, status) => {
    expect(await reached(port, host, new URL('https://gate.example'))).toBe(status)
  })

  it('has the origin that browsers send', () => {
    expect([...originsOf(80).origins]).toContain('http://localhost')
  })
})
