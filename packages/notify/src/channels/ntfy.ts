import { assertNever, type RiskLevel } from '@countersign/core'
import { post } from '../http/post.ts'
import { deliveryOf } from '../http/verdict.ts'
import type { Notification } from '../notification/notification.ts'
import { notificationWords, worstRisk } from '../notification/notification-words.ts'
import type { ChannelSettings } from '../settings/settings.ts'
import { type Attempt, type Channel, linkOf } from './channel.ts'

type NtfySettings = Extract<ChannelSettings, { readonly kind: 'ntfy' }>

/** Quiet, default and urgent, as ntfy counts. */
const PRIORITY: Readonly<Record<RiskLevel, number>> = { none: 2, low: 2, medium: 3, high: 4, critical: 5 }

const RULES = { gone: [], isPatient: false }

/** A topic of an ntfy server, the public one or your own. Whoever knows a topic without a token can read it. */
export function ntfyChannel(name: string, settings: NtfySettings): Omit<Channel, 'config' | 'from'> {
  const url = new URL(settings.url)
  const topic = url.pathname.slice(1)
  return {
    name,
    kind: 'ntfy',
    target: `${url.origin}/${topic.slice(0, 3)}…`,
    takesBack: true,
    async deliver(attempt) {
      const headers = {
        'content-type': 'application/json',
        // Also in the body, under its other name: servers from 2.16 on replace the message with the same sequence id.
        'x-sequence-id': attempt.notification.tag,
        ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
      }
      const body = JSON.stringify(ntfyMessage(topic, attempt))
      const outgoing = { url: new URL(url.origin), headers, body, isPrivateAllowed: settings.private === true }
      return deliveryOf(await post(outgoing, attempt.signal), RULES, attempt.now)
    },
  }
}

/** A message as ntfy takes it. SECURITY: no `http` action, whose headers every reader of the topic would see. */
export function ntfyMessage(topic: string, { notification, now, inbox }: Attempt): object {
  const { title, body } = notificationWords(notification, now)
  return {
    topic,
    title: cut(title, 250),
    message: cut(body, 1_000),
    priority: priorityOf(notification),
    sequence_id: notification.tag,
    ...(notification.kind === 'closed' ? {} : { click: linkOf(notification, inbox) }),
  }
}

function priorityOf({ kind, calls }: Notification): number {
  switch (kind) {
    case 'held':
    case 'reminder':
      return PRIORITY[worstRisk(calls)]
    case 'closed':
      return 1
    case 'test':
      return 3
    default:
      return assertNever(kind)
  }
}

function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text
}
