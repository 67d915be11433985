import { createDeadlines } from '@countersign/node'

/**
 * The tool timeouts of known clients, by the name they give; each limit is a little shorter. Other clients wait as long
 * as policy demands, or cancel.
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

/** How long a `pending` answer is delayed for an unknown client. */
const UNKNOWN_PENDING_MS = 45_000

/** Longer timers (24 days) would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

/** How the client waits for a decision. */
export interface HoldOptions {
  /** `block` keeps the client waiting; `pending` answers in time, and the same call collects the decision later. */
  readonly mode: 'block' | 'pending'
  /** The longest wait; the known limit of the client when absent. */
  readonly limitMs?: number
  /** The interval of progress notifications. */
  readonly heartbeatMs?: number
}

/** How long this client waits; null for as long as policy demands. */
export function holdLimit({ mode, limitMs }: HoldOptions, agent: string | null): number | null {
  if (limitMs !== undefined) return Math.min(limitMs, LONGEST_MS)
  const known = agent === null ? undefined : CLIENT_LIMITS.find(({ name }) => name.test(agent))
  if (known !== undefined) return known.seconds * 1000
  return mode === 'pending' ? UNKNOWN_PENDING_MS : null
}

const HEARTBEAT_MS = 5_000

/**
 * Sends progress to a waiting client under its token. The values rise and stay below zero, so that any progress of the
 * tool is higher. Returns a function to stop.
 */
export function startHeartbeat(
  token: string | null,
  send: (bytes: Buffer) => void,
  intervalMs = HEARTBEAT_MS,
): () => void {
  if (token === null) return () => {}
  let beats = 0
  const timer = setInterval(() => {
    beats += 1
    send(
      Buffer.from(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${-1 / beats},"message":"waiting for approval"}}`,
      ),
    )
  }, intervalMs)
  return () => clearInterval(timer)
}

/** Reports what is not done in time; nearly everything is done long before. */
interface OverdueTimer {
  /** Calls `tell` once, unless the returned function is called first. */
  watch(tell: () => void): () => void
}

interface Watched {
  readonly due: number
  readonly tell: () => void
}

export function createOverdueTimer(afterMs: number): OverdueTimer {
  /** Ordered by start, and therefore by deadline. */
  const watched = new Set<Watched>()
  const deadlines = createDeadlines((now) => {
    for (const one of watched) {
      if (one.due > now) return one.due
      watched.delete(one)
      one.tell()
    }
    return Infinity
  })
  return {
    watch(tell) {
      const one = { due: deadlines.within(afterMs), tell }
      watched.add(one)
      return () => watched.delete(one)
    },
  }
}
