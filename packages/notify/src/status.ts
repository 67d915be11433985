import { existsSync } from 'node:fs'
import type { Home } from '@countersign/node'
import { notificationWords } from './notification/notification-words.ts'
import { openChannels } from './open-channels.ts'
import type { Message } from './outbox/message.ts'
import { type Outbox, openOutbox } from './outbox/outbox.ts'
import type { Settings } from './settings/settings.ts'

/** A channel and its state. */
export interface ChannelStatus {
  readonly name: string
  readonly kind: string
  readonly target: string
  readonly from: string
  /** `failing`: messages wait for another attempt; `ended`: the receiver has unsubscribed. */
  readonly state: 'ready' | 'failing' | 'ended'
  /** Why, if it is not ready. */
  readonly why: string | null
  readonly sentAt: number | null
  readonly waiting: number
  readonly sent: number
  readonly dead: number
}

/** A message that could not be delivered in time. */
export interface DeadLetter {
  readonly id: string
  readonly channel: string
  readonly title: string
  readonly attempts: number
  readonly why: string
  readonly at: number
}

/** Everything about notifications, without secrets. */
export interface NotifyStatus {
  readonly settings: Omit<Settings, 'channels' | 'version'>
  readonly channels: readonly ChannelStatus[]
  readonly dead: readonly DeadLetter[]
  readonly problems: readonly string[]
}

const MOST_DEAD = 20

/** Reads the settings and the outbox of a home, also while a service runs. */
export function notifyStatus(home: Home): NotifyStatus {
  const { settings, channels, problems } = openChannels(home)
  const { version, channels: _, ...common } = settings
  const outbox = existsSync(home.outbox) ? openOutbox(home) : null
  try {
    const ended = new Map((outbox?.disabled() ?? []).map((one) => [one.channel, one]))
    const states = channels.map(({ name, kind, target, from, config }) => {
      const end = ended.get(name)
      const known = {
        name,
        kind,
        target,
        from: from ?? settings.from,
        ...(outbox === null ? NOTHING : tally(outbox, name)),
      }
      return end?.config === config ? { ...known, state: 'ended' as const, why: end.why } : known
    })
    return {
      settings: common,
      channels: states,
      dead: (outbox?.latest('dead', MOST_DEAD) ?? []).map(deadLetter),
      problems,
    }
  } finally {
    outbox?.close()
  }
}

const NOTHING = { state: 'ready', why: null, sentAt: null, waiting: 0, sent: 0, dead: 0 } as const

function tally(outbox: Outbox, channel: string): Omit<ChannelStatus, 'name' | 'kind' | 'target' | 'from'> {
  const waiting = outbox.latest('waiting', 100).find((one) => one.channel === channel && one.error !== null)
  const last = outbox.latest('sent', 100).find((one) => one.channel === channel)
  return {
    state: waiting === undefined ? 'ready' : 'failing',
    why: waiting?.error ?? null,
    sentAt: last?.at ?? null,
    waiting: outbox.count(channel, 'waiting'),
    sent: outbox.count(channel, 'sent'),
    dead: outbox.count(channel, 'dead'),
  }
}

function deadLetter({ id, channel, notification, attempts, error, at }: Message): DeadLetter {
  return {
    id,
    channel,
    title: notificationWords(notification, at).title,
    attempts,
    why: error ?? 'not delivered in time',
    at,
  }
}
