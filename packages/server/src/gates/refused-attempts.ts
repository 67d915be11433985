import { type Crypto, draftEntry, type Store } from '@countersign/core'

const WINDOW_MS = 60_000
/** Entries a minute of each kind: whoever tries more often is counted, not written out. INVARIANT: L10. */
const MOST = 60
/** Entries a minute of one sign-in, so that no one takes the room of all others. */
const MOST_OF_ONE = 20

/** Records unauthorized attempts. SECURITY: A2, the attempt itself must be visible. */
export interface RefusedAttempts {
  /** An asker tried to decide. */
  record(surface: 'socket' | 'http' | 'page', message: string): void
  /** Whether a rejected decision of this sign-in gets its own entry. */
  mayRecord(session: string): boolean
  /** Writes down how many were only counted. */
  close(): void
}

/** Recording never fails the answer that refuses. What is only counted is told in one entry, at the end of its minute. */
export function createRefusedAttempts(
  store: Store,
  crypto: Crypto,
  now: () => number,
  windowMs: number = WINDOW_MS,
): RefusedAttempts {
  function write(code: 'CS_ASKER' | 'CS_DECISION_FORGED', surface: string, message: string, unwritten: number): void {
    const body = { kind: 'decision-refused', call: null, code, message, surface, unwritten }
    store.commit({ entries: [draftEntry(body, now(), crypto)], durable: false }).catch(() => {})
  }

  const asked = createTally(now, windowMs, (unwritten) =>
    write('CS_ASKER', 'http', `${unwritten} more attempts by agents, not recorded separately`, unwritten),
  )
  const decided = createTally(now, windowMs, (unwritten) =>
    write('CS_DECISION_FORGED', 'http', `${unwritten} more invalid decisions, not recorded separately`, unwritten),
  )
  return {
    record(surface, message) {
      if (asked.isRoom('all')) write('CS_ASKER', surface, message, asked.take())
    },
    mayRecord: (session) => decided.isRoom(session, MOST_OF_ONE),
    close() {
      asked.close()
      decided.close()
    },
  }
}

/** Counts within a window, of each and of all; what found no room is told at its end, once. */
function createTally(now: () => number, windowMs: number, summarize: (unwritten: number) => void) {
  let since = Number.NEGATIVE_INFINITY
  let all = 0
  let unwritten = 0
  let ending: ReturnType<typeof setTimeout> | undefined
  const each = new Map<string, number>()

  function close(): void {
    clearTimeout(ending)
    ending = undefined
    if (unwritten > 0) summarize(take())
  }

  function take(): number {
    const taken = unwritten
    unwritten = 0
    return taken
  }

  return {
    close,
    /** How many had no entry since the last that had one. */
    take,
    isRoom(who: string, mostOfOne: number = MOST): boolean {
      const at = now()
      if (at - since >= windowMs) {
        since = at
        all = 0
        each.clear()
      }
      const mine = each.get(who) ?? 0
      if (mine < mostOfOne && all < MOST) {
        each.set(who, mine + 1)
        all += 1
        return true
      }
      unwritten += 1
      ending ??= setTimeout(close, windowMs).unref()
      return false
    },
  }
}
