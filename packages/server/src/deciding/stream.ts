import type { Feed, FeedEvent } from './feed.ts'
import type { HeldBoard } from './held-board.ts'

/** Bytes that may wait for a slow reader; past it the stream is ended, and a new one begins with a snapshot. */
const MAX_BACKLOG = 8 * 1024 * 1024
const NOW_MS = 15_000

/** What one open stream needs. */
export interface StreamParts {
  readonly feed: Feed
  readonly board: HeldBoard
  readonly now: () => number
  /** Asked with every `now`: a stream ends with the sign-in it was opened under. SECURITY: A18. */
  isStillSignedIn(): boolean
  /** Only what concerns this asker's session. */
  readonly session: string | undefined
  /** The number of the last event that the reader has seen. */
  readonly last: number | undefined
}

const encoder = new TextEncoder()
/** One event is written out once, however many read it. */
const written = new WeakMap<FeedEvent, Uint8Array>()

/** The live stream of one reader: what it missed or a snapshot, then everything as it happens. */
export function openStream(parts: StreamParts): ReadableStream<Uint8Array> {
  const { feed, board, now, session } = parts
  let end = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      async start(controller) {
        let waiting: FeedEvent[] | undefined = []
        let timer: ReturnType<typeof setInterval> | undefined
        let over = false
        const send = (bytes: Uint8Array): void => {
          if (over) return
          controller.enqueue(bytes)
          if ((controller.desiredSize ?? 0) <= 0) end()
        }
        const tell = (event: FeedEvent): void => {
          if (session === undefined || event.session === undefined || event.session === session) send(bytesOf(event))
        }
        const { from, stop } = await feed.subscribe((event) =>
          waiting === undefined ? tell(event) : waiting.push(event),
        )
        end = () => {
          if (over) return
          over = true
          clearInterval(timer)
          stop()
          controller.close()
        }
        try {
          const missed = parts.last === undefined ? undefined : await feed.since(parts.last)
          if (missed === undefined) send(eventBytes('snapshot', await snapshot(), from))
          else for (const event of missed) tell(event)
        } catch {
          return end() // a store that cannot be read shows nothing; the reader comes again
        }
        for (const event of waiting) tell(event)
        waiting = undefined
        send(eventBytes('now', { now: now() }))
        timer = setInterval(() => {
          if (parts.isStillSignedIn()) send(eventBytes('now', { now: now() }))
          else end()
        }, NOW_MS)
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BACKLOG }),
  )

  async function snapshot() {
    const held = await board.list()
    const mine = session === undefined ? held : held.filter((view) => sessionOf(view.request) === session)
    return { held: mine, now: now() }
  }
}

function bytesOf(event: FeedEvent): Uint8Array {
  const known = written.get(event)
  if (known !== undefined) return known
  const bytes = eventBytes(event.event, event.data, event.seq)
  written.set(event, bytes)
  return bytes
}

/** JSON has no line feed of its own, so one event is one data line. */
function eventBytes(event: string, data: unknown, seq?: number): Uint8Array {
  const id = seq === undefined ? '' : `id: ${seq}\n`
  return encoder.encode(`${id}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

function sessionOf(request: string): string | null {
  return (JSON.parse(request) as { readonly call: { readonly session: string | null } }).call.session
}
