import type { IncomingMessage } from 'node:http'
import { headerOf } from './raw-headers.ts'

/** A complete body; `too-large` over the limit, `broken` when it ended early. */
type Body = Buffer | 'too-large' | 'broken'

/** Reads a body up to a limit. */
export function readBody(stream: IncomingMessage, maxBytes: number): Promise<Body> {
  return new Promise((resolve) => {
    if (stream.destroyed) return resolve('broken') // a destroyed stream emits no events
    let first: Buffer | null = null
    let more: Buffer[] | null = null
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > maxBytes) {
        stream.off('data', take)
        stream.pause()
        resolve('too-large')
        if (typeof stream.statusCode === 'number') stream.destroy() // a request keeps its connection for the response
      } else if (first === null) first = chunk
      else if (more === null) more = [first, chunk]
      else more.push(chunk)
    }
    stream.on('data', take)
    stream.on('end', () => resolve(more === null ? (first ?? NOTHING) : Buffer.concat(more)))
    stream.on('close', () => resolve('broken')) // no effect after `end`
  })
}

const NOTHING = Buffer.alloc(0)

/** The media type of a body. */
export function contentType(message: IncomingMessage): string {
  const type = headerOf(message, 'content-type') ?? ''
  return type === JSON_TYPE ? type : (type.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

export const JSON_TYPE = 'application/json'
export const STREAM_TYPE = 'text/event-stream'

const MAX_BYTES = 65_536
const LONGEST_MS = 30_000

/**
 * Discards a body. A short one is read to its end, so that its connection can be reused. INVARIANT: L10, one that does
 * not end is destroyed.
 */
export function discardBody(answer: IncomingMessage): void {
  let size = 0
  const timer = setTimeout(() => answer.destroy(), LONGEST_MS).unref()
  answer.on('close', () => clearTimeout(timer))
  answer.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_BYTES) answer.destroy()
  })
}
