import { hash } from 'node:crypto'
import { asCountersignError, assertNever } from '@countersign/core'
import { type Home, openPushKey } from '@countersign/node'
import type { Channel } from './channels/channel.ts'
import { desktopChannel } from './channels/desktop.ts'
import { ntfyChannel } from './channels/ntfy.ts'
import { pushChannel } from './channels/push.ts'
import { webhookChannel } from './channels/webhook.ts'
import { readSubscriptions } from './push/subscriptions.ts'
import { type ChannelSettings, NO_SETTINGS, type Settings } from './settings/settings.ts'
import { readSettings } from './settings/settings-file.ts'

/** The current notification settings of the home. */
export interface OpenedChannels {
  readonly settings: Settings
  readonly channels: readonly Channel[]
  /** One line for each file that can't be used. Its channels are off; held calls are unaffected. */
  readonly problems: readonly string[]
}

/** Reads the settings and subscriptions of a home. Never throws: a file that can't be used becomes a problem to report. */
export function openChannels(home: Home): OpenedChannels {
  const problems: string[] = []
  function tried<T>(read: () => T, otherwise: T): T {
    try {
      return read()
    } catch (error) {
      problems.push(asCountersignError(error, 'CS_NOTIFY', 'cannot read the notification settings').message)
      return otherwise
    }
  }
  const settings = tried(() => readSettings(home), NO_SETTINGS)
  const named = Object.entries(settings.channels).map(([name, one]) => channelOf(name, one))
  const hosts = settings.push?.hosts ?? []
  const parts = { hosts, key: () => openPushKey(home) }
  const subscribed = tried(() => readSubscriptions(home), []).map((one) => ({
    ...pushChannel(one, parts),
    config: digest(one),
    from: null,
  }))
  return { settings, channels: [...named, ...subscribed], problems }
}

function channelOf(name: string, settings: ChannelSettings): Channel {
  const known = { config: digest(settings), from: settings.from ?? null }
  switch (settings.kind) {
    case 'desktop':
      return { ...desktopChannel(name), ...known }
    case 'ntfy':
      return { ...ntfyChannel(name, settings), ...known }
    case 'webhook':
      return { ...webhookChannel(name, settings), ...known }
    default:
      return assertNever(settings)
  }
}

function digest(value: object): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, 16)
}
