import { openAskingToken } from '@countersign/node'
import { openServiceWorld, rawAnswer, type ServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it, onTestFinished } from 'vitest'
import { originsOf } from '../deciding/http/request-guards.ts'
import { readPageOrigins } from './page-origins.ts'

const APP = 'https://app.example'

async function openWorld() {
  const world = await openServiceWorld({ pages: { port: 0, origins: [APP] } })
  const port = world.service.pagePort ?? 0
  const { token } = openAskingToken(world.home)
  return { ...world, pagePort: port, token }
}

type World = Awaited<ReturnType<typeof openWorld>>

function post({ pagePort }: Pick<World, 'pagePort'>, path: string, body: object, headers: object = {}) {
  return fetch(`http://127.0.0.1:${pagePort}${path}`, {
    method: 'POST',
    headers: { origin: APP, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** A page's channel: its lines, and the way to send. */
async function connect(world: World, hello: object = {}) {
  const { workspace, token } = world
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await fetch(`http://127.0.0.1:${world.pagePort}/v1/channel`, {
    method: 'POST',
    headers: { origin: APP, 'content-type': 'application/json' },
    body: JSON.stringify({ hello: { protocol: 1, version: '0.1.0', workspace, token, ...hello } }),
    signal: leaving.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  async function next(): Promise<Record<string, unknown> | null> {
    for (;;) {
      const end = rest.indexOf('\n')
      if (end >= 0) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 1)
        return JSON.parse(line)
      }
      const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) return null
      rest += value
    }
  }
  const { channel } = (await next()) ?? {}
  const answered = await next()
  const send = (line: object, more: object = {}) =>
    post(world, '/v1/lines', line, { 'countersign-channel': String(channel), ...more })
  return { response, answered, next, send, leave: () => leaving.abort() }
}

const refusals = async ({ entries }: Pick<ServiceWorld, 'entries'>) =>
  (await entries()).filter(({ kind }) => kind === 'decision-refused')

describe('the asking side for web pages', () => {
  it('holds a call until a person decides in the inbox, and gives the permit once', async () => {
    const world = await openWorld()
    const page = await connect(world)
    expect(page.answered).toMatchObject({ hello: { protocol: 1 } })
    expect((await page.send({ id: 1, do: 'ask', call: { tool: 'jot', args: { text: 'a' } } })).status).toBe(204)
    expect(await page.next()).toMatchObject({ id: 1, held: {} })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'approve' })
    const answer = await page.next()
    expect(answer).toMatchObject({ id: 1, permit: { kind: 'permit', args: { text: 'a' }, approvedBy: 'ana' } })
    await page.send({ id: 2, do: 'settle', callId: view.id, outcome: 'completed' })
    expect(await page.next()).toEqual({ id: 2, done: true })
    await page.send({ id: 3, do: 'settle', callId: view.id, outcome: 'completed' })
    expect(await page.next()).toMatchObject({ id: 3, error: { code: 'CS_PERMIT_FORGED' } })
  })

  it('withdraws what a page asked when it is closed', async () => {
    const world = await openWorld()
    const page = await connect(world)
    await page.send({ id: 1, do: 'ask', call: { tool: 'jot', args: {} } })
    await world.held(1)
    page.leave()
    await world.held(0)
    expect((await world.entries()).some(({ kind }) => kind === 'withdrawn')).toBe(true)
  })

  it('lets nobody decide, and records the attempt (A2, L8)', async () => {
    const world = await openWorld()
    const page = await connect(world)
    await page.send({ id: 1, do: 'decide', held: 'x', decision: { kind: 'approve' } })
    expect(await page.next()).toMatchObject({ error: { code: 'CS_ASKER' } })
    expect(await page.next()).toBeNull()
    await expect.poll(async () => (await refusals(world)).length).toBe(1)
    expect((await page.send({ id: 2, do: 'cancel', of: 1 })).status).toBe(404)
  })

  it.each([
    ['without a token', { token: undefined }],
    ['with a wrong token', { token: 'guessed' }],
  ])('admits nobody %s, and records it (A17)', async (_, hello) => {
    const world = await openWorld()
    const page = await connect(world, hello)
    expect(page.answered).toMatchObject({ error: { code: 'CS_SIGN_IN' } })
    expect(await page.next()).toBeNull()
    await expect.poll(async () => (await refusals(world)).map(({ surface }) => surface)).toEqual(['page'])
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['the null origin', { origin: 'null' }],
    ['a subdomain', { origin: 'https://x.app.example' }],
    ['the same host over http', { origin: 'http://app.example' }],
    ['the same host on another port', { origin: 'https://app.example:8443' }],
  ])('refuses %s, lets it read nothing, and records it (A17)', async (_, headers) => {
    const world = await openWorld()
    const { token, workspace } = world
    const answer = await post(world, '/v1/channel', { hello: { protocol: 1, version: '1', workspace, token } }, headers)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
    await expect.poll(async () => (await refusals(world)).length).toBe(1)
  })

  it('refuses the inbox’s own page, whose origin it can’t be given (L8)', async () => {
    const world = await openWorld()
    expect((await post(world, '/v1/channel', {}, { origin: world.service.url })).status).toBe(403)
    const pages = { port: 0, origins: ['https://gate.example'] }
    const refused = { code: 'CS_USAGE', message: expect.stringContaining('is the inbox') }
    await expect(openServiceWorld({ publicUrl: new URL('https://gate.example'), pages })).rejects.toMatchObject(refused)
    const deciding = originsOf(4180).origins
    for (const one of ['http://localhost:4180', 'http://127.0.0.1:4180', 'http://[::1]:4180'])
      expect(() => readPageOrigins([APP, one], deciding)).toThrow(expect.objectContaining(refused))
    expect([...readPageOrigins([APP, 'http://localhost:5173'], deciding)]).toEqual([APP, 'http://localhost:5173'])
  })

  it.each([
    '*',
    'null',
    'app.example',
    'https://app.example/',
    'https://app.example/x',
    'http://app.example',
    'https://*.example',
    'file://',
  ])('takes no origin like `%s`', async (origin) => {
    await expect(openServiceWorld({ pages: { port: 0, origins: [origin] } })).rejects.toMatchObject({
      code: 'CS_USAGE',
    })
  })

  it.each([
    ['a rebound host name', 421, (port: number) => [`Host: evil.example:${port}`, `Origin: ${APP}`]],
    ['the right host without its port', 421, () => ['Host: localhost', `Origin: ${APP}`]],
    ['no origin', 403, (port: number) => [`Host: localhost:${port}`]],
    ['a form', 415, (port: number) => [`Host: localhost:${port}`, `Origin: ${APP}`, 'Content-Type: text/plain']],
  ])('refuses %s (A17)', async (_, status, head) => {
    const { pagePort } = await openWorld()
    const lines = ['POST /v1/channel HTTP/1.1', ...head(pagePort), 'Content-Length: 0', 'Connection: close']
    expect((await rawAnswer(pagePort, `${lines.join('\r\n')}\r\n\r\n`)).slice(9, 12)).toBe(String(status))
  })

  it('answers the preflight of an allowed page only, and never allows credentials', async () => {
    const { pagePort } = await openWorld()
    const ask = (origin: string) =>
      fetch(`http://localhost:${pagePort}/v1/lines`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' },
      })
    const [allowed, other] = [await ask(APP), await ask('https://evil.example')]
    expect(allowed.status).toBe(204)
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      'access-control-allow-origin': APP,
      'access-control-allow-headers': 'content-type, traceparent, countersign-channel',
      'access-control-allow-private-network': 'true',
      vary: 'Origin',
    })
    expect(allowed.headers.has('access-control-allow-credentials')).toBe(false)
    expect(other.status).toBe(403)
    expect([...other.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('takes lines only on a channel, of the page that opened it, and not too large (A31)', async () => {
    const world = await openServiceWorld({ pages: { port: 0, origins: [APP, 'https://other.example'] } })
    const pagePort = world.service.pagePort ?? 0
    const page = await connect({ ...world, pagePort, token: openAskingToken(world.home).token })
    const line = { id: 1, do: 'required', call: { tool: 'look', args: {} } }
    expect((await post({ pagePort }, '/v1/lines', line)).status).toBe(404)
    expect((await page.send(line, { 'countersign-channel': '0'.repeat(32) })).status).toBe(404)
    expect((await page.send(line, { origin: 'https://other.example' })).status).toBe(404)
    const large = { ...line, call: { tool: 'look', args: { text: 'x'.repeat(1_100_000) } } }
    expect((await page.send(large)).status).toBe(413)
    expect((await page.send(line)).status).toBe(204)
    expect(await page.next()).toEqual({ id: 1, required: false })
  })

  it('takes lines of nearly 1 MiB, several at once, in full', async () => {
    const world = await openWorld()
    const page = await connect(world)
    const text = 'x'.repeat(900_000)
    const sent = [1, 2, 3].map((id) => page.send({ id, do: 'required', call: { tool: 'look', args: { text } } }))
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([204, 204, 204])
    const answers = [await page.next(), await page.next(), await page.next()]
    expect(new Set(answers.map((one) => one?.['id']))).toEqual(new Set([1, 2, 3]))
  })

  it('ends every channel when the service stops', async () => {
    const world = await openWorld()
    const page = await connect(world)
    await world.service.stop()
    expect(await page.next().catch(() => null)).toBeNull()
  })
})
