/**
 * How long clients wait for a tool before they give up, by what they call themselves; each limit stays a little below.
 * A client that is not listed waits as long as policy says, or cancels by itself.
 */
const CLIENT_LIMITS: readonly { readonly name: RegExp; readonly seconds: number }[] = [
  { name: /^claude-ai$/i, seconds: 50 },
  { name: /^claude-code/i, seconds: 110 },
  { name: /^codex/i, seconds: 50 },
  { name: /^cursor/i, seconds: 50 },
  { name: /^windsurf/i, seconds: 50 },
  { name: /^cline$/i, seconds: 50 },
  { name: /^zed$/i, seconds: 50 },
]

/** How long a `pending` answer is kept back where nothing is known of the client. */
const UNKNOWN_PENDING_MS = 45_000

/** A timer for longer than this, 24 days, goes off at once. */
const LONGEST_MS = 2 ** 31 - 1

/** How calls that need a person are waited for. */
export interface HoldOptions {
  /** `block` keeps the client waiting; `pending` answers in time, and the same call again collects the decision. */
  readonly mode: 'block' | 'pending'
  /** How long the client is kept waiting at most; the client's own limit where absent. */
  readonly limitMs?: number
  /** Between two signs of life to a client that asked for progress. */
  readonly heartbeatMs?: number
}

/** How long this client is kept waiting; null for as long as policy says. */
export function holdLimit({ mode, limitMs }: HoldOptions, agent: string | null): number | null {
  if (limitMs !== undefined) return Math.min(limitMs, LONGEST_MS)
  const known = agent === null ? undefined : CLIENT_LIMITS.find(({ name }) => name.test(agent))
  if (known !== undefined) return known.seconds * 1000
  return mode === 'pending' ? UNKNOWN_PENDING_MS : null
}
