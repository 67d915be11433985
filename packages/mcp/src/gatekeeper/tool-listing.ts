import type { JsonObject } from '@countersign/core'
import type { Catalogue } from '../pins/catalogue.ts'
import { nextCursorOf } from '../wire/list-cursor.ts'
import type { Exchange } from './call/exchange.ts'
import type { ToolCall } from './call/tool-call.ts'
import { SessionGone } from './session-expired.ts'

/** INVARIANT: L10. A server that never stops listing is not listened to for ever. */
const MOST_PAGES = 100
/** How long a whole list may take, however many pages it has. */
const WAIT_MS = 30_000
/** How long a server that did not answer is left alone, so that not every call waits for it. */
const QUIET_MS = 60_000

/** Keeps the catalogue filled: from the lists that pass, and by asking for one where a call comes first. */
export interface ToolLists {
  /** A page of a `tools/list` result, on its way to the client; returns the page the client gets. */
  take(result: JsonObject, cursor: string | null): Promise<JsonObject>
  /** Why the server's list could not be read when we asked for it last; null when it could, or passed since. */
  readonly problem: string | null
  /** The server says that its list is another now. */
  changed(): void
  /** Lists the tools ourselves, unless a whole list has passed since the last change. Never throws. */
  ensure(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined
  /** Lists the tools ourselves, also where nothing was said of a change. Never throws. */
  again(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined
}

/** How listing went for whoever asked; `gone` when the server has ended their session. */
export type Listed = 'listed' | 'failed' | 'gone'

export function createToolLists(catalogue: Catalogue, now: () => number = () => performance.now()): ToolLists {
  let listed = false
  let problem: string | null = null
  let quietUntil = Number.NEGATIVE_INFINITY
  let listing: Promise<Listed> | undefined

  async function take(result: JsonObject, cursor: string | null): Promise<JsonObject> {
    const page = await catalogue.take(result, { cursor })
    // A list that goes on was not read yet: what was wrong with it is still.
    if (nextCursorOf(result, cursor) === null) settled()
    return page
  }

  function settled(): void {
    listed = true
    problem = null
    quietUntil = Number.NEGATIVE_INFINITY
  }

  /** A stateless server wants to know with each request who asks. */
  async function list({ meta, params }: ToolCall, exchange: Exchange): Promise<void> {
    const { progressToken: _, ...about } = meta ?? {}
    const base = params['_meta'] === undefined ? {} : { _meta: about }
    const until = now() + WAIT_MS
    const seen = new Set<string>()
    let cursor: string | null = null
    for (let page = 0; page < MOST_PAGES; page += 1) {
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

  /** INVARIANT: one list for all who wait. A session that is over is its client's own: the others ask in theirs. */
  function again(call: ToolCall, exchange: Exchange): Promise<Listed> | undefined {
    if (exchange.askServer === undefined || now() < quietUntil) return undefined
    if (listing !== undefined)
      return listing.then((end) => (end === 'gone' ? (again(call, exchange) ?? 'failed') : end))
    listing = list(call, exchange)
      .then(
        (): Listed => 'listed',
        (error: unknown): Listed => {
          if (error instanceof SessionGone) return 'gone'
          // No tool is known to be what was accepted until a list can be read: the next call asks for one.
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
    ensure: (call, exchange) => (listed ? undefined : again(call, exchange)),
    again,
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
