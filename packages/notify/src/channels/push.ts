import type { PushKey } from '@countersign/node'
import { post } from '../http/post.ts'
import { type Delivery, deliveryOf } from '../http/verdict.ts'
import { expiryOf, type Notification } from '../notification/notification.ts'
import { notificationWords, worstRisk } from '../notification/notification-words.ts'
import { encryptPush } from '../push/encrypt.ts'
import { isPushService } from '../push/push-services.ts'
import type { Subscription } from '../push/subscriptions.ts'
import { vapidHeader } from '../push/vapid.ts'
import type { Channel } from './channel.ts'

/** The subscription is over. */
const RULES = { gone: [404, 410], isPatient: false }

/** Whom a push service can write to, where the inbox has no public URL. */
const NOBODY = 'mailto:countersign@example.com'

/** The dependencies of push channels. */
export interface PushParts {
  key(): PushKey
  /** Hosts that the person added as push services. */
  readonly hosts: readonly string[]
}

/** A browser with the inbox, also while the page is closed. */
export function pushChannel(subscription: Subscription, parts: PushParts): Omit<Channel, 'config' | 'from'> {
  const { id, endpoint, name, p256dh, auth } = subscription
  const keys = { p256dh: Buffer.from(p256dh, 'base64url'), auth: Buffer.from(auth, 'base64url') }
  const url = new URL(endpoint)
  return {
    name: pushName(id),
    kind: 'push',
    target: `${name} (${url.hostname})`,
    takesBack: true,
    async deliver({ notification, now, inbox, signal }): Promise<Delivery> {
      if (!isPushService(url, parts.hosts))
        return { kind: 'failed', why: `\`${url.hostname}\` is not a known push service` }
      const contact = inbox.startsWith('https:') ? inbox : NOBODY
      const headers = {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: vapidHeader(url, contact, parts.key(), now),
        ttl: String(Math.max(0, Math.floor((expiryOf(notification) - now) / 1_000))),
        urgency: urgencyOf(notification),
        topic: notification.tag,
      }
      const body = encryptPush(JSON.stringify(pushMessage(notification, now)), keys)
      const isPrivateAllowed = parts.hosts.includes(url.hostname)
      return deliveryOf(await post({ url, headers, body, isPrivateAllowed }, signal), RULES, now)
    },
  }
}

/** The name of a subscription among the channels. */
export function pushName(id: string): string {
  return `push:${id}`
}

/** What the service worker shows. Only ids and words: a tap opens the page, which reads the call itself. */
export function pushMessage(notification: Notification, now: number): object {
  const { kind, tag, calls, count } = notification
  const { title, body } = notificationWords(notification, now)
  const [only] = calls
  return { kind, tag, title, body, call: count === 1 && only !== undefined ? only.id : '' }
}

function urgencyOf({ kind, calls }: Notification): string {
  if (kind === 'closed') return 'low'
  const worst = worstRisk(calls)
  return worst === 'none' || worst === 'low' ? 'normal' : 'high'
}
