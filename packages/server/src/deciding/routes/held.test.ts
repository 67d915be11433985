import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type HeldCallView, openView, type Receipt, signDecision } from '@countersign/core'
import { makeApprover, openCrypto, openHome } from '@countersign/node'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

async function holding() {
  const world = await openServiceWorld()
  const gate = await world.connect()
  const asked = gate.ask({ tool: 'deploy', args: { n: 1 } })
  const [view] = await world.held(1)
  if (view === undefined) throw new Error('nothing is held')
  return { world, gate, asked, view }
}

async function post(world: ServiceWorld, view: HeldCallView, body: unknown) {
  const answer = await world.fetch(`/held/${view.id}/decision`, { json: body })
  return { status: answer.status, receipt: (await answer.json()) as Receipt }
}

/**
 * The same on its own connection, with enough time: a system with a short accept queue turns away some of a thousand
 * connections, and they retry after seconds; `fetch` gives up after ten.
 */
function postApart(world: ServiceWorld, view: HeldCallView, body: unknown): ReturnType<typeof post> {
  const headers = { cookie: world.cookie, origin: world.service.url, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const url = `${world.service.url}/api/v1/held/${view.id}/decision`
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      text(answer).then((said) => resolve({ status: answer.statusCode ?? 0, receipt: JSON.parse(said) }), reject)
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

describe('a decision over HTTP', () => {
  it('wins exactly once among a thousand at the same time (A9)', { timeout: 60_000 }, async () => {
    const { world, asked, view } = await holding()
    const bodies = [world.sign(view, { kind: 'approve' }), world.sign(view, { kind: 'reject', reason: 'no' })]
    const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => postApart(world, view, bodies[n % 2])))
    const won = answers.filter(({ receipt }) => receipt.accepted)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(999)
    const late = answers.find(({ status }) => status === 409)?.receipt
    expect(late).toMatchObject({ accepted: false, by: 'ana' })
    const answer = await asked
    expect(answer.kind).toBe(won[0]?.receipt.state === 'approved' ? 'permit' : 'refusal')
    const entries = await world.entries()
    expect(entries.filter(({ kind }) => kind === 'decided')).toHaveLength(1)
    expect(entries.filter(({ kind }) => kind === 'started').length).toBeLessThanOrEqual(1)
  })

  it('is void without the signature of an enrolled approver, and reports it (A2)', async () => {
    const { world, view } = await holding()
    const stranger = makeApprover(openHome(join(temporaryFolder(), 'other')), { name: 'mallory' })
    const opened = openView(view, openCrypto(world.home))
    const forged = signDecision(opened, { kind: 'approve' }, stranger.signer, { surface: 'web', at: Date.now() })
    expect(await post(world, view, forged)).toMatchObject({
      status: 422,
      receipt: { accepted: false, state: 'held', message: expect.stringContaining('not an enrolled approver') },
    })
    expect((await world.entries()).at(-1)).toMatchObject({ kind: 'decision-refused', code: 'CS_DECISION_FORGED' })
  })

  it.each<[string, (signed: Record<string, unknown>) => unknown]>([
    [
      'another decision under the same signature',
      (signed) => ({ ...signed, decision: { kind: 'approve', reason: 'x' } }),
    ],
    ['another digest', (signed) => ({ ...signed, requestDigest: '0'.repeat(64) })],
    ['another nonce', (signed) => ({ ...signed, nonce: 'x' })],
    ['another approver', (signed) => ({ ...signed, approver: '0123456789abcdef' })],
    ['an empty signature', (signed) => ({ ...signed, signature: '' })],
  ])('is void with %s', async (_, change) => {
    const { world, view } = await holding()
    const signed = world.sign(view, { kind: 'approve' }) as unknown as Record<string, unknown>
    expect(await post(world, view, change(signed))).toMatchObject({ status: 422, receipt: { accepted: false } })
    expect(await world.held(1)).toHaveLength(1)
  })

  it('leaves only some entries if it is forged repeatedly, and nobody is notified again (A31, L10)', async () => {
    const { world, view } = await holding()
    const stop = new AbortController()
    const { body } = await world.fetch('/stream', { signal: stop.signal })
    const size = (await world.entries()).length
    const forged = { ...world.sign(view, { kind: 'approve' }), signature: '' }
    for (let sent = 0; sent < 100; sent += 20)
      for (const { status } of await Promise.all(Array.from({ length: 20 }, () => post(world, view, forged))))
        expect(status).toBe(422)
    const left = (await world.entries()).length - size
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(20)
    expect(await world.decide(view, { kind: 'reject', reason: 'no' })).toMatchObject({ accepted: true })
    let told = ''
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      told += chunk
      if (told.includes('event: closed')) break
    }
    expect(told).not.toContain('event: held')
    stop.abort()
  })

  it('cannot be replayed, on the same call or another (A9)', async () => {
    const { world, gate, asked, view } = await holding()
    const signed = world.sign(view, { kind: 'approve' })
    expect((await post(world, view, signed)).status).toBe(200)
    await asked
    expect(await post(world, view, signed)).toMatchObject({ status: 409, receipt: { state: 'approved', by: 'ana' } })
    void gate.ask({ tool: 'deploy', args: { n: 2 } })
    const [next] = await world.held(1)
    if (next === undefined) throw new Error('nothing is held')
    expect((await post(world, next, signed)).status).toBe(422)
    expect((await post(world, next, { ...signed, held: next.id })).status).toBe(422)
  })

  it('is refused with an invalid structure, before it reaches the desk', async () => {
    const { world, view } = await holding()
    for (const body of [null, [], 'x', {}, { ...world.sign(view, { kind: 'approve' }), more: 1 }])
      expect(await (await world.fetch(`/held/${view.id}/decision`, { json: body })).json()).toMatchObject({
        error: { code: 'CS_PROTOCOL' },
      })
    expect((await world.fetch(`/held/${view.id}/decision`, { method: 'POST', body: '{' })).status).toBe(400)
  })

  it('can edit arguments, which are then judged and run as edited', async () => {
    const { world, asked, view } = await holding()
    expect(await world.decide(view, { kind: 'approve', edited: { n: 5 } })).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ kind: 'permit', args: { n: 5 } })
  })
})

describe('an asker’s credentials on the deciding side', () => {
  it('get 403 on every route, and are journaled (A2, L8)', async () => {
    const world = await openServiceWorld({ askingPort: 0 })
    const gate = await world.connect()
    const { token } = await import('@countersign/node').then(({ openAskingToken }) => openAskingToken(world.home))
    const document = await world.json<{ paths: Record<string, Record<string, unknown>> }>('/openapi.json')
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path: path.replace('{id}', 'x'), method: method.toUpperCase() })),
    )
    expect(routes.length).toBeGreaterThan(15)
    for (const path of ['/held/x/decision', '/quarantine', '/quarantine/accept'])
      expect(routes.map((route) => route.path)).toContain(path)
    for (const shown of [token, gate.session])
      for (const { path, method } of routes) {
        const body = method === 'POST' ? { body: '{"ticket":"x"}' } : {}
        const answer = await world.fetch(path, { method, ...body, headers: { authorization: `Bearer ${shown}` } })
        expect({ path, status: answer.status }).toEqual({ path, status: 403 })
      }
    const attempts = (await world.entries()).filter(({ code }) => code === 'CS_ASKER')
    expect(attempts[0]).toMatchObject({ kind: 'decision-refused', surface: 'http', call: null })
    expect(attempts.length).toBeGreaterThan(30)
    gate.close()
  })
})
