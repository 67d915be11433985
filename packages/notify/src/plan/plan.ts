import { type RiskLevel, riskRank } from '@countersign/core'
import {
  expiryOf,
  MOST_CALLS,
  type Notification,
  type NotificationKind,
  type NotifiedCall,
} from '../notification/notification.ts'
import type { Message } from '../outbox/message.ts'
import { quietUntil } from '../settings/quiet-hours.ts'
import { millisecondsOf, type Settings } from '../settings/settings.ts'
import { tagOf } from './tag.ts'

/** The input of a plan. It is all data, so the same input always gives the same messages. */
export interface PlanInput {
  readonly now: number
  readonly settings: Settings
  readonly channel: { readonly name: string; readonly from: RiskLevel | null; readonly takesBack: boolean }
  /** The calls that are held now. */
  readonly held: readonly NotifiedCall[]
  /** The open messages of this channel. */
  readonly open: readonly Message[]
  /** The outcome of a call that is no longer held. */
  outcomeOf(call: string): string | null
  newId(): string
}

/** What to do for one channel. */
export interface Plan {
  readonly add: readonly Message[]
  /** Waiting messages that are no longer needed. */
  readonly drop: readonly Message[]
  /** Messages that are finished. */
  readonly settle: readonly string[]
  /** When to plan again, if nothing changes until then. */
  readonly wakeAt: number | null
}

/** Decides what to send to one channel now. Pure. */
export function planChannel(input: PlanInput): Plan {
  const held = wanted(input)
  const told = toldIn(input.open)
  const wakes: number[] = []
  const fresh = held.filter(({ id }) => !told.held.has(id))
  const now = loud(fresh, 'held', input, wakes)
  const add: Message[] = []
  if (now.length > 0) {
    const readyAt = readyAtOf(now, input.settings)
    if (readyAt <= input.now) add.push(messageOf('held', now, input))
    else wakes.push(readyAt)
  }
  const dueSoon = held.filter((call) => !told.reminder.has(call.id) && isDue(call, told, input, wakes))
  const announced = new Set(add.flatMap(({ calls }) => calls))
  const reminded = loud(dueSoon, 'reminder', input, wakes).filter(({ id }) => !announced.has(id))
  if (reminded.length > 0) add.push(messageOf('reminder', reminded, input))
  const ended = endedIn(input, add)
  return { add: [...add, ...ended.add], drop: ended.drop, settle: ended.settle, wakeAt: earliest(wakes) }
}

/** The held calls that this channel announces. */
function wanted({ held, channel, settings, now }: PlanInput): readonly NotifiedCall[] {
  const least = riskRank(channel.from ?? settings.from)
  return held.filter(({ risk, deadline }) => riskRank(risk) >= least && deadline > now)
}

/** The calls that were already announced, and when first. */
interface Told {
  readonly held: ReadonlyMap<string, number>
  readonly reminder: ReadonlyMap<string, number>
}

function toldIn(open: readonly Message[]): Told {
  const of = (kind: NotificationKind) =>
    new Map(
      open
        .filter(({ notification }) => notification.kind === kind)
        .toReversed()
        .flatMap(({ calls, notification }) => calls.map((id) => [id, notification.at] as const)),
    )
  return { held: of('held'), reminder: of('reminder') }
}

/** The calls that may be announced during quiet hours. The others wait until the quiet hours end. */
function loud(
  calls: readonly NotifiedCall[],
  kind: 'held' | 'reminder',
  { settings, now }: PlanInput,
  wakes: number[],
): readonly NotifiedCall[] {
  const until = quietUntil(settings, now)
  if (until === null || calls.length === 0) return calls
  const { except = [] } = settings.quiet ?? {}
  if (kind === 'reminder' && except.includes('reminder')) return calls
  wakes.push(until)
  return except.includes('critical') ? calls.filter(({ risk }) => risk === 'critical') : []
}

/** Calls that arrive within the merge time share a message; a call that expires within it does not wait. */
function readyAtOf(calls: readonly NotifiedCall[], { merge }: Settings): number {
  const wait = millisecondsOf(merge)
  return Math.min(...calls.map(({ openedAt, deadline }) => Math.min(openedAt + wait, deadline - wait)))
}

/** Whether a reminder is due. Calls with less than twice the reminder time to decide, or first announced later, get none. */
function isDue(call: NotifiedCall, told: Told, { settings, now }: PlanInput, wakes: number[]): boolean {
  if (settings.reminder === 'off') return false
  const { id, openedAt, deadline } = call
  const lead = millisecondsOf(settings.reminder)
  const dueAt = deadline - lead
  if (deadline - openedAt < 2 * lead || (told.held.get(id) ?? 0) >= dueAt) return false
  if (dueAt > now) wakes.push(dueAt)
  return dueAt <= now
}

/** Replaces messages about calls that are over, and drops messages that are no longer needed. */
function endedIn({ channel, held, open, outcomeOf, ...input }: PlanInput, added: readonly Message[]) {
  const living = new Set(held.map(({ id }) => id))
  const add: Message[] = []
  const drop: Message[] = []
  const settle: string[] = []
  const tags = Map.groupBy(open, ({ notification }) => notification.tag)
  for (const messages of tags.values()) {
    const news = messages.filter(({ notification }) => notification.kind !== 'closed')
    const back = messages.find(({ notification }) => notification.kind === 'closed')
    const isOver = news.every(({ calls }) => calls.every((id) => !living.has(id)))
    const replaced = added.some(({ notification }) => news.some((one) => one.notification.tag === notification.tag))
    if (isOver || replaced) drop.push(...news.filter(({ state }) => state === 'waiting'))
    if (!isOver) continue
    const [first] = news
    // An attempt in progress may have arrived.
    const wasTold = news.some(({ state, attempts }) => state === 'sent' || attempts > 0)
    if (first !== undefined && back === undefined && wasTold && channel.takesBack) {
      const [only] = first.calls
      const outcome = first.calls.length === 1 && only !== undefined ? outcomeOf(only) : null
      add.push(takeBack(first, outcome, { channel, ...input }))
    } else if (back === undefined || back.state !== 'waiting') settle.push(...messages.map(({ id }) => id))
  }
  return { add, drop, settle }
}

type MessageParts = Pick<PlanInput, 'now' | 'newId' | 'channel'>

function messageOf(
  kind: 'held' | 'reminder',
  calls: readonly NotifiedCall[],
  parts: MessageParts & Pick<PlanInput, 'settings'>,
): Message {
  const ids = calls.map(({ id }) => id)
  const mostRisky = calls.toSorted((a, b) => riskRank(b.risk) - riskRank(a.risk) || a.deadline - b.deadline)
  const listed = mostRisky.slice(0, MOST_CALLS)
  const shown = parts.settings.details === 'summary' ? listed : listed.map((call) => ({ ...call, summary: null }))
  return waiting({ kind, tag: tagOf(ids), calls: shown, count: calls.length, outcome: null }, ids, parts)
}

function takeBack({ notification, calls }: Message, outcome: string | null, parts: MessageParts): Message {
  const { tag, count } = notification
  return waiting({ kind: 'closed', tag, calls: notification.calls, count, outcome }, calls, parts)
}

function waiting(told: Omit<Notification, 'id' | 'at'>, calls: readonly string[], parts: MessageParts): Message {
  const { now, newId, channel } = parts
  const notification = { ...told, id: newId(), at: now }
  const { id } = notification
  const state = { state: 'waiting', attempts: 0, nextAt: now, error: null } as const
  return { id, channel: channel.name, notification, calls, ...state, expiresAt: expiryOf(notification), at: now }
}

function earliest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times)
}
