import { randomBytes } from 'node:crypto'
import { asCountersignError, type Clock } from '@countersign/core'
import type { Home } from '@countersign/node'
import type { Channel } from './channels/channel.ts'
import type { Delivery } from './http/verdict.ts'
import type { NotifiedCall } from './notification/notification.ts'
import { type OpenedChannels, openChannels } from './open-channels.ts'
import type { Message } from './outbox/message.ts'
import { type Outbox, openOutbox } from './outbox/outbox.ts'
import { planChannel } from './plan/plan.ts'
import { afterAttempt } from './plan/retry.ts'
import { unsubscribe } from './push/subscriptions.ts'

/** What the courier needs of the process it runs in. */
export interface CourierParts {
  readonly home: Home
  readonly clock: Clock
  /** The URL of the inbox, as people reach it. */
  readonly inbox: string
  /** A number that moves whenever something was written to the store. */
  storeVersion(): number
  /** The calls that are held now. */
  held(): Promise<readonly NotifiedCall[]>
  /** What became of these calls, in words. */
  outcomes(calls: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Tells the person who runs the service. */
  report(line: string): void
  /** From 0 to 1. */
  random?(): number
}

/** Sends notifications about held calls until it is closed. */
export interface Courier {
  close(): Promise<void>
}

/** How often the store and the settings are compared with the last look. */
const ROUND_MS = 500
/** An attempt that hangs is given up after this, whatever its channel does. */
const ATTEMPT_MS = 20_000
/** Settled messages are kept for `notify status`. */
const KEEP_MS = 7 * 24 * 3_600_000

/**
 * Starts the courier. INVARIANT: L8 it only reads the store: no channel can decide a call, or delay one, whatever it answers.
 * What is to be sent follows from the held calls and the outbox alone, so that a restart forgets and repeats nothing.
 */
export function openCourier(parts: CourierParts): Courier {
  const { home, clock } = parts
  const outbox = openOutbox(home)
  const busy = new Map<string, Promise<void>>()
  const stopped = new AbortController()
  let told: readonly string[] = []
  let failure: string | null = null
  let version = Number.NaN
  let due = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  let again = false
  let cancel: () => void = () => {}
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
          'notifications wait: the store or outbox cannot be used',
        )
        if (message !== failure) parts.report(message)
        failure = message
        due = Number.NEGATIVE_INFINITY // tried again in the next round
      }
    }
  }

  async function lookOnce(): Promise<void> {
    const opened = openChannels(home)
    reportNew(opened.problems)
    const held = await parts.held()
    const open = outbox.open()
    const living = new Set(held.map(({ id }) => id))
    const gone = [...new Set(open.flatMap(({ calls }) => calls))].filter((id) => !living.has(id))
    const outcomes = gone.length === 0 ? new Map<string, string>() : await parts.outcomes(gone)
    const wakes = [clock.now() + SETTINGS_MS]
    for (const channel of usable(opened, outbox)) {
      const mine = open.filter((message) => message.channel === channel.name)
      const wakeAt = update(channel, opened, held, mine, outcomes)
      if (wakeAt !== null) wakes.push(wakeAt)
    }
    forgetEnded(opened, open)
    const waiting = outbox.open().filter(({ state }) => state === 'waiting')
    wakes.push(...waiting.map(({ nextAt }) => nextAt))
    send(opened, waiting)
    due = Math.min(...wakes.filter((at) => at > clock.now()))
  }

  function update(
    channel: Channel,
    { settings }: OpenedChannels,
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

  /** What is left of channels that were removed, or that their receivers ended. */
  function forgetEnded(opened: OpenedChannels, open: readonly Message[]): void {
    const names = new Set(usable(opened, outbox).map(({ name }) => name))
    const orphans = open.filter(({ channel }) => !names.has(channel))
    for (const message of orphans)
      if (message.state === 'waiting') outbox.change(message.id, { ...message, state: 'dropped', at: clock.now() })
    if (orphans.length > 0) outbox.settle(orphans.map(({ id }) => id))
  }

  /** One message at a time for each channel: those of others do not wait for one that hangs. */
  function send(opened: OpenedChannels, waiting: readonly Message[]): void {
    for (const channel of usable(opened, outbox)) {
      if (busy.has(channel.name)) continue
      const next = waiting.find((one) => one.channel === channel.name && one.nextAt <= clock.now())
      if (next === undefined) continue
      // On disk before it starts: what may have arrived is taken back later.
      outbox.change(next.id, { ...next, attempts: next.attempts + 1 })
      const attempt = attemptOf(channel, next).finally(() => {
        busy.delete(channel.name)
        if (!stopped.signal.aborted) look()
      })
      busy.set(channel.name, attempt)
    }
  }

  async function attemptOf(channel: Channel, message: Message): Promise<void> {
    const delivery = await deliver(channel, message)
    if (stopped.signal.aborted && delivery.kind !== 'sent') return // sent again after the restart, under its id
    try {
      const now = clock.now()
      const latest = outbox.find(message.id) ?? message
      const change = afterAttempt(message, delivery, now, (parts.random ?? Math.random)())
      const isDropped = latest.state !== 'waiting' && change.state === 'waiting'
      outbox.change(message.id, isDropped ? { ...change, state: latest.state } : change)
      if (delivery.kind === 'gone') await end(channel, delivery.why)
    } catch {
      due = Number.NEGATIVE_INFINITY // an outbox that cannot be written: the message is sent again, under its id
    }
  }

  async function deliver(channel: Channel, { notification }: Message): Promise<Delivery> {
    const hung = new AbortController()
    const { promise: timedOut, resolve } = Promise.withResolvers<Delivery>()
    const stopTimer = clock.after(ATTEMPT_MS, () => {
      resolve({ kind: 'again', why: 'no answer in time', afterMs: null })
      hung.abort()
    })
    const signal = AbortSignal.any([hung.signal, stopped.signal])
    try {
      const attempt = { notification, now: clock.now(), inbox: parts.inbox, signal }
      return await Promise.race([channel.deliver(attempt), timedOut])
    } catch {
      return { kind: 'again', why: 'internal error', afterMs: null }
    } finally {
      stopTimer()
    }
  }

  async function end(channel: Channel, why: string): Promise<void> {
    parts.report(
      `the receiver of \`${channel.name}\` wants no more messages (${why}); see \`countersign notify status\``,
    )
    if (channel.kind === 'push') await unsubscribe(home, channel.name.slice('push:'.length))
    else outbox.disable({ channel: channel.name, config: channel.config, why, at: clock.now() })
  }

  round()
  return {
    async close() {
      cancel()
      stopped.abort()
      await looking
      await Promise.all(busy.values())
      outbox.close()
    },
  }
}

/** The settings are read again at least this often. */
const SETTINGS_MS = 2_000

/** The channels whose receivers did not end them. */
function usable({ channels }: OpenedChannels, outbox: Outbox): readonly Channel[] {
  const ended = new Map(outbox.disabled().map(({ channel, config }) => [channel, config]))
  return channels.filter(({ name, config }) => ended.get(name) !== config)
}

function newId(): string {
  return `msg_${randomBytes(16).toString('base64url')}`
}
