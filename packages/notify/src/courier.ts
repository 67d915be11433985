import { randomBytes } from 'node:crypto'
import { asCountersignError, type Clock } from '@countersign/core'
import type { Home } from '@countersign/node'
import type { Channel } from './channels/channel.ts'
import { createDispatch } from './dispatch.ts'
import type { NotifiedCall } from './notification/notification.ts'
import { openChannels } from './open-channels.ts'
import type { Message } from './outbox/message.ts'
import { type Outbox, openOutbox } from './outbox/outbox.ts'
import { planChannel } from './plan/plan.ts'
import type { Settings } from './settings/settings.ts'

/** The dependencies of the courier. */
export interface CourierParts {
  readonly home: Home
  readonly clock: Clock
  /** The URL of the inbox, as people reach it. */
  readonly inbox: string
  /** A number that changes with every write to the store. */
  storeVersion(): number
  /** The calls that are held now. */
  held(): Promise<readonly NotifiedCall[]>
  /** The outcomes of these calls, in words. */
  outcomes(calls: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Reports to the person who runs the service. */
  report(line: string): void
  /** From 0 to 1. */
  random?(): number
}

/** Sends notifications about held calls until it is closed. */
export interface Courier {
  close(): Promise<void>
}

/** How often the store and the settings are checked for changes. */
const ROUND_MS = 500
/** Settled messages are kept for `notify status`. */
const KEEP_MS = 7 * 24 * 3_600_000

/**
 * Starts the courier. INVARIANT: L8 it only reads the store: no channel can decide or delay a call, whatever it responds.
 * What to send depends only on the held calls and the outbox, so a restart neither forgets nor repeats anything.
 */
export function openCourier(parts: CourierParts): Courier {
  const { home, clock } = parts
  const outbox = openOutbox(home)
  const stopped = new AbortController()
  let told: readonly string[] = []
  let failure: string | null = null
  let version = Number.NaN
  let due = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  let again = false
  let cancel: () => void = () => {}
  const dispatch = createDispatch({ ...parts, outbox, stopped: stopped.signal, done: look })
  outbox.forget(clock.now() - KEEP_MS)

  function reportNew(problems: readonly string[]): void {
    for (const line of problems) if (!told.includes(line)) parts.report(line)
    told = problems
  }

  function round(): void {
    cancel()
    if (stopped.signal.aborted) return
    cancel = clock.after(ROUND_MS, round)
    try {
      const now = parts.storeVersion()
      if (now === version && clock.now() < due) return
      version = now
    } catch {
      version = Number.NaN // a store that cannot be read has no news; the next round tries again
      return
    }
    look()
  }

  function look(): void {
    again = true
    looking ??= lookUntilDone().finally(() => {
      looking = null
    })
  }

  async function lookUntilDone(): Promise<void> {
    while (again && !stopped.signal.aborted) {
      again = false
      try {
        await lookOnce()
        failure = null
      } catch (error) {
        const { message } = asCountersignError(
          error,
          'CS_NOTIFY',
          'notifications are paused: the store or outbox can’t be used',
        )
        if (message !== failure) parts.report(message)
        failure = message
        due = Number.NEGATIVE_INFINITY // tried again in the next round
      }
    }
  }

  async function lookOnce(): Promise<void> {
    const { settings, channels: all, problems } = openChannels(home)
    reportNew(problems)
    const channels = usable(all, outbox)
    const held = await parts.held()
    const open = outbox.open()
    const living = new Set(held.map(({ id }) => id))
    const gone = [...new Set(open.flatMap(({ calls }) => calls))].filter((id) => !living.has(id))
    const outcomes = gone.length === 0 ? new Map<string, string>() : await parts.outcomes(gone)
    const wakes = [clock.now() + SETTINGS_MS]
    for (const channel of channels) {
      const mine = open.filter((message) => message.channel === channel.name)
      const wakeAt = update(channel, settings, held, mine, outcomes)
      if (wakeAt !== null) wakes.push(wakeAt)
    }
    if (problems.length === 0) forgetEnded(channels, open) // a file with a mistake removes no channel
    const waiting = outbox.open().filter(({ state }) => state === 'waiting')
    wakes.push(...waiting.map(({ nextAt }) => nextAt))
    dispatch.send(channels, waiting)
    due = Math.min(...wakes.filter((at) => at > clock.now()))
  }

  function update(
    channel: Channel,
    settings: Settings,
    held: readonly NotifiedCall[],
    open: readonly Message[],
    outcomes: ReadonlyMap<string, string>,
  ): number | null {
    const outcomeOf = (call: string): string | null => outcomes.get(call) ?? null
    const now = clock.now()
    const plan = planChannel({ now, settings, channel, held, open, outcomeOf, newId })
    const late = open.filter(({ state, expiresAt }) => state === 'waiting' && expiresAt <= now)
    if (plan.add.length > 0) outbox.add(plan.add)
    for (const message of plan.drop) outbox.change(message.id, { ...message, state: 'dropped', at: now })
    for (const message of late)
      if (!plan.drop.includes(message))
        outbox.change(message.id, {
          ...message,
          state: 'dead',
          at: now,
          error: message.error ?? 'expired before it was sent',
        })
    if (plan.settle.length > 0) {
      outbox.settle(plan.settle)
      outbox.forget(now - KEEP_MS)
    }
    return plan.wakeAt
  }

  /** Remaining messages of channels that were removed, or whose receivers unsubscribed. */
  function forgetEnded(channels: readonly Channel[], open: readonly Message[]): void {
    const names = new Set(channels.map(({ name }) => name))
    const orphans = open.filter(({ channel }) => !names.has(channel))
    for (const message of orphans)
      if (message.state === 'waiting') outbox.change(message.id, { ...message, state: 'dropped', at: clock.now() })
    if (orphans.length > 0) outbox.settle(orphans.map(({ id }) => id))
  }

  round()
  return {
    async close() {
      cancel()
      stopped.abort()
      await looking
      await dispatch.idle()
      outbox.close()
    },
  }
}

/** The settings are read again at least this often. */
const SETTINGS_MS = 2_000

/** The channels whose receivers did not unsubscribe. */
function usable(channels: readonly Channel[], outbox: Outbox): readonly Channel[] {
  const ended = new Map(outbox.disabled().map(({ channel, config }) => [channel, config]))
  return channels.filter(({ name, config }) => ended.get(name) !== config)
}

function newId(): string {
  return `msg_${randomBytes(16).toString('base64url')}`
}
