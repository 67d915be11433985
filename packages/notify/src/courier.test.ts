import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openHome } from '@countersign/node'
import { openNtfyServer } from '@countersign/testing/notify/ntfy-server'
import { openPushBrowser, verifyVapid } from '@countersign/testing/notify/push-browser'
import { openReceiver, type Received, type Receiver } from '@countersign/testing/notify/receiver'
import { type SimulatedClock, simulatedClock } from '@countersign/testing/simulated-clock'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import { type Courier, openCourier } from './courier.ts'
import type { NotifiedCall } from './notification/notification.ts'
import { readSubscriptions, subscribe } from './push/subscriptions.ts'
import { makeSecret, makeSigningKey, publicHalf } from './settings/webhook-secrets.ts'
import { notifyStatus } from './status.ts'

const M = 60_000
const SECRET = makeSecret()

interface World {
  readonly home: Home
  readonly clock: SimulatedClock
  readonly reported: readonly string[]
  held: readonly NotifiedCall[]
  /** Whether reading the store fails. */
  isBroken: boolean
  /** Starts the courier, as a service does. */
  start(): Courier
  call(id: string, more?: Partial<NotifiedCall>): NotifiedCall
  /** Lets time pass until something is true. */
  pass(what: string, isDone: () => boolean, step?: number): Promise<void>
}

/** A home with these channels, a simulated clock, and calls that the test holds. */
function openWorld(channels: object, more: object = {}): World {
  const home = openHome(join(temporaryFolder(), 'home'))
  const clock = simulatedClock()
  const reported: string[] = []
  let version = 0
  let held: readonly NotifiedCall[] = []
  let isBroken = false
  if (Object.keys(channels).length > 0 || Object.keys(more).length > 0)
    writeFileSync(home.notify, stringify({ version: 1, channels, ...more }), { mode: 0o600 })
  return {
    home,
    clock,
    reported,
    get held() {
      return held
    },
    get isBroken() {
      return isBroken
    },
    set isBroken(next) {
      isBroken = next
    },
    set held(next) {
      held = next
      version += 1
    },
    start() {
      const courier = openCourier({
        home,
        clock,
        inbox: 'https://gate.example',
        storeVersion: () => version,
        async held() {
          if (isBroken) throw new Error('disk failed')
          return held
        },
        outcomes: async (calls) => new Map(calls.map((id) => [id, 'rejected'])),
        report: (line) => void reported.push(line),
        random: () => 0.5,
      })
      let closed: Promise<void> | undefined
      const close = () => (closed ??= courier.close())
      onTestFinished(close)
      return { ...courier, close }
    },
    call: (id, given = {}) => ({
      id,
      risk: 'high',
      tool: 'deploy',
      agent: 'coder',
      openedAt: clock.now(),
      deadline: clock.now() + 5 * M,
      summary: 'deploys to prod',
      ...given,
    }),
    async pass(what, isDone, step = 500) {
      for (let round = 0; !isDone(); round += 1) {
        if (round > 2_000) throw new Error(`${what} never happened`)
        await clock.advance(step)
        await new Promise((resolve) => setTimeout(resolve, 2)) // the network needs real time
      }
    },
  }
}

const json = ({ body }: Received): Record<string, unknown> => JSON.parse(body.toString()) as Record<string, unknown>
const ntfy = (to: Receiver) => ({ kind: 'ntfy', url: `${to.url}/gate-topic`, token: 'tk_secret' })
const webhook = (to: Receiver) => ({ kind: 'webhook', url: `${to.url}/hook`, secret: SECRET })
const first = <T>(list: readonly T[]): T => {
  const [one] = list
  if (one === undefined) throw new Error('nothing arrived')
  return one
}

/** What the standard asks of a receiver, written from its text. */
function isSigned({ headers, body }: Received, secret: string, now: number): boolean {
  const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
  if (Math.abs(now / 1_000 - Number(timestamp)) > 300) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key)
    .update(`${id}.${timestamp}.${body.toString('utf8')}`)
    .digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((one) => one.split(',', 2))
    .some(([kind, value = '']) => {
      const given = Buffer.from(value, 'base64')
      return kind === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
    })
}

describe('ntfy', () => {
  it('gets risk, tool and a link to exactly that call, and is told what became of it', async () => {
    const server = await openReceiver()
    const world = openWorld({ phone: ntfy(server) })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the notification', () => server.got.length === 1)
    const told = first(server.got)
    expect(told.path).toBe('/')
    expect(told.headers.authorization).toBe('Bearer tk_secret')
    expect(json(told)).toMatchObject({
      topic: 'gate-topic',
      title: 'HIGH deploy',
      message: 'Agent coder · 5 min left',
      priority: 4,
      click: 'https://gate.example/held/call-1',
    })
    world.held = []
    await world.pass('the receipt', () => server.got.length === 2)
    const back = json(server.got[1] ?? told)
    expect(back).toMatchObject({ title: 'deploy: rejected', priority: 1, sequence_id: json(told)['sequence_id'] })
    expect(back['click']).toBeUndefined()
  })

  it('takes each message, and shows the outcome in place of the call, also after failures', async () => {
    const server = await openNtfyServer('gate-topic', 'tk_secret')
    const world = openWorld({ phone: ntfy(server) }, { details: 'summary' })
    world.start()
    const long = 'x'.repeat(5_000)
    world.held = [world.call('call-1', { tool: 'räksmörgås'.repeat(20), summary: long })]
    await world.pass('the message', () => server.messages().length === 1)
    expect(server.messages()[0]).toMatchObject({ priority: 4, click: 'https://gate.example/held/call-1' })
    await world.pass('the reminder', () => server.got.length === 2, 5_000)
    expect(server.messages()).toMatchObject([{ title: expect.stringContaining('still waiting') }])
    world.held = []
    await world.pass('the receipt', () => server.got.length === 3)
    expect(server.messages()).toMatchObject([
      { title: expect.stringContaining(': rejected'), priority: 1, click: null },
    ])
    expect(notifyStatus(world.home).channels[0]).toMatchObject({ sent: 3, dead: 0 })
  })

  it('names a wrong token in the status, and is not asked again', async () => {
    const server = await openNtfyServer('gate-topic', 'tk_another')
    const world = openWorld({ phone: ntfy(server) })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the refusal', () => notifyStatus(world.home).dead.length === 1)
    await world.clock.advance(30_000)
    expect(server.got).toHaveLength(1)
    expect(notifyStatus(world.home).dead[0]?.why).toBe('answered 403')
  })

  it('is reminded before the deadline, and told of many calls together', async () => {
    const server = await openReceiver()
    const world = openWorld({ phone: ntfy(server) })
    world.start()
    world.held = [1, 2, 3, 4, 5].map((at) => world.call(`c${at}`, { risk: at === 2 ? 'critical' : 'low' }))
    await world.pass('the reminder', () => server.got.length === 2, 5_000)
    expect(server.got.map((one) => json(one)['title'])).toEqual(['5 calls are waiting', '5 calls expire soon'])
    expect(json(first(server.got))).toMatchObject({ priority: 5, click: 'https://gate.example/' })
  })
})

describe('webhooks', () => {
  it('are signed by Standard Webhooks, with the same id and bytes on each attempt', async () => {
    const server = await openReceiver()
    const key = makeSigningKey()
    const world = openWorld({ ops: { ...webhook(server), signing_key: key } })
    server.answer(() => ({ status: server.got.length < 3 ? 500 : 204 }))
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('three attempts', () => server.got.length === 3)
    const ids = new Set(server.got.map(({ headers }) => headers['webhook-id']))
    expect(ids.size).toBe(1)
    expect(new Set(server.got.map(({ body }) => body.toString())).size).toBe(1)
    for (const one of server.got) {
      expect(isSigned(one, SECRET, world.clock.now())).toBe(true)
      expect(isSigned(one, makeSecret(), world.clock.now())).toBe(false)
      expect(isSigned({ ...one, body: Buffer.from('{}') }, SECRET, world.clock.now())).toBe(false)
      expect(isSigned(one, SECRET, world.clock.now() + 6 * M)).toBe(false) // replayed later
    }
    const { headers, body } = first(server.got)
    const v1a = /v1a,(\S+)/.exec(String(headers['webhook-signature']))?.[1] ?? ''
    const spki = Buffer.concat([
      Buffer.from('302a300506032b6570032100', 'hex'),
      Buffer.from(publicHalf(key).replace('whpk_', ''), 'base64'),
    ])
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' })
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body.toString()}`)
    expect(verify(null, signed, publicKey, Buffer.from(v1a, 'base64'))).toBe(true)
    await world.pass('its success', () => notifyStatus(world.home).channels[0]?.sent === 1)
  })

  it('are tried until the deadline, and then listed as not delivered', async () => {
    const server = await openReceiver()
    server.answer({ status: 503 })
    const world = openWorld({ ops: webhook(server) }, { reminder: 'off' })
    world.start()
    world.held = [world.call('call-1', { deadline: world.clock.now() + 2 * M })]
    await world.pass('the end', () => notifyStatus(world.home).dead.length === 1, 2_000)
    expect(world.clock.now()).toBeLessThanOrEqual(world.held[0]?.deadline ?? 0)
    expect(server.got.length).toBeGreaterThan(3)
    expect(notifyStatus(world.home)).toMatchObject({
      channels: [{ name: 'ops', dead: 1, waiting: 0, sent: 0 }],
      dead: [{ channel: 'ops', title: 'HIGH deploy', why: expect.stringContaining('answered 503') }],
    })
  })

  it('end at 410, and start again if the channel is added anew', async () => {
    const server = await openReceiver()
    server.answer({ status: 410 })
    const world = openWorld({ ops: webhook(server) })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the end', () => world.reported.length > 0)
    expect(world.reported).toEqual([expect.stringContaining('`ops` has unsubscribed (answered 410)')])
    world.held = [world.call('call-1'), world.call('call-2')]
    await world.clock.advance(10_000)
    expect(server.got).toHaveLength(1)
    expect(notifyStatus(world.home).channels[0]).toMatchObject({ state: 'ended', why: 'answered 410' })
    server.answer({ status: 200 })
    const again = { version: 1, channels: { ops: { ...webhook(server), secret: makeSecret() } } }
    writeFileSync(world.home.notify, stringify(again), { mode: 0o600 })
    await world.pass('the next', () => server.got.length === 2)
  })

  it('leave nothing waiting once their receiver ended the channel', async () => {
    const server = await openReceiver()
    server.answer(() => ({ status: server.got.length === 1 ? 500 : 410 }))
    const world = openWorld({ ops: webhook(server) }, { merge: '1s' })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the first attempt', () => server.got.length === 1)
    world.held = [...world.held, world.call('call-2')]
    await world.pass('the end', () => world.reported.length > 0)
    await world.pass('nothing waiting', () => notifyStatus(world.home).channels[0]?.waiting === 0)
    expect(notifyStatus(world.home).channels[0]).toMatchObject({ state: 'ended' })
  })

  it('follow no redirect', async () => {
    const [server, elsewhere] = [await openReceiver(), await openReceiver()]
    server.answer({ status: 307, headers: { location: `${elsewhere.url}/stolen` } })
    const world = openWorld({ ops: webhook(server) })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the refusal', () => notifyStatus(world.home).dead.length === 1)
    expect(notifyStatus(world.home).dead[0]?.why).toContain('redirect')
    expect(elsewhere.got).toEqual([])
  })

  it('wait as long as the receiver asks, within bounds', async () => {
    const server = await openReceiver()
    server.answer(() => (server.got.length === 1 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200 }))
    const world = openWorld({ ops: webhook(server) }, { reminder: 'off' })
    world.start()
    const began = world.clock.now()
    world.held = [world.call('call-1')]
    await world.pass('the second attempt', () => server.got.length === 2, 1_000)
    expect(world.clock.now() - began).toBeGreaterThanOrEqual(60_000)
  })
})

describe('a channel that hangs', () => {
  it('delays no other channel, and is given up after a while', async () => {
    const [stuck, fine] = [await openReceiver(), await openReceiver()]
    stuck.answer('hang')
    const world = openWorld({ a: webhook(stuck), b: ntfy(fine) })
    world.start()
    world.held = [world.call('call-1')]
    const began = world.clock.now()
    await world.pass('the other', () => fine.got.length === 1)
    expect(world.clock.now() - began).toBeLessThan(20_000) // the first attempt is still waiting
    await world.pass('the second attempt', () => stuck.got.length >= 2, 2_000)
  })

  it('cannot decide, whatever it answers', async () => {
    const server = await openReceiver()
    server.answer({ status: 200, body: JSON.stringify({ decision: 'approve', held: 'call-1', approved: true }) })
    const world = openWorld({ ops: webhook(server) })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the notification', () => server.got.length === 1)
    await world.clock.advance(5_000)
    expect(world.held).toHaveLength(1)
    expect(server.got).toHaveLength(1)
  })
})

describe('after a restart', () => {
  it('a message that was waiting is sent under its id, and one that was sent is not repeated', async () => {
    const [dead, fine] = [await openReceiver(), await openReceiver()]
    dead.answer({ status: 500 })
    const world = openWorld({ a: webhook(dead), b: webhook(fine) }, { reminder: 'off' })
    const before = world.start()
    world.held = [world.call('call-1')]
    await world.pass('both', () => dead.got.length >= 1 && notifyStatus(world.home).channels[1]?.sent === 1)
    await before.close()
    const tried = dead.got.length
    dead.answer({ status: 200 })
    world.start()
    await world.pass('the message', () => notifyStatus(world.home).channels[0]?.sent === 1)
    expect(dead.got.length).toBe(tried + 1)
    expect(new Set(dead.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await world.clock.advance(20_000)
    expect(fine.got).toHaveLength(1)
  })

  it('calls that were held meanwhile are told of together', async () => {
    const server = await openReceiver()
    const world = openWorld({ phone: ntfy(server) })
    world.held = [world.call('a'), world.call('b')]
    await world.clock.advance(60_000)
    world.start()
    await world.pass('the notification', () => server.got.length === 1)
    expect(json(first(server.got))['title']).toBe('2 calls are waiting')
  })
})

describe('settings that cannot be used', () => {
  it('make nobody forget what was told before', async () => {
    const server = await openReceiver()
    const world = openWorld({ ops: webhook(server) }, { reminder: 'off' })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the notification', () => notifyStatus(world.home).channels[0]?.sent === 1)
    const text = readFileSync(world.home.notify, 'utf8')
    writeFileSync(world.home.notify, `${text}more: 1\n`)
    await world.pass('the line', () => world.reported.length > 0)
    writeFileSync(world.home.notify, text)
    await world.clock.advance(20_000)
    expect(server.got).toHaveLength(1)
  })

  it.each([
    ['version: 1\nchanels: {}\n', /^notify\.yaml:2:1: unknown key `chanels`/],
    ['version: 1\nfrom: hihg\n', /^notify\.yaml:2:7: `from`/],
    [
      'version: 1\nchannels:\n  a: { kind: ntfy, url: "http://ntfy.example/t" }\n',
      /3:25: `channels\.a\.url`: must be https/,
    ],
    ['version: 1\nchannels: {\n', /^notify\.yaml:/],
  ])('are one line that names the place, and send nothing', async (text, line) => {
    const world = openWorld({})
    writeFileSync(world.home.notify, text, { mode: 0o600 })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the line', () => world.reported.length > 0)
    await world.clock.advance(10_000)
    expect(world.reported).toEqual([expect.stringMatching(line)])
    expect(notifyStatus(world.home).channels).toEqual([])
  })

  it('never show a secret in that line', async () => {
    const world = openWorld({
      ops: { kind: 'webhook', url: 'https://hooks.example/x', secret: 'whsec_mistyped-secret' },
    })
    world.start()
    await world.pass('the line', () => world.reported.length > 0)
    expect(first(world.reported)).toContain('`channels.ops.secret`')
    expect(first(world.reported)).not.toContain('mistyped-secret')
  })
})

describe('a store that cannot be read', () => {
  it('is reported once, and told of when it can be read again', async () => {
    const server = await openReceiver()
    const world = openWorld({ phone: ntfy(server) })
    world.isBroken = true
    world.start()
    world.held = [world.call('call-1')]
    await world.clock.advance(10_000)
    expect(world.reported).toEqual([expect.stringContaining('notifications are paused')])
    world.isBroken = false
    await world.pass('the notification', () => server.got.length === 1)
  })
})

describe('Web Push', () => {
  async function subscribed() {
    const service = await openReceiver('https')
    service.answer({ status: 201 })
    const browser = openPushBrowser()
    const world = openWorld({}, { push: { hosts: ['localhost'] } })
    const endpoint = `${service.url}/push/abc`
    const keys = { p256dh: browser.p256dh, auth: browser.auth }
    const asked = { endpoint, ...keys, name: 'Chrome on Android', approver: null, at: world.clock.now() }
    const { id } = await subscribe(world.home, asked, ['localhost'])
    return { service, browser, world, id }
  }

  it('is encrypted for the browser, signed for its push service, and lives until the deadline', async () => {
    const { service, browser, world } = await subscribed()
    world.start()
    world.held = [world.call('call-1', { summary: 'deploys with token hunter2' })]
    await world.pass('the message', () => service.got.length === 1)
    const told = first(service.got)
    expect(told.path).toBe('/push/abc')
    expect(told.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    expect(Number(told.headers.ttl)).toBeGreaterThan(280)
    expect(Number(told.headers.ttl)).toBeLessThanOrEqual(300)
    expect(String(told.headers['topic'])).toMatch(/^[\w-]{1,32}$/)
    const vapid = verifyVapid(told)
    const seconds = world.clock.now() / 1_000
    expect(vapid).toMatchObject({ aud: service.url, sub: 'https://gate.example' })
    expect(vapid.exp).toBeGreaterThan(seconds)
    expect(vapid.exp).toBeLessThanOrEqual(seconds + 24 * 3_600)
    const message = browser.read(told.body)
    expect(JSON.parse(message)).toMatchObject({ kind: 'held', title: 'HIGH deploy', call: 'call-1' })
    expect(message).not.toContain('hunter2')
    world.held = []
    await world.pass('the receipt', () => service.got.length === 2)
    const [, back] = service.got
    expect(back?.headers['topic']).toBe(told.headers['topic'])
    expect(JSON.parse(browser.read(back?.body ?? told.body))).toMatchObject({
      kind: 'closed',
      title: 'deploy: rejected',
    })
  })

  it.each([404, 410])('ends at %i', async (status) => {
    const { service, world } = await subscribed()
    service.answer({ status })
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('the end', () => readSubscriptions(world.home).length === 0)
    expect(notifyStatus(world.home).channels).toEqual([])
  })

  it('waits as long as a push service asks, and survives one that hangs', async () => {
    const { service, world } = await subscribed()
    service.answer(() => (service.got.length === 1 ? { status: 429, headers: { 'retry-after': '30' } } : 'hang'))
    world.start()
    world.held = [world.call('call-1')]
    await world.pass('three attempts', () => service.got.length >= 3, 1_000)
    expect(readSubscriptions(world.home)).toHaveLength(1)
  })

  it.each([
    'https://push.evil.example/x',
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'https://me:pw@fcm.googleapis.com/x',
    'https://169.254.169.254/latest',
    'file:///etc/passwd',
    'x',
  ])('refuses the push service of %s', async (endpoint) => {
    const { p256dh, auth } = openPushBrowser()
    const world = openWorld({})
    const asked = { endpoint, p256dh, auth, name: 'x', approver: null, at: 1 }
    await expect(subscribe(world.home, asked, [])).rejects.toThrow(/push service/)
    expect(readSubscriptions(world.home)).toEqual([])
  })
})
