import type { IncomingMessage } from 'node:http'
import { createEventStream, type StreamEvent } from './event-stream.ts'

/** How far a stream of events was read. */
export interface StreamMark {
  lastEventId: string | null
  retryMs: number
}

/** How long to wait before coming back where the server does not say. */
const RETRY_MS = 1_000

export function newMark(): StreamMark {
  return { lastEventId: null, retryMs: RETRY_MS }
}

/** Reads a stream to its end, and tells each event as it comes. Rejects when it breaks off; a clean end resolves. */
export function readEvents(
  answer: IncomingMessage,
  maxBytes: number,
  mark: StreamMark,
  take: (event: StreamEvent) => void,
): Promise<void> {
  const events = createEventStream(maxBytes)
  return new Promise((resolve, reject) => {
    if (answer.destroyed) return reject(new Error('the stream broke off'))
    answer.on('data', (chunk: Buffer) => {
      try {
        for (const event of events.push(chunk)) {
          if (event.id !== null) mark.lastEventId = event.id
          if (event.retryMs !== null) mark.retryMs = event.retryMs
          take(event)
        }
      } catch (error) {
        answer.destroy(error instanceof Error ? error : undefined)
      }
    })
    answer.on('end', resolve)
    answer.on('error', reject)
    answer.on('close', () => reject(new Error('the stream broke off')))
  })
}
