import type { RiskLevel } from '@countersign/core'
import type { Delivery } from '../http/verdict.ts'
import type { Notification } from '../notification/notification.ts'

/** What a channel needs to deliver one notification. */
export interface Attempt {
  readonly notification: Notification
  readonly now: number
  /** The URL of the inbox, without a slash at its end. */
  readonly inbox: string
  readonly signal: AbortSignal
}

/** A way to reach a person. */
export interface Channel {
  readonly name: string
  readonly kind: 'desktop' | 'ntfy' | 'webhook' | 'push'
  /** Where it leads, without secrets. */
  readonly target: string
  /** Differs between configurations: a changed channel is a new one to those who disabled it. */
  readonly config: string
  /** The lowest risk it is told of; null for that of all channels. */
  readonly from: RiskLevel | null
  /** Whether a notification can be taken back or updated. */
  readonly takesBack: boolean
  deliver(attempt: Attempt): Promise<Delivery>
}

/** The page that a notification opens: its only call, or the list. */
export function linkOf({ calls, count }: Notification, inbox: string): string {
  const [only] = calls
  return count === 1 && only !== undefined ? `${inbox}/held/${encodeURIComponent(only.id)}` : `${inbox}/`
}
