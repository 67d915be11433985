import { request as requestPlain } from 'node:http'
import { createServer, type RequestOptions, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { CERTIFICATE, trustCertificate } from '@countersign/testing/notify/certificate'
import { describe, expect, it, onTestFinished } from 'vitest'

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A proxy that ends TLS and passes everything on unchanged, `Host` included: as Caddy and `tailscale serve` do. */
async function openProxy() {
  trustCertificate()
  let to = ''
  const server = createServer({ cert: CERTIFICATE.cert, key: CERTIFICATE.key }, (incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    const passed = requestPlain(new URL(url, to), { method: method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const publicUrl = new URL(`https://localhost:${(server.address() as AddressInfo).port}`)
  return {
    publicUrl,
    lead(url: string) {
      to = url
    },
  }
}

/** One request; the answer up to `enough`, since a stream does not end. */
function send(url: URL, options: RequestOptions, body = '', enough = ''): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, async (answer) => {
      let text = ''
      for await (const part of answer as AsyncIterable<Buffer>) {
        text += part.toString()
        if (enough !== '' && text.includes(enough)) break
      }
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('the inbox behind a proxy that ends TLS', () => {
  it('signs a phone in with a secure cookie, streams to it, and refuses other names', async () => {
    const { publicUrl, lead } = await openProxy()
    const { service } = await openServiceWorld({ publicUrl })
    lead(service.url)
    const { link } = service.link()
    expect(link.startsWith(`${publicUrl.origin}/#ticket=`)).toBe(true)
    const at = (path: string): URL => new URL(path, publicUrl)
    const ticket = new URL(link).hash.slice('#ticket='.length)
    const headers = { origin: publicUrl.origin, 'content-type': 'application/json' }
    const signed = await send(at('/api/v1/sign-in'), { method: 'POST', headers }, JSON.stringify({ ticket }))
    const [cookie = ''] = signed.headers['set-cookie'] as readonly string[]
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
    const [session = ''] = cookie.split(';')
    const me = await send(at('/api/v1/me'), { headers: { cookie: session } })
    expect(JSON.parse(me.text)).toMatchObject({ publicUrl: publicUrl.origin })
    const stream = await send(at('/api/v1/stream'), { headers: { cookie: session } }, '', 'event: snapshot')
    expect(stream.status).toBe(200)
    const foreign = { servername: 'localhost', headers: { cookie: session, host: 'gate.evil.example' } }
    expect((await send(at('/api/v1/me'), foreign)).status).toBe(421)
    const forged = { method: 'POST', headers: { ...headers, origin: 'https://evil.example', cookie: session } }
    expect((await send(at('/api/v1/notifications/browsers'), forged, '{}')).status).toBe(403)
    expect((await send(at('/api/v1/me'), {})).status).toBe(401)
  })
})
