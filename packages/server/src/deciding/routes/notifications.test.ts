import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSubscriptions, unsubscribeApprover } from '@countersign/notify'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { openPushBrowser } from '@countersign/testing/notify/push-browser'
import { openReceiver } from '@countersign/testing/notify/receiver'
import { describe, expect, it } from 'vitest'

const subscription = (endpoint: string) => {
  const { p256dh, auth } = openPushBrowser()
  return { endpoint, p256dh, auth, name: 'Firefox on Linux' }
}

describe('subscribing a browser', () => {
  it('needs a sign-in, and credentials of agents get nowhere', async () => {
    const { service, home, port } = await openServiceWorld()
    const origin = `http://localhost:${port}`
    const headers = { origin, 'content-type': 'application/json' }
    const body = JSON.stringify(subscription('https://fcm.googleapis.com/x'))
    for (const path of ['/notifications', '/notifications/key'])
      expect((await fetch(`${service.url}/api/v1${path}`)).status).toBe(401)
    const posted = await fetch(`${service.url}/api/v1/notifications/browsers`, { method: 'POST', headers, body })
    expect(posted.status).toBe(401)
    expect(readSubscriptions(home)).toEqual([])
  })

  it('keeps it in a file of the owner, with a key made on first use', async () => {
    const world = await openServiceWorld()
    const { publicKey } = await world.json<{ publicKey: string }>('/notifications/key')
    expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
    expect(await world.json('/notifications/key')).toEqual({ publicKey })
    expect(statSync(join(world.home.keys, 'push.key')).mode & 0o777).toBe(0o600)
    const asked = subscription('https://updates.push.services.mozilla.com/wpush/v2/abc')
    const { id } = await world.json<{ id: string }>('/notifications/browsers', { method: 'POST', json: asked })
    await world.json('/notifications/browsers', { method: 'POST', json: asked })
    expect(readSubscriptions(world.home)).toMatchObject([{ ...asked, id }])
    expect(statSync(world.home.subscriptions).mode & 0o777).toBe(0o600)
    const list = await world.json<object>('/notifications')
    expect(list).toMatchObject({ browsers: [{ id, name: asked.name, service: 'updates.push.services.mozilla.com' }] })
    for (const secret of [asked.auth, asked.p256dh, asked.endpoint]) expect(JSON.stringify(list)).not.toContain(secret)
    await world.json(`/notifications/browsers/${id}`, { method: 'DELETE' })
    expect(readSubscriptions(world.home)).toEqual([])
  })

  it.each([
    ['an unknown push service', { endpoint: 'https://push.evil.example/x' }],
    ['a host of this machine', { endpoint: 'https://localhost:1/x' }],
    ['a short key', { p256dh: 'AAAA' }],
    ['a key that is not one', { auth: '?'.repeat(22) }],
    ['another field', { approver: 'somebody' }],
  ])('refuses %s', async (_, change) => {
    const world = await openServiceWorld()
    const asked = { ...subscription('https://fcm.googleapis.com/x'), ...change }
    const { status } = await world.fetch('/notifications/browsers', { method: 'POST', json: asked })
    expect(status).toBe(400)
    expect(readSubscriptions(world.home)).toEqual([])
  })

  it('ends with the key of its approver', async () => {
    const world = await openServiceWorld()
    const [view] = await (async () => {
      const gate = await world.connect()
      void gate.ask({ tool: 'jot', source: 'custom', agent: { name: 'a' }, args: {} }).catch(() => {})
      return world.held(1)
    })()
    if (view === undefined) throw new Error('nothing is held')
    await world.decide(view, { kind: 'reject' })
    await world.json('/notifications/browsers', { method: 'POST', json: subscription('https://fcm.googleapis.com/x') })
    const [{ approver } = { approver: null }] = readSubscriptions(world.home)
    expect(approver).toBe(world.approver.signer.keyId)
    expect(await unsubscribeApprover(world.home, 'another')).toBe(0)
    expect(await unsubscribeApprover(world.home, approver ?? '')).toBe(1)
    expect(readSubscriptions(world.home)).toEqual([])
  })

  it('can be tested, and tells what failed', async () => {
    const world = await openServiceWorld()
    const push = await openReceiver('https')
    writeFileSync(world.home.notify, 'version: 1\npush: { hosts: [localhost] }\n', { mode: 0o600 })
    const asked = subscription(`${push.url}/x`)
    const { id } = await world.json<{ id: string }>('/notifications/browsers', { method: 'POST', json: asked })
    const test = () => world.json(`/notifications/browsers/${id}/test`, { method: 'POST', json: {} })
    expect(await test()).toEqual({ sent: true, why: null })
    push.answer({ status: 403 })
    expect(await test()).toEqual({ sent: false, why: 'answered 403' })
    expect((await world.fetch('/notifications/browsers/none/test', { method: 'POST', json: {} })).status).toBe(400)
  })
})
