import type { Clock } from '@countersign/core'
import type { Home } from '@countersign/node'
import type { Channel } from './channels/channel.ts'
import type { Delivery } from './http/verdict.ts'
import type { Message } from './outbox/message.ts'
import type { Outbox } from './outbox/outbox.ts'
import { afterAttempt } from './plan/retry.ts'
import { unsubscribe } from './push/subscriptions.ts'

/** The dependencies of a dispatch. */
export interface DispatchParts {
  readonly home: Home
  readonly clock: Clock
  readonly outbox: Outbox
  /** The URL of the inbox, as people reach it. */
  readonly inbox: string
  readonly stopped: AbortSignal
  /** Called after each attempt. */
  done(): void
  report(line: string): void
  random?(): number
}

/** Attempts to deliver messages. */
export interface Dispatch {
  send(channels: readonly Channel[], waiting: readonly Message[]): void
  /** Resolves once no attempt is in progress. */
  idle(): Promise<void>
}

/** A hanging attempt is abandoned after this time. */
const ATTEMPT_MS = 20_000

/** Creates a dispatch. It never waits: each attempt runs on its own and writes its result to the outbox. */
export function createDispatch(parts: DispatchParts): Dispatch {
  const { home, clock, outbox, inbox, stopped, done, report, random = Math.random } = parts
  const busy = new Map<string, Promise<void>>()

  /** One message at a time per channel, so a hanging channel does not delay the others. */
  function send(channels: readonly Channel[], waiting: readonly Message[]): void {
    for (const channel of channels) {
      if (busy.has(channel.name)) continue
      const next = waiting.find((one) => one.channel === channel.name && one.nextAt <= clock.now())
      if (next === undefined) continue
      // Written to disk before the attempt, so that a message that may have arrived can be replaced later.
      outbox.change(next.id, { ...next, attempts: next.attempts + 1 })
      const attempt = attemptOf(channel, next).finally(() => {
        busy.delete(channel.name)
        if (!stopped.aborted) done()
      })
      busy.set(channel.name, attempt)
    }
  }

  async function attemptOf(channel: Channel, message: Message): Promise<void> {
    const delivery = await deliver(channel, message)
    if (stopped.aborted && delivery.kind !== 'sent') return // sent again after the restart, under its id
    try {
      const now = clock.now()
      const latest = outbox.find(message.id) ?? message
      const change = afterAttempt(message, delivery, now, random())
      const isDropped = latest.state !== 'waiting' && change.state === 'waiting'
      outbox.change(message.id, isDropped ? { ...change, state: latest.state } : change)
      if (delivery.kind === 'gone') await end(channel, delivery.why)
    } catch {
      // An outbox that cannot be written: the message is sent again, under its id.
    }
  }

  async function deliver(channel: Channel, { notification }: Message): Promise<Delivery> {
    const hung = new AbortController()
    const { promise: timedOut, resolve } = Promise.withResolvers<Delivery>()
    const stopTimer = clock.after(ATTEMPT_MS, () => {
      resolve({ kind: 'again', why: 'no answer in time', afterMs: null })
      hung.abort()
    })
    const signal = AbortSignal.any([hung.signal, stopped])
    try {
      const attempt = { notification, now: clock.now(), inbox: inbox, signal }
      return await Promise.race([channel.deliver(attempt), timedOut])
    } catch {
      return { kind: 'again', why: 'internal error', afterMs: null }
    } finally {
      stopTimer()
    }
  }

  async function end(channel: Channel, why: string): Promise<void> {
    report(`the receiver of \`${channel.name}\` has unsubscribed (${why}); see \`countersign notify status\``)
    if (channel.kind === 'push') await unsubscribe(home, channel.name.slice('push:'.length))
    else outbox.disable({ channel: channel.name, config: channel.config, why, at: clock.now() })
  }

  return {
    send,
    async idle() {
      await Promise.all(busy.values())
    },
  }
}
