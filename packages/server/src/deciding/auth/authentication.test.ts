import { openAskingToken } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it } from 'vitest'

async function poisoned() {
  const world = await openServiceWorld({ askingPort: 0 })
  const gate = await world.connect()
  const name = world.cookie.split('=', 1)[0]
  const planted = `${name}=${gate.session}`
  const attempts = async () => (await world.entries()).filter(({ code }) => code === 'CS_ASKER').length
  return { world, gate, planted, attempts }
}

describe('a cookie planted by an agent’s page', () => {
  it('does not prevent a sign-in, and is not counted as an attempt', async () => {
    const { world, gate, planted, attempts } = await poisoned()
    const ticket = new URL(world.service.link().link).hash.slice('#ticket='.length)
    const answer = await world.fetch('/sign-in', { json: { ticket }, headers: { cookie: planted } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toContain(`${planted.split('=', 1)[0]}=`)
    expect(await attempts()).toBe(0)
    gate.close()
  })

  it('does not displace a valid cookie, in any order', async () => {
    const { world, gate, planted, attempts } = await poisoned()
    for (const cookie of [
      `${planted}; ${world.cookie}`,
      `${world.cookie}; ${planted}`,
      `a=b;${planted};${world.cookie}`,
    ])
      expect((await world.fetch('/me', { headers: { cookie } })).status).toBe(200)
    expect(await attempts()).toBe(0)
    gate.close()
  })

  it('admits nobody by itself', async () => {
    const { world, gate, planted, attempts } = await poisoned()
    expect((await world.fetch('/me', { headers: { cookie: planted } })).status).toBe(403)
    expect(await attempts()).toBe(1)
    gate.close()
  })
})

describe('an asker’s token', () => {
  it('gets 403 for everything on the deciding side, even without a route', async () => {
    const { world, gate } = await poisoned()
    const { token } = openAskingToken(world.home)
    for (const shown of [token, gate.session])
      for (const path of ['/api/v1/openapi.json', '/api/v1/nothing', '/', '/app.js'])
        expect(
          (await fetch(`${world.service.url}${path}`, { headers: { authorization: `Bearer ${shown}` } })).status,
        ).toBe(403)
    gate.close()
  })
})
