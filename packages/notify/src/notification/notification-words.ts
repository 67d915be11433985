import { assertNever, RISK_LEVELS, type RiskLevel } from '@countersign/core'
import type { Notification, NotifiedCall } from './notification.ts'

/** A notification as text: it may appear on a locked screen. */
export interface NotificationWords {
  readonly title: string
  readonly body: string
}

/** The words of a notification at a time; the time left is counted then. */
export function notificationWords(notification: Notification, now: number): NotificationWords {
  const { kind, count, calls } = notification
  const [only] = calls
  if (kind === 'test' || only === undefined)
    return { title: 'Countersign: test', body: 'Notifications work. This is a test: no call is waiting.' }
  const call = count === 1 ? only : null
  switch (kind) {
    case 'held':
      return call === null ? many(`${count} calls are waiting`, notification, now) : single(call, now)
    case 'reminder':
      return call === null
        ? many(`${count} calls expire soon`, notification, now)
        : { ...single(call, now), title: `${call.risk.toUpperCase()} ${call.tool}: still waiting` }
    case 'closed':
      return call === null
        ? { title: 'No longer waiting', body: `${count} calls were decided or expired` }
        : {
            title: `${call.tool}: ${notification.outcome ?? 'no longer waiting'}`,
            body: 'There is nothing left to decide.',
          }
    default:
      return assertNever(kind)
  }
}

/** The highest risk in a notification. */
export function worstRisk(calls: readonly Pick<NotifiedCall, 'risk'>[]): RiskLevel {
  return RISK_LEVELS.findLast((level) => calls.some(({ risk }) => risk === level)) ?? 'none'
}

/** `45 s`, `4 min`, `3 h`, `2 d`: what is left of a time. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`
}

function single({ risk, tool, agent, deadline, summary }: NotifiedCall, now: number): NotificationWords {
  const who = agent === '' ? '' : `Agent ${agent} · `
  const what = summary === null ? '' : `\n${summary}`
  return { title: `${risk.toUpperCase()} ${tool}`, body: `${who}${leftText(deadline - now)} left${what}` }
}

function many(title: string, { calls }: Notification, now: number): NotificationWords {
  const soonest = Math.min(...calls.map(({ deadline }) => deadline))
  const worst = worstRisk(calls).toUpperCase()
  return { title, body: `Highest risk: ${worst} · first expires in ${leftText(soonest - now)}` }
}
