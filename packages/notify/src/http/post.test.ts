import { openReceiver } from '@countersign/testing/notify/receiver'
import { describe, expect, it } from 'vitest'
import { addressProblem } from './address-guard.ts'
import { post } from './post.ts'
import { deliveryOf } from './verdict.ts'

const never = new AbortController().signal
const send = (url: string, isPrivateAllowed = false) =>
  post({ url: new URL(url), headers: {}, body: '{}', isPrivateAllowed }, never)

describe('the addresses that a channel may lead to', () => {
  it.each([
    ['hooks.example', '93.184.216.34', false, null],
    ['hooks.example', '10.0.0.1', false, /private network/],
    ['hooks.example', '192.168.1.9', true, null],
    ['hooks.example', '127.0.0.1', false, /private network/],
    ['hooks.example', '::1', false, /private network/],
    ['hooks.example', '::ffff:10.0.0.1', false, /private network/],
    ['hooks.example', '0.0.0.0', false, /private network/],
    ['hooks.example', 'fd00::1', false, /private network/],
    ['hooks.example', 'fe80::1', false, /private network/],
    ['hooks.example', '100.64.0.1', false, /private network/],
    ['hooks.example', '169.254.169.254', true, /never contacted/],
    ['169.254.169.254', '169.254.169.254', true, /never contacted/],
    ['localhost', '127.0.0.1', false, null],
    ['localhost', '::1', false, null],
    ['localhost', '10.0.0.1', true, /does not resolve to this machine/],
    ['[::1]', '[::1]', false, null],
  ])('%s at %s, private allowed %s', (host, address, isAllowed, problem) => {
    const found = addressProblem(host, address, isAllowed)
    if (problem === null) expect(found).toBeNull()
    else expect(found).toMatch(problem)
  })
})

describe('a POST to a channel', () => {
  it.each([
    ['http://hooks.example/x', /only https/],
    ['https://10.1.2.3/x', /private network/],
    ['https://[fd00::1]/x', /private network/],
    ['ftp://localhost/x', /only https/],
  ])('is not sent to %s', async (url, why) => {
    expect(await send(url)).toMatchObject({ kind: 'refused', why: expect.stringMatching(why) })
  })

  it('is not sent to a name that contains the address of this machine', async () => {
    const refused = { kind: 'refused', why: expect.stringContaining('private network') }
    expect(await send('https://app.127-0-0-1.sslip.io/x')).toMatchObject(refused)
  })

  it('reads only the start of an endless answer', async () => {
    const server = await openReceiver()
    server.answer('endless')
    const posted = await send(server.url)
    expect(posted).toMatchObject({ kind: 'answer', status: 200 })
    expect(posted.kind === 'answer' ? posted.text.length : 0).toBe(4_096)
  })

  it('ends when it is aborted, and names what failed', async () => {
    const server = await openReceiver()
    server.answer('hang')
    const stop = new AbortController()
    const posted = post({ url: new URL(server.url), headers: {}, body: '{}', isPrivateAllowed: false }, stop.signal)
    await expect.poll(() => server.got.length).toBe(1)
    stop.abort()
    expect(await posted).toEqual({ kind: 'unreachable', why: 'no answer in time' })
    await server.close()
    expect(await send(server.url)).toEqual({ kind: 'unreachable', why: 'not reachable (ECONNREFUSED)' })
  })

  it('needs a certificate that is trusted', async () => {
    const server = await openReceiver('https')
    const { getCACertificates, setDefaultCACertificates } = await import('node:tls')
    const trusted = getCACertificates('default')
    setDefaultCACertificates(getCACertificates('bundled'))
    try {
      expect(await send(server.url)).toMatchObject({
        kind: 'unreachable',
        why: expect.stringMatching(/SELF_SIGNED|VERIFY/),
      })
    } finally {
      setDefaultCACertificates(trusted)
    }
    expect(server.got).toEqual([])
  })
})

describe('an answer', () => {
  const rules = { gone: [410], isPatient: false }
  it.each([
    [200, 'sent'],
    [204, 'sent'],
    [301, 'failed'],
    [400, 'failed'],
    [401, 'failed'],
    [408, 'again'],
    [410, 'gone'],
    [429, 'again'],
    [500, 'again'],
    [100, 'failed'],
  ])('of %i means %s', (status, kind) => {
    expect(deliveryOf({ kind: 'answer', status, retryAfter: null, text: '' }, rules, 0).kind).toBe(kind)
  })

  it.each([
    ['5', 5_000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 10_000],
    ['99999999', 300_000],
    ['-1', null],
    ['soon', null],
  ])('may ask to wait %s', (retryAfter, afterMs) => {
    const delivery = deliveryOf({ kind: 'answer', status: 503, retryAfter, text: '' }, rules, 0)
    expect(delivery).toMatchObject({ kind: 'again', afterMs })
  })
})
