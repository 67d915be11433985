import type { CallEnd, SentRequest } from '../gatekeeper/call/exchange.ts'
import type { RawId } from '../wire/message.ts'
import { idKey } from '../wire/message.ts'

/** A client’s request without a response yet. */
export interface Waiting {
  readonly id: RawId
  readonly method: string
  /** Withdraws it while it is judged or held. */
  readonly gone: AbortController | null
  /** Its record for `fromServer`, once it was sent. */
  asked: SentRequest | null
  settle: ((end: CallEnd) => Promise<void>) | null
}

/** The open requests of one client, and the cancelled ones that may still get a response. */
export interface InFlight {
  readonly size: number
  /**
   * Opens a request, or returns why not. `cancelled`: a cancelled request with this id may still get a response, which
   * could not be told apart.
   */
  open(id: RawId, method: string): Waiting | 'in-use' | 'cancelled' | 'too-many'
  find(id: RawId): Waiting | undefined
  /** The open request whose id some readers confuse with this one: `"1"` for `1` and vice versa. */
  findTwin(id: RawId): Waiting | undefined
  /** Removes an answered request. False when it was removed before. */
  close(waiting: Waiting): boolean
  /** Removes a cancelled request; a late response is still checked. */
  cancel(waiting: Waiting): void
  cancelled(id: RawId): Waiting | undefined
  list(): readonly Waiting[]
}

/** INVARIANT: L10. */
export const MAX_OPEN = 10_000
const MAX_CANCELLED = 1_000

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
      if (open.size >= MAX_OPEN) return 'too-many'
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
      const oldest = cancelled.size > MAX_CANCELLED ? cancelled.keys().next().value : undefined
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

/** The id as readers see it that turn every id into a number, or into a string. */
function twinOf(key: string): string {
  if (!key.startsWith('"')) return JSON.stringify(key)
  try {
    return String(Number(JSON.parse(key)))
  } catch {
    return key
  }
}
