import type { Notification } from '../notification/notification.ts'

/** The state of a message. `dropped`: no longer needed; `dead`: not delivered in time. */
export const MESSAGE_STATES = ['waiting', 'sent', 'dropped', 'dead'] as const

/** One of `MESSAGE_STATES`. */
export type MessageState = (typeof MESSAGE_STATES)[number]

/** A notification on its way to one channel, as it is kept on disk. */
export interface Message {
  readonly id: string
  readonly channel: string
  readonly notification: Notification
  /** Every call it is about; the notification lists only some. */
  readonly calls: readonly string[]
  readonly state: MessageState
  readonly attempts: number
  /** When it may be tried next. */
  readonly nextAt: number
  readonly expiresAt: number
  /** What went wrong last. */
  readonly error: string | null
  /** When its state changed last. */
  readonly at: number
}

/** What an attempt changes in a message. */
export type MessageChange = Pick<Message, 'state' | 'attempts' | 'nextAt' | 'error' | 'at'>
