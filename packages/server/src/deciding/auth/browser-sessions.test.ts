import { join } from 'node:path'
import { openHome, openOwnFolder } from '@countersign/node'
import { openServiceWorld, signIn } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openSignIn } from './browser-sessions.ts'

function newSignIn() {
  const home = openHome(join(temporaryFolder(), 'home'))
  openOwnFolder(home.run, 'CS_HOME')
  const clock = { now: 1_000_000 }
  return { home, clock, signIn: openSignIn(home, () => clock.now) }
}
const refused = expect.objectContaining({ code: 'CS_SIGN_IN' })

describe('a sign-in ticket', () => {
  it('signs in once', () => {
    const { signIn } = newSignIn()
    const { ticket } = signIn.ticket()
    const { token, session } = signIn.enter(ticket)
    expect(signIn.find(token)).toEqual(session)
    expect(() => signIn.enter(ticket)).toThrow(refused)
  })

  it('expires after half a minute', () => {
    const { signIn, clock } = newSignIn()
    const { ticket } = signIn.ticket()
    clock.now += 30_000
    expect(() => signIn.enter(ticket)).toThrow(refused)
  })

  it.each(['', 'x', 'a'.repeat(128)])('is not `%s`', (ticket) => {
    const { signIn } = newSignIn()
    signIn.ticket()
    expect(() => signIn.enter(ticket)).toThrow(refused)
  })
})

describe('a signed-in browser', () => {
  it('stays signed in when the service restarts, and no token is on disk', () => {
    const { home, clock, signIn } = newSignIn()
    const { token } = signIn.enter(signIn.ticket().ticket)
    expect(openSignIn(home, () => clock.now).find(token)).toBeDefined()
  })

  it('is signed out after twelve hours, or on request', () => {
    const { clock, signIn } = newSignIn()
    const one = signIn.enter(signIn.ticket().ticket)
    const other = signIn.enter(signIn.ticket().ticket)
    signIn.leave(other.session.id)
    expect(signIn.find(other.token)).toBeUndefined()
    clock.now += 12 * 3_600_000
    expect(signIn.find(one.token)).toBeUndefined()
  })

  it('gets an HttpOnly, SameSite cookie limited to the API', async () => {
    const { service } = await openServiceWorld()
    const ticket = new URL(service.link().link).hash.slice('#ticket='.length)
    const { headers } = await fetch(`${service.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { origin: service.url, 'content-type': 'application/json' },
      body: JSON.stringify({ ticket }),
    })
    expect(headers.get('set-cookie')).toMatch(
      /^countersign-\d+=\S{43}; Max-Age=\d+; Path=\/api\/v1; HttpOnly; SameSite=Strict$/,
    )
  })

  it('is not recognised by a made-up, old or foreign cookie', async () => {
    const world = await openServiceWorld()
    const other = await openServiceWorld()
    expect((await world.fetch('/sign-in', { method: 'DELETE' })).status).toBe(200)
    const foreign = (await signIn(other.service)).replace(String(other.port), String(world.port))
    for (const cookie of [world.cookie, foreign, `countersign-${world.port}=x`, ''])
      for (const path of ['/held', '/stream', '/me', '/history', '/journal', '/grants', '/tools', '/stats'])
        expect((await world.fetch(path, { headers: { cookie } })).status).toBe(401)
  })
})
