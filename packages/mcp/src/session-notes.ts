import type { EntryBody } from '@countersign/core'

/** What happened between one client and one server, counted, and told to the journal. */
export interface SessionNotes {
  /** A message that went on, by its method. */
  passed(from: 'client' | 'server', method: string): void
  /** A message that did not go on, and why. */
  refused(from: 'client' | 'server', what: string, why: string): void
  /** The summary, once, when the session is over. */
  summary(client: { readonly agent: string | null }): void
}

/** INVARIANT: L10. Past these, names and refusals are only counted. */
const MOST_METHODS = 64
const MOST_REFUSALS = 100
const LONGEST_TEXT = 200

/** Takes notes for one session. `record` writes an entry of the journal; it may fail without anyone noticing here. */
export function takeNotes(server: string, record: (entry: EntryBody) => void): SessionNotes {
  const counts = { client: new Map<string, number>(), server: new Map<string, number>() }
  let refusals = 0

  return {
    passed(from, method) {
      const names = counts[from]
      const before = names.get(method)
      if (before !== undefined) names.set(method, before + 1)
      else {
        const name = names.size < MOST_METHODS ? method.slice(0, LONGEST_TEXT) : 'others'
        names.set(name, (names.get(name) ?? 0) + 1)
      }
    },
    refused(from, what, why) {
      refusals += 1
      if (refusals > MOST_REFUSALS) return
      record({
        kind: 'message-refused',
        call: null,
        server,
        from,
        what: what.slice(0, LONGEST_TEXT).toWellFormed(),
        why: why.slice(0, LONGEST_TEXT).toWellFormed(),
      })
    },
    summary({ agent }) {
      if (counts.client.size === 0 && counts.server.size === 0 && refusals === 0) return
      record({
        kind: 'relayed',
        call: null,
        server,
        agent,
        client: Object.fromEntries(counts.client),
        upstream: Object.fromEntries(counts.server),
        refused: refusals,
      })
    },
  }
}
