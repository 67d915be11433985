import type { RiskLevel } from '@countersign/core'

/** A held call as shown in a notification. SECURITY: A32 no arguments; the summary is the redacted line of its row. */
export interface NotifiedCall {
  readonly id: string
  readonly risk: RiskLevel
  /** Escaped and cut: servers choose the names of their tools. */
  readonly tool: string
  readonly agent: string
  readonly openedAt: number
  readonly deadline: number
  /** What the call would do, redacted. Null unless the settings allow it. */
  readonly summary: string | null
}

/** Why a notification is sent. `closed` replaces an earlier one; `test` is not about a call. */
export type NotificationKind = 'held' | 'reminder' | 'closed' | 'test'

/** One message to one channel. Nothing in it can decide a call. */
export interface Notification {
  /** The same on every attempt. */
  readonly id: string
  readonly kind: NotificationKind
  /** A notification replaces an earlier one with the same tag. */
  readonly tag: string
  /** The riskiest calls, up to `MOST_CALLS`. */
  readonly calls: readonly NotifiedCall[]
  /** All calls it is about. */
  readonly count: number
  /** For `closed`: the outcome of its only call. */
  readonly outcome: string | null
  readonly at: number
}

/** Calls listed in one notification. INVARIANT: L10, the rest are only counted. */
export const MOST_CALLS = 25

/** When a notification is no longer worth sending: at the last deadline of its calls. */
export function expiryOf({ kind, calls, at }: Notification): number {
  if (kind === 'closed' || kind === 'test') return at + TAKE_BACK_MS
  return Math.max(...calls.map(({ deadline }) => deadline))
}

/** How late a notification may still be replaced. */
const TAKE_BACK_MS = 600_000
