import type { Asked, CallEnd } from '../gatekeeper/call/exchange.ts'
import type { RawId } from '../wire/message.ts'
import { idKey } from '../wire/request-id.ts'

/** A request of the client that has no answer yet. */
export interface Waiting {
  readonly id: RawId
  readonly method: string
  /** Withdraws it while it is judged or held. */
  readonly gone: AbortController | null
  /** What it is to `fromServer`, once it was sent. */
  asked: Asked | null
  settle: ((end: CallEnd) => Promise<void>) | null
}

/** The requests of one client that wait for an answer, and those it cancelled that may still get one. */
export interface InFlight {
  readonly size: number
  /**
   * Why not, when the id is in use or too many wait already. `cancelled`: a request that ran under this id may still be
   * answered, and nobody could tell its answer from the other's.
   */
  open(id: RawId, method: string): Waiting | 'in-use' | 'cancelled' | 'too-many'
  find(id: RawId): Waiting | undefined
  /** The request whose id some readers take this one for: `"1"` for `1`, and the other way round. */
  findTwin(id: RawId): Waiting | undefined
  /** Takes it out: it was answered. False when it was taken out before. */
  close(waiting: Waiting): boolean
  /** Takes it out: the client wants no answer. One that comes is still looked at as the answer it is. */
  cancel(waiting: Waiting): void
  cancelled(id: RawId): Waiting | undefined
  list(): readonly Waiting[]
}

/** INVARIANT: L10. */
export const MOST_OPEN = 10_000
const MOST_CANCELLED = 1_000

export function createInFlight(): InFlight {
  const open = new Map<string, Waiting>()
  const cancelled = new Map<string, Waiting>()
  return {
    get size() {
      return open.size
    },
    open(id, method) {
      const key = idKey(id)
      if (open.has(key)) return 'in-use'
      if (cancelled.has(key)) return 'cancelled'
      if (open.size >= MOST_OPEN) return 'too-many'
      const gone = method === 'tools/call' ? new AbortController() : null
      const waiting: Waiting = { id, method, gone, asked: null, settle: null }
      open.set(key, waiting)
      return waiting
    },
    find: (id) => open.get(idKey(id)),
    findTwin: (id) => open.get(twinOf(idKey(id))),
    close(waiting) {
      const key = idKey(waiting.id)
      return open.get(key) === waiting && open.delete(key)
    },
    cancel(waiting) {
      const key = idKey(waiting.id)
      open.delete(key)
      if (waiting.asked === null) return
      cancelled.set(key, waiting)
      const oldest = cancelled.size > MOST_CANCELLED ? cancelled.keys().next().value : undefined
      if (oldest !== undefined) cancelled.delete(oldest)
    },
    cancelled(id) {
      const key = idKey(id)
      const found = cancelled.get(key)
      cancelled.delete(key)
      return found
    },
    list: () => [...open.values()],
  }
}

/** As readers do that make every id a number, or every id a text. */
function twinOf(key: string): string {
  if (!key.startsWith('"')) return JSON.stringify(key)
  try {
    return String(Number(JSON.parse(key)))
  } catch {
    return key
  }
}
