import { openServiceWorld, rawAnswer, type ServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

async function refusedAs(world: ServiceWorld, path: string, init?: RequestInit & { readonly json?: unknown }) {
  const answer = await world.fetch(path, init)
  return { status: answer.status, ...((await answer.json()) as object) }
}

const refusal = (message: string) => ({ status: 400, error: { code: 'CS_PROTOCOL', message } })
const POINTER = 'see docs/reference/http.md'

describe('request input', () => {
  it.each<[string, string, string]>([
    ['an unknown parameter', '/history?colour=red', 'colour'],
    ['a repeated parameter', '/history?tool=a&tool=b', 'tool'],
    ['an invalid number', '/history?limit=many', 'limit'],
    ['an id that is too long', `/held/${'x'.repeat(129)}`, 'id'],
  ])('is refused for %s in the URL, by name', async (_, path, field) => {
    const world = await openServiceWorld()
    expect(await refusedAs(world, path)).toEqual(refusal(`\`${field}\` is invalid or unknown; ${POINTER}`))
  })

  it('is refused for an invalid URL before its body is read', async () => {
    const world = await openServiceWorld()
    expect(await refusedAs(world, `/held/${'x'.repeat(129)}/decision`, { method: 'POST', body: '{' })).toEqual(
      refusal(`\`id\` is invalid or unknown; ${POINTER}`),
    )
  })

  it.each(['', '{', 'nonsense', '{"ticket":"x"}}'])('is refused if its body is `%s`', async (body) => {
    const world = await openServiceWorld()
    const answer = await refusedAs(world, '/sign-in', { method: 'POST', body })
    expect(answer).toEqual(refusal(`the body is not JSON; ${POINTER}`))
  })

  it.each<[string, (length: number) => string, (body: string) => string]>([
    ['with Content-Length', (length) => `Content-Length: ${length}`, (body) => body],
    ['in chunks', () => 'Transfer-Encoding: chunked', (body) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
  ])('is read if its body is sent %s', async (_, measure, framed) => {
    const world = await openServiceWorld()
    const body = '{"ticket":"x"}'
    const head = [
      'POST /api/v1/sign-in HTTP/1.1',
      `Host: localhost:${world.port}`,
      `Origin: ${world.service.url}`,
      'Content-Type: application/json',
      measure(body.length),
      'Connection: close',
    ]
    const answer = await rawAnswer(world.port, `${head.join('\r\n')}\r\n\r\n${framed(body)}`)
    expect(answer).toContain('CS_SIGN_IN') // it was read: this ticket does not exist
  })

  it('decides nothing if the body breaks off', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    void gate.ask({ tool: 'deploy', args: {} })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    const body = JSON.stringify(world.sign(view, { kind: 'approve' }))
    const head = [
      `POST /api/v1/held/${view.id}/decision HTTP/1.1`,
      `Host: localhost:${world.port}`,
      `Origin: ${world.service.url}`,
      `Cookie: ${world.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length + 1}`,
    ]
    await rawAnswer(world.port, `${head.join('\r\n')}\r\n\r\n${body}`)
    expect(await world.held(1)).toMatchObject([{ id: view.id }])
    expect((await world.entries()).filter(({ kind }) => kind === 'decided')).toEqual([])
    gate.close()
  })
})
