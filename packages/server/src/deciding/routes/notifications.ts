import { CountersignError } from '@countersign/core'
import { openPushKey } from '@countersign/node'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import {
  NewPushSubscription,
  Notifications,
  PushKey,
  Subscribed,
  TestNotification,
} from '../api/notification-schemas.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { CallId, Done } from '../api/schemas.ts'

/** Loaded on first use: most homes send no notifications. */
const loadNotify = () => import('@countersign/notify')

/** Web Push: which browsers are notified, and turning it on and off. Only a signed-in person can subscribe a browser. */
export function addNotificationRoutes(app: DecidingApp, { home, now, publicUrl, sites }: DecidingParts): void {
  defineRoute(
    app,
    {
      method: 'get',
      path: '/notifications',
      summary: 'Browsers and channels that are notified of held calls',
      answer: Notifications,
    },
    async (c) => {
      const { openChannels, readSubscriptions } = await loadNotify()
      const { channels, problems } = openChannels(home)
      const browsers = problems.length > 0 ? [] : readSubscriptions(home)
      return c.json({
        browsers: browsers.map(({ id, name, endpoint, at }) => ({ id, name, service: new URL(endpoint).hostname, at })),
        channels: channels
          .filter(({ kind }) => kind !== 'push')
          .map(({ name, kind, target }) => ({ name, kind, target })),
        problems,
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/notifications/key',
      summary: 'The public key that a browser needs to subscribe; made on first use',
      answer: PushKey,
    },
    (c) => c.json({ publicKey: openPushKey(home).publicKey.toString('base64url') }),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/notifications/browsers',
      summary: 'Notify this browser by Web Push',
      body: NewPushSubscription,
      answer: Subscribed,
    },
    async (c, { body }) => {
      const { readSettings, subscribe } = await loadNotify()
      const hosts = readSettings(home).push?.hosts ?? []
      const { id } = await subscribe(home, { ...body, approver: c.get('signedIn').approver, at: now() }, hosts)
      return c.json({ id })
    },
  )

  defineRoute(
    app,
    {
      method: 'delete',
      path: '/notifications/browsers/{id}',
      summary: 'Stop notifying a browser',
      params: CallId,
      answer: Done,
    },
    async (c, { params }) => {
      const { unsubscribe } = await loadNotify()
      await unsubscribe(home, params.id)
      return c.json({ done: true })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/notifications/browsers/{id}/test',
      summary: 'Send a test notification to a browser',
      params: CallId,
      answer: TestNotification,
    },
    async (c, { params }) => {
      const { openChannels, sendTest } = await loadNotify()
      const channel = openChannels(home).channels.find(({ name }) => name === `push:${params.id}`)
      if (channel === undefined)
        throw new CountersignError('CS_NOTIFY', 'this browser is not subscribed; turn notifications on again')
      const delivery = await sendTest(home, channel, publicUrl?.origin ?? sites[0].origin, now())
      return c.json({ sent: delivery.kind === 'sent', why: delivery.kind === 'sent' ? null : delivery.why })
    },
  )
}
