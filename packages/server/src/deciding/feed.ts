import { type JournalEntry, OUTCOMES, parseEntry, type Receipt, type Store } from '@countersign/core'
import type { HeldBoard } from './held-board.ts'

/** One thing that happened, as the stream tells it: its number is that of the journal's entry. */
export interface FeedEvent {
  readonly seq: number
  readonly event: 'held' | 'closed' | 'notice' | 'grants' | 'policy'
  /** The asker's session it is about; undefined when it is about none in particular. */
  readonly session: string | null | undefined
  readonly data: unknown
}

/** What happens on the store, in the order of its journal, by whichever process. */
export interface Feed {
  /** Hears every event from now on; `from` is the number of the last entry before. */
  subscribe(listener: (event: FeedEvent) => void): Promise<{ readonly from: number; stop(): void }>
  /** What happened after an entry, up to now; undefined when it is too much, or no longer there. */
  since(seq: number): Promise<readonly FeedEvent[] | undefined>
  /** Something was written in this process: look now. */
  wake(): void
  readonly listeners: number
  close(): void
}

const POLL_MS = 50
const PAGE = 1_000
/** Who missed more than this gets a snapshot. */
const MOST_MISSED = 1_000

/**
 * Tells the journal's news. The journal is the one list of everything that moved a call, written in the same transaction:
 * nothing can be missed, nothing told twice, and numbers go on rising after a restart.
 */
export function createFeed(store: Store, board: HeldBoard): Feed {
  const listeners = new Set<(event: FeedEvent) => void>()
  let told = 0
  let version = Number.NaN
  let timer: ReturnType<typeof setInterval> | undefined
  let pumping = false
  let again = false

  function wake(): void {
    if (listeners.size === 0) return
    again = true
    if (pumping) return
    pumping = true
    void pump().finally(() => {
      pumping = false
    })
  }

  async function pump(): Promise<void> {
    while (again && listeners.size > 0) {
      again = false
      try {
        const { size } = await store.head()
        while (told < size) {
          const to = Math.min(size, told + PAGE)
          const page = await store.entries(told + 1, to)
          told = to
          for (const { line } of page) for (const event of await eventsOf(line, board)) tell(event)
        }
      } catch {
        return // a store that cannot be read tells nothing; the next look tries again
      }
    }
  }

  function tell(event: FeedEvent): void {
    for (const listener of [...listeners]) listener(event)
  }

  function poll(): void {
    try {
      const now = store.version()
      if (now === version) return
      version = now
      wake()
    } catch {
      version = Number.NaN
    }
  }

  function stopPolling(): void {
    clearInterval(timer)
    timer = undefined
  }

  return {
    wake,
    get listeners() {
      return listeners.size
    },
    async subscribe(listener) {
      if (listeners.size === 0) told = (await store.head()).size
      listeners.add(listener)
      timer ??= setInterval(poll, POLL_MS)
      return {
        from: told,
        stop() {
          listeners.delete(listener)
          if (listeners.size === 0) stopPolling()
        },
      }
    },
    async since(seq) {
      const { size } = await store.head()
      const archived = (await store.spans()).at(-1)?.to ?? 0
      if (seq > size || seq < archived || size - seq > MOST_MISSED) return undefined
      const events: FeedEvent[] = []
      for (const { line } of await store.entries(seq + 1, size)) events.push(...(await eventsOf(line, board)))
      return events
    },
    close() {
      stopPolling()
      listeners.clear()
    },
  }
}

const ENDS: ReadonlySet<string> = new Set(OUTCOMES)
const GRANTS: ReadonlySet<string> = new Set(['grant-given', 'grant-used', 'grant-revoked'])
const POLICY: ReadonlySet<string> = new Set(['policy-changed', 'policy-refused', 'trusted', 'untrusted'])

async function eventsOf(line: string, board: HeldBoard): Promise<readonly FeedEvent[]> {
  const entry = line.includes('"kind":"judged"') ? undefined : parseEntry(line)
  if (entry === undefined) return []
  const { kind, seq } = entry
  if (GRANTS.has(kind)) return [{ seq, event: 'grants', session: undefined, data: {} }]
  if (POLICY.has(kind)) return [{ seq, event: 'policy', session: undefined, data: { hash: entry['hash'] ?? null } }]
  if (entry.call === null) return []
  if (kind === 'held' || kind === 'decision-refused') return heldEvents(entry, entry.call, board)
  if (kind === 'decided' || kind === 'notice' || ENDS.has(kind)) return callEvents(entry, entry.call, board)
  return []
}

/** A call that waits, anew or still. One that was decided meanwhile is told by the entry that says so. */
async function heldEvents({ seq }: JournalEntry, id: string, board: HeldBoard): Promise<readonly FeedEvent[]> {
  const view = await board.view(id)
  if (view === undefined) return []
  const { call } = JSON.parse(view.request) as { readonly call: { readonly session: string | null } }
  return [{ seq, event: 'held', session: call.session, data: view }]
}

async function callEvents(entry: JournalEntry, id: string, board: HeldBoard): Promise<readonly FeedEvent[]> {
  const { kind, seq, at } = entry
  const past = await board.past(id)
  if (past === undefined) return []
  const { session, tool, risk, summary, requestDigest, decision } = past
  if (kind === 'notice') {
    return [{ seq, event: 'notice', session, data: { callId: id, effect: summary, tool, risk, at } }]
  }
  if (requestDigest === null) return [] // nobody was ever asked about it
  const decided = kind === 'decided' ? (entry['decision'] === 'approve' ? 'approved' : 'rejected') : kind
  const by = kind === 'decided' ? String(entry['by']) : await board.nameOf(decision?.approver ?? null)
  const message = by === null ? decided : `${decided} by ${by}`
  const receipt: Receipt = { held: id, accepted: kind === 'decided', state: decided, by, at, message }
  return [{ seq, event: 'closed', session, data: receipt }]
}
