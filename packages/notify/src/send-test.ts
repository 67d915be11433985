import { randomBytes } from 'node:crypto'
import type { Home } from '@countersign/node'
import type { Channel } from './channels/channel.ts'
import type { Delivery } from './http/verdict.ts'
import type { Notification } from './notification/notification.ts'
import { openOutbox } from './outbox/outbox.ts'

/** Sends a test message through one channel, once. Success enables a channel that its receiver had ended. */
export async function sendTest(home: Home, channel: Channel, inbox: string, now: number): Promise<Delivery> {
  const id = `msg_${randomBytes(16).toString('base64url')}`
  const notification: Notification = {
    id,
    kind: 'test',
    tag: 'countersign-test',
    calls: [],
    count: 0,
    outcome: null,
    at: now,
  }
  const delivery = await channel.deliver({ notification, now, inbox, signal: AbortSignal.timeout(PATIENCE_MS) })
  if (delivery.kind !== 'sent') return delivery
  const outbox = openOutbox(home)
  try {
    outbox.enable(channel.name)
  } finally {
    outbox.close()
  }
  return delivery
}

const PATIENCE_MS = 20_000
