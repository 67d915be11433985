import { z } from '@hono/zod-openapi'

/** The data of notifications in the browser. */

export const PushKey = z
  .object({ publicKey: z.string().openapi({ description: 'VAPID key of this home: a P-256 point as base64url.' }) })
  .openapi('PushKey')

const SubscribedBrowser = z
  .object({
    id: z.string().openapi({ description: 'The first 16 hex digits of the SHA-256 of the endpoint.' }),
    name: z.string(),
    service: z.string().openapi({ description: 'Host of its push service.' }),
    at: z.number(),
  })
  .openapi('SubscribedBrowser')

export const Notifications = z
  .object({
    browsers: z.array(SubscribedBrowser),
    channels: z.array(z.object({ name: z.string(), kind: z.string(), target: z.string() })),
    problems: z.array(z.string()),
  })
  .openapi('Notifications')

export const NewPushSubscription = z
  .strictObject({
    endpoint: z.string().max(2_000),
    p256dh: z.string().max(100).openapi({ description: 'Base64url, 65 bytes.' }),
    auth: z.string().max(40).openapi({ description: 'Base64url, 16 bytes.' }),
    name: z.string().trim().min(1).max(64).openapi({ example: 'Chrome on Android' }),
  })
  .openapi('NewPushSubscription')

export const Subscribed = z.object({ id: z.string() }).openapi('Subscribed')

export const TestNotification = z
  .object({ sent: z.boolean(), why: z.string().nullable() })
  .openapi('TestNotification', { description: 'Whether the push service took the test message.' })
