import { createHmac, sign } from 'node:crypto'
import { post } from '../http/post.ts'
import { deliveryOf } from '../http/verdict.ts'
import type { Notification } from '../notification/notification.ts'
import type { ChannelSettings } from '../settings/settings.ts'
import { decodeSecret, SECRET_PREFIX, signingKeyOf } from '../settings/webhook-secrets.ts'
import { type Channel, linkOf } from './channel.ts'

type WebhookSettings = Extract<ChannelSettings, { readonly kind: 'webhook' }>

/** Only 2xx counts, other answers are tried again, and 410 ends the channel. */
const RULES = { gone: [410], isPatient: true }

/** A receiver of signed webhooks, by Standard Webhooks. */
export function webhookChannel(name: string, settings: WebhookSettings): Omit<Channel, 'config' | 'from'> {
  const url = new URL(settings.url)
  return {
    name,
    kind: 'webhook',
    target: `${url.origin}/…`,
    takesBack: true,
    async deliver({ notification, now, inbox, signal }) {
      const body = JSON.stringify(webhookEvent(notification, inbox))
      const seconds = Math.floor(now / 1_000)
      const headers = {
        'content-type': 'application/json',
        'webhook-id': notification.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures(`${notification.id}.${seconds}.${body}`, settings),
      }
      const outgoing = { url, headers, body, isPrivateAllowed: settings.private === true }
      return deliveryOf(await post(outgoing, signal), RULES, now)
    },
  }
}

/** `v1` for everyone who has the secret; `v1a`, if there is a key, for receivers that should not be able to sign. */
function signatures(signed: string, { secret, signing_key: signingKey }: WebhookSettings): string {
  const bytes = decodeSecret(secret, SECRET_PREFIX) ?? Buffer.alloc(0)
  const shared = `v1,${createHmac('sha256', bytes).update(signed).digest('base64')}`
  const key = signingKey === undefined ? null : signingKeyOf(signingKey)
  return key === null ? shared : `${shared} v1a,${sign(null, Buffer.from(signed), key).toString('base64')}`
}

/** The event: the same bytes on every attempt, so its times are absolute. */
export function webhookEvent(notification: Notification, inbox: string): object {
  const { kind, calls, count, outcome, at } = notification
  return {
    type: `call.${kind}`,
    timestamp: new Date(at).toISOString(),
    data: {
      count,
      ...(outcome === null ? {} : { outcome }),
      url: linkOf(notification, inbox),
      calls: calls.map(({ id, risk, tool, agent, deadline, summary }) => ({
        id,
        risk,
        tool,
        agent,
        deadline: new Date(deadline).toISOString(),
        url: `${inbox}/held/${encodeURIComponent(id)}`,
        ...(summary === null ? {} : { summary }),
      })),
    },
  }
}
