import type { EntryBody } from '@countersign/core'
import { looksLikeCall } from '../wire/method-name.ts'

/** What happened between one client and one server, counted, and told to the journal. */
export interface SessionNotes {
  /** A message that went on, by its method. */
  passed(from: 'client' | 'server', method: string): void
  /** A message that did not go on, and why. `what` is its method, the code of what was malformed, or `tools/call` and a tool. */
  refused(from: 'client' | 'server', what: string, why: string): void
  /** The session is over: what was not told yet is. */
  close(): void
}

/** INVARIANT: L10. Past these, names and refusals of one kind are only counted. */
const MOST_METHODS = 64
const MOST_REFUSALS = 100
const LONGEST_TEXT = 200

/** A process may be killed: then no more is lost than what passed since the last summary. */
const FIRST_MS = 60_000
const EVERY_MS = 5 * 60_000

/** Each has a bound of its own, so that a flood of one hides no other. Methods share one: there are any number of them. */
const KINDS: ReadonlySet<string> = new Set(
  'parse batch duplicate-key not-rpc too-large too-deep bad-utf8 tools/list answer outcome'.split(' '),
)

/**
 * Takes notes for one session. `record` writes an entry of the journal; it may fail without anyone noticing here.
 * `agent` is what the client calls itself by now.
 */
export function takeNotes(
  server: string,
  record: (entry: EntryBody) => void,
  agent: () => string | null,
): SessionNotes {
  let counts = emptyCounts()
  let refusals = 0
  let timer: NodeJS.Timeout | undefined
  let waitMs = FIRST_MS
  let isOver = false
  const written = new Map<string, number>()

  /** What happened since the summary before: all of a session's together are the whole. */
  function summary(): void {
    clearTimeout(timer)
    timer = undefined
    waitMs = EVERY_MS
    const { client, server: upstream } = counts
    if (client.size === 0 && upstream.size === 0 && refusals === 0) return
    record({
      kind: 'relayed',
      call: null,
      server,
      agent: agent(),
      client: Object.fromEntries(client),
      upstream: Object.fromEntries(upstream),
      refused: refusals,
    })
    counts = emptyCounts()
    refusals = 0
  }

  /** A quiet session has no timer, and none keeps the process alive. */
  function soon(): void {
    if (!isOver) timer ??= setTimeout(summary, waitMs).unref()
  }

  return {
    passed(from, method) {
      const names = counts[from]
      const before = names.get(method)
      if (before !== undefined) names.set(method, before + 1)
      else {
        const name = names.size < MOST_METHODS ? method.slice(0, LONGEST_TEXT) : 'others'
        names.set(name, (names.get(name) ?? 0) + 1)
        soon()
      }
    },
    refused(from, what, why) {
      refusals += 1
      soon()
      if (!isCall(from, what)) {
        const kind = `${from} ${KINDS.has(what) ? what : 'method'}`
        const before = written.get(kind) ?? 0
        if (before >= MOST_REFUSALS) return
        written.set(kind, before + 1)
      }
      record({
        kind: 'message-refused',
        call: null,
        server,
        from,
        what: what.slice(0, LONGEST_TEXT).toWellFormed(),
        why: why.slice(0, LONGEST_TEXT).toWellFormed(),
      })
    },
    close() {
      isOver = true
      summary()
    },
  }
}

interface Counts {
  readonly client: Map<string, number>
  readonly server: Map<string, number>
}

function emptyCounts(): Counts {
  return { client: new Map(), server: new Map() }
}

/** INVARIANT: a call that did not pass is always written down, as one that did is; also what only looks like one. */
function isCall(from: 'client' | 'server', what: string): boolean {
  return from === 'client' && looksLikeCall(what.split(' ', 1)[0] ?? what)
}
