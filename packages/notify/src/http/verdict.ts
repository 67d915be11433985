import type { Posted } from './post.ts'

/** The result of one attempt. `gone`: the receiver has unsubscribed. */
export type Delivery =
  | { readonly kind: 'sent' }
  | { readonly kind: 'again'; readonly why: string; readonly afterMs: number | null }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'gone'; readonly why: string }

/** Longest wait that a receiver can ask for. */
const LONGEST_AFTER_MS = 300_000

/** How a channel reads statuses. */
export interface StatusRules {
  /** Statuses that mean the receiver has unsubscribed. */
  readonly gone: readonly number[]
  /** Whether a refusal such as 400 or 401 is tried again, as Standard Webhooks has it. */
  readonly isPatient: boolean
}

/** Reads an answer. INVARIANT: L8, only its status and `Retry-After` count: no response can decide a call. */
export function deliveryOf(posted: Posted, { gone, isPatient }: StatusRules, now: number): Delivery {
  if (posted.kind === 'refused') return { kind: 'failed', why: posted.why }
  if (posted.kind === 'unreachable') return { kind: 'again', why: posted.why, afterMs: null }
  const { status, retryAfter } = posted
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const why = `answered ${status}`
  if (gone.includes(status)) return { kind: 'gone', why }
  if (status >= 300 && status < 400) return { kind: 'failed', why: `${why}, a redirect; use the final URL` }
  const mayHelp = status >= 500 || status === 408 || status === 425 || status === 429
  return mayHelp || isPatient ? { kind: 'again', why, afterMs: waitOf(retryAfter, now) } : { kind: 'failed', why }
}

function waitOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const isDate = retryAfter.endsWith(' GMT')
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1_000
    : isDate
      ? Date.parse(retryAfter) - now
      : Number.NaN
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_AFTER_MS) : null
}
