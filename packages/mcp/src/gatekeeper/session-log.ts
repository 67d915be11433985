import type { EntryBody } from '@countersign/core'
import { looksLikeCall } from '../wire/method-name.ts'

/** Counts the messages of one session, and reports them to the journal. */
export interface SessionLog {
  /** A forwarded message, by its method. */
  passed(from: 'client' | 'server', method: string): void
  /** A refused message and why. `what` is its method, the code of a malformed message, or `tools/call` and a tool. */
  refused(from: 'client' | 'server', what: string, why: string): void
  /** Ends the session, and writes the last summary. */
  close(): void
}

/** INVARIANT: L10. Beyond these limits, names and refusals are only counted. */
const MAX_METHODS = 64
const MAX_REFUSALS = 100
const LONGEST_TEXT = 200

/** If the process is killed, at most the messages since the last summary are lost. */
const FIRST_MS = 60_000
const EVERY_MS = 5 * 60_000

/** Each kind has its own limit, so that a flood of one hides no other. All methods share one. */
const KINDS: ReadonlySet<string> = new Set(
  'parse batch duplicate-key not-rpc too-large too-deep bad-utf8 tools/list answer outcome'.split(' '),
)

/**
 * Opens the log of one session. `record` appends a journal entry and may fail silently; `agent` is the current name of
 * the client.
 */
export function openSessionLog(
  server: string,
  record: (entry: EntryBody) => void,
  agent: () => string | null,
): SessionLog {
  let counts = emptyCounts()
  let refusals = 0
  let timer: NodeJS.Timeout | undefined
  let waitMs = FIRST_MS
  let isOver = false
  const written = new Map<string, number>()

  /** Writes what happened since the last summary. */
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

  /** A quiet session has no timer, and no timer keeps the process alive. */
  function soon(): void {
    if (!isOver) timer ??= setTimeout(summary, waitMs).unref()
  }

  return {
    passed(from, method) {
      const names = counts[from]
      const before = names.get(method)
      if (before !== undefined) names.set(method, before + 1)
      else {
        const name = names.size < MAX_METHODS ? method.slice(0, LONGEST_TEXT) : 'others'
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
        if (before >= MAX_REFUSALS) return
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

/** INVARIANT: a refused call is always recorded, and so is a lookalike of one. */
function isCall(from: 'client' | 'server', what: string): boolean {
  return from === 'client' && looksLikeCall(what.split(' ', 1)[0] ?? what)
}
