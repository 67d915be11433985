import type { JsonObject } from '@countersign/core'
import type { Catalogue } from '../pins/catalogue.ts'
import { nextCursorOf } from '../pins/catalogue.ts'
import type { Exchange } from './call/exchange.ts'
import { SessionEnded } from './call/exchange.ts'
import type { ToolCall } from './call/tool-call.ts'

/** INVARIANT: L10. A list that never ends is abandoned. */
const MAX_PAGES = 100
/** The timeout for a whole list. */
const WAIT_MS = 30_000
/** How long a server that did not answer is left alone, so that not every call waits for it. */
const QUIET_MS = 60_000

/** Keeps the catalogue up to date: from lists that pass, or by listing when a call comes first. */
export interface ToolLists {
  /** Takes a page of a `tools/list` result, and returns the page for the client. */
  take(result: JsonObject, cursor: string | null): Promise<JsonObject>
  /** Why the last list could not be read; null when it could. */
  readonly problem: string | null
  /** The server announced a changed list. */
  changed(): void
  /** Lists the tools, unless a complete list passed since the last change. Never throws. */
  ensure(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined
  /** Lists the tools in any case. Never throws. */
  relist(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined
}

/** The result of listing; `gone` when the server ended the session. */
export type Listed = 'listed' | 'failed' | 'gone'

export function createToolLists(catalogue: Catalogue, now: () => number = () => performance.now()): ToolLists {
  let listed = false
  let problem: string | null = null
  let quietUntil = Number.NEGATIVE_INFINITY
  let listing: Promise<Listed> | undefined

  async function take(result: JsonObject, cursor: string | null): Promise<JsonObject> {
    const page = await catalogue.take(result, { cursor })
    // An incomplete list does not clear the problem.
    if (nextCursorOf(result, cursor) === null) markListed()
    return page
  }

  function markListed(): void {
    listed = true
    problem = null
    quietUntil = Number.NEGATIVE_INFINITY
  }

  /** A stateless server expects the client’s details with each request. */
  async function list({ meta, params }: ToolCall, exchange: Exchange): Promise<void> {
    const { progressToken: _, ...about } = meta ?? {}
    const base = params['_meta'] === undefined ? {} : { _meta: about }
    const until = now() + WAIT_MS
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params: JsonObject = cursor === null ? base : { ...base, cursor }
      const result: JsonObject | undefined = await within(until - now(), exchange.askServer?.('tools/list', params))
      if (result === undefined) {
        quietUntil = now() + QUIET_MS
        throw new Error('it did not answer in time')
      }
      await take(result, cursor)
      cursor = nextCursorOf(result, cursor)
      if (cursor === null) return
      if (seen.has(cursor)) break
      seen.add(cursor)
    }
    quietUntil = now() + QUIET_MS
    throw new Error(`its list does not end after ${seen.size} pages`)
  }

  /**
   * INVARIANT: one listing serves all waiting calls. An ended session belongs to one client: the others list in theirs.
   */
  function relist(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined {
    if (exchange.askServer === undefined || now() < quietUntil) return undefined
    if (listing !== undefined)
      return listing.then((end) => (end === 'gone' ? (relist(call, exchange) ?? 'failed') : end))
    listing = list(call, exchange)
      .then(
        (): Listed => 'listed',
        (error: unknown): Listed => {
          if (error instanceof SessionEnded) return 'gone'
          // No tool counts as accepted until a list can be read; the next call lists relist.
          listed = false
          problem = error instanceof Error ? error.message : 'unreadable'
          return 'failed'
        },
      )
      .finally(() => {
        listing = undefined
      })
    return listing
  }

  return {
    take,
    get problem() {
      return problem
    },
    changed() {
      listed = false
      quietUntil = Number.NEGATIVE_INFINITY
    },
    ensure: (call, exchange) => (listed ? undefined : relist(call, exchange)),
    relist,
  }
}

function within<Value>(ms: number, work: Promise<Value> | undefined): Promise<Value | undefined> {
  if (work === undefined) return Promise.resolve(undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
