import {
  type GateEvent,
  type JournalEntry,
  OUTCOMES,
  type PastCall,
  parseEntry,
  type Receipt,
  receiptWords,
  type Store,
} from '@countersign/core'
import { type HeldLine, heldJson, MAX_LIST_BYTES, sessionOf } from './held-call-json.ts'
import type { HeldBoard } from './held-calls.ts'

/** One thing that happened, as the stream tells it: its number is that of the journal's entry. */
export interface FeedEvent {
  readonly seq: number
  readonly event: 'held' | 'closed' | 'notice' | 'grants' | 'policy'
  /** The asker's session it is about; undefined when it is about none in particular. */
  readonly session: string | null | undefined
  /** Its data, written out. */
  readonly json: string
}

/** What happens on the store, in the order of its journal, by whichever process. */
export interface Feed {
  /** Hears every event from now on; `from` is the number of the last entry before. */
  subscribe(listener: (event: FeedEvent) => void): Promise<{ readonly from: number; stop(): void }>
  /** What happened after an entry, up to now; undefined when it is too much, or no longer there. */
  since(seq: number): Promise<readonly FeedEvent[] | undefined>
  /** Call after a write in this process: the store is read after the current turn of the event loop. */
  wake(): void
  /** What a gate of this process tells: a call that is held now is passed on at once. */
  heed(event: GateEvent): void
  readonly listeners: number
  close(): void
}

const POLL_MS = 50
const PAGE = 1_000
/** Entries whose calls are read side by side. INVARIANT: L10. */
const READ_AT_ONCE = 8
/** Who missed more than this gets a snapshot. */
const MOST_MISSED = 1_000
/** Held calls kept for the entries that are about to be read. INVARIANT: L10, the others are read from the store. */
const MOST_FRESH = 100
/** An entry that cannot be read after so many attempts is skipped: a damaged one must not hide the rest. */
const MOST_LOOKS = 3

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
  let soon = false
  let looks = 0
  const fresh = new Map<string, HeldLine>()

  /** In the next turn of the loop: whoever waits for what was just decided is woken in this one. */
  function wake(): void {
    if (listeners.size === 0) return
    again = true
    if (pumping || soon) return
    soon = true
    setImmediate(() => {
      soon = false
      pumping = true
      void pump().finally(() => {
        pumping = false
      })
    })
  }

  /** INVARIANT: the order of the journal. An entry is told from here only when nothing before it is still to be told. */
  function heed(event: GateEvent): void {
    if (listeners.size === 0) return
    if (event.kind === 'held' && !pumping && told === event.seq - 2) {
      told = event.seq
      tell(heldEvent(event.seq, lineOf(event)))
      return
    }
    if (event.kind === 'held' && fresh.size < MOST_FRESH) fresh.set(event.view.requestDigest, lineOf(event))
    wake()
  }

  async function pump(): Promise<void> {
    while (again && listeners.size > 0) {
      again = false
      try {
        const { size } = await store.head()
        while (told < size) {
          const to = Math.min(size, told + PAGE)
          const entries = await store.entries(told + 1, to)
          for (let at = 0; at < entries.length; at += READ_AT_ONCE) {
            const some = entries.slice(at, at + READ_AT_ONCE)
            // A distant store is asked about them at the same time.
            const reads = await Promise.allSettled(some.map(({ line }) => eventsOf(line, board, fresh)))
            for (const [nth, { seq }] of some.entries()) {
              const events = eventsIn(reads[nth])
              if (seq <= told) continue // all went, and somebody came, meanwhile: it stands in their snapshot
              told = seq
              for (const event of events) tell(event)
            }
          }
          told = Math.max(told, to)
        }
        fresh.clear()
      } catch {
        version = Number.NaN // a store that cannot be read has no news; the next check tries again
        return
      }
    }
  }

  /** INVARIANT: what comes behind an entry is told, whatever is wrong with this one. */
  function eventsIn(read: PromiseSettledResult<readonly FeedEvent[]> | undefined): readonly FeedEvent[] {
    if (read?.status !== 'rejected') {
      looks = 0
      return read?.value ?? []
    }
    looks += 1
    if (looks < MOST_LOOKS) throw read.reason
    looks = 0
    return []
  }

  function tell(event: FeedEvent): void {
    for (const listener of listeners) listener(event)
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
    heed,
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
      let bytes = 0
      for (const { line } of await store.entries(seq + 1, size)) {
        const told = await eventsOf(line, board).catch(() => undefined)
        if (told === undefined) return undefined // a snapshot says where it all led
        events.push(...told)
        bytes += told.reduce((all, { json }) => all + json.length, 0)
        if (bytes > MAX_LIST_BYTES) return undefined
      }
      return events
    },
    close() {
      stopPolling()
      listeners.clear()
      fresh.clear()
    },
  }
}

const ENDS: ReadonlySet<string> = new Set(OUTCOMES)
const GRANTS: ReadonlySet<string> = new Set(['grant-given', 'grant-used', 'grant-revoked'])
const POLICY: ReadonlySet<string> = new Set(['policy-changed', 'policy-refused', 'policy-set', 'trusted', 'untrusted'])

type HeldNow = Pick<Extract<GateEvent, { readonly kind: 'held' }>, 'view' | 'session'>
type Fresh = ReadonlyMap<string, HeldLine>
const NOTHING_FRESH: Fresh = new Map()

async function eventsOf(line: string, board: HeldBoard, fresh: Fresh = NOTHING_FRESH): Promise<readonly FeedEvent[]> {
  const entry = parseEntry(line)
  if (entry === undefined) return []
  const { kind, seq } = entry
  if (GRANTS.has(kind)) return [{ seq, event: 'grants', session: undefined, json: '{}' }]
  if (POLICY.has(kind)) {
    return [{ seq, event: 'policy', session: undefined, json: JSON.stringify({ hash: entry['hash'] ?? null }) }]
  }
  if (entry.call === null) return []
  const known = kind === 'held' ? fresh.get(String(entry['request'])) : undefined
  if (known !== undefined) return [heldEvent(seq, known)]
  if (kind === 'held' || isHeldAgain(entry)) return heldEvents(entry, entry.call, board)
  if (kind === 'decided' || kind === 'notice' || ENDS.has(kind)) return callEvents(entry, entry.call, board)
  return []
}

/** A decision that counts for nothing changes nothing, unless it stood in the row: then nobody saw the call waiting. */
function isHeldAgain(entry: JournalEntry): boolean {
  return entry.kind === 'decision-refused' && entry['state'] === 'held again'
}

/** A call that is held, for the first time or again. A call decided meanwhile is reported by its own entry. */
async function heldEvents({ seq }: JournalEntry, id: string, board: HeldBoard): Promise<readonly FeedEvent[]> {
  const view = await board.view(id)
  if (view === undefined) return []
  return [heldEvent(seq, lineOf({ view, session: sessionOf(view) }))]
}

function lineOf({ view, session }: HeldNow): HeldLine {
  return { session, json: heldJson(view) }
}

function heldEvent(seq: number, { session, json }: HeldLine): FeedEvent {
  return { seq, event: 'held', session, json }
}

/** An edited call is judged again before its row can say what it does; one that ended before that never does. */
function insteadOf({ state, summary }: PastCall): string {
  if (summary.startsWith('edited: ')) return summary
  return state === 'closed' ? 'edited: it did not run' : 'edited: judged again before it runs'
}

async function callEvents(entry: JournalEntry, id: string, board: HeldBoard): Promise<readonly FeedEvent[]> {
  const { kind, seq, at } = entry
  const past = await board.past(id)
  if (past === undefined) return []
  const { session, tool, risk, summary, requestDigest, decision } = past
  if (kind === 'notice') {
    const warnings = entry['warnings'] ?? []
    const json = JSON.stringify({ callId: id, effect: summary, tool, risk, at, warnings })
    return [{ seq, event: 'notice', session, json }]
  }
  if (requestDigest === null) return [] // nobody was ever asked about it
  const decided = kind === 'decided' ? (entry['decision'] === 'approve' ? 'approved' : 'rejected') : kind
  const by = kind === 'decided' ? String(entry['by']) : await board.nameOf(decision?.approver ?? null)
  const receipt: Receipt = {
    held: id,
    accepted: kind === 'decided',
    state: decided,
    by,
    at,
    message: receiptWords({ state: decided, by }),
    ...(decision?.edited === true && decision.kind === 'approve' ? { instead: insteadOf(past) } : {}),
  }
  return [{ seq, event: 'closed', session, json: JSON.stringify(receipt) }]
}
