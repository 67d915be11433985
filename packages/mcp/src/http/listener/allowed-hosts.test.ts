import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createHostCheck } from './allowed-hosts.ts'

const asked = (host: string | undefined, origin?: string, localAddress = '127.0.0.1') =>
  ({ headers: { host, origin }, socket: { localAddress } }) as unknown as IncomingMessage

describe('a proxy on loopback', () => {
  const check = createHostCheck('127.0.0.1', 4190)

  it.each(['127.0.0.1:4190', 'localhost:4190', 'LOCALHOST:4190', '[::1]:4190'])('accepts the host %s', (host) => {
    expect(check(asked(host))).toBeNull()
    expect(check(asked(host, `http://${host}`))).toBeNull()
  })

  it.each([undefined, '127.0.0.1', 'localhost:80', 'evil.example:4190', 'localhost.:4190'])(
    'refuses the host %s',
    (host) => {
      expect(check(asked(host))).toContain('--allow-host')
    },
  )

  it.each(['null', 'http://evil.example', 'https://localhost:4190', 'http://localhost:1'])(
    'refuses a page from %s',
    (origin) => {
      expect(check(asked('localhost:4190', origin))).toContain('origin')
    },
  )

  it.each([
    ['cross-site', /origin/],
    ['same-site', /origin/],
    ['same-origin', null],
    ['none', null],
  ])('checks a browser that sends no origin but reports %s', (site, refused) => {
    const request = asked('localhost:4190')
    request.headers['sec-fetch-site'] = site
    if (refused === null) expect(check(request)).toBeNull()
    else expect(check(request)).toMatch(refused)
  })
})

describe('a proxy on all network interfaces', () => {
  const check = createHostCheck('0.0.0.0', 4190, ['Gate.example', 'front.example:8443'])

  it('accepts the address that a connection came in on, and no other', () => {
    expect(check(asked('192.0.2.7:4190', 'http://192.0.2.7:4190', '192.0.2.7'))).toBeNull()
    expect(check(asked('192.0.2.7:4190', undefined, '::ffff:192.0.2.7'))).toBeNull()
    expect(check(asked('192.0.2.8:4190', undefined, '192.0.2.7'))).not.toBeNull()
    expect(check(asked('0.0.0.0:80', undefined, '192.0.2.7'))).not.toBeNull()
    expect(createHostCheck('::', 4190)(asked('[2001:db8::7]:4190', undefined, '2001:db8::7'))).toBeNull()
  })

  it('refuses a page from another address than the one it was reached at', () => {
    expect(check(asked('192.0.2.7:4190', 'http://192.0.2.8:4190', '192.0.2.7'))).not.toBeNull()
  })

  it.each(['gate.example', 'gate.example:4190', 'GATE.example', 'front.example:8443'])(
    'accepts the allowed host %s',
    (host) => {
      expect(check(asked(host, 'https://gate.example'))).toBeNull()
    },
  )

  it.each(['evil.example', 'gate.example:1', 'front.example', 'gate.example.evil'])('refuses the host %s', (host) => {
    expect(check(asked(host))).not.toBeNull()
  })
})
