import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import { type HandOver, NOT_HANDED_OVER, openSseLink } from './sse-link.ts'
import { type HttpServerOptions, openStreamableHttpLink } from './streamable-http-link.ts'

/**
 * Connects to a server by its URL over either transport: Streamable HTTP, or the older one with an event stream if the
 * server refuses that. The client’s first message decides, once.
 */
export function openHttpLink(server: HttpServerOptions): ServerLink {
  let listener: LinkListener | undefined
  let isPaused = false
  let isEnding = false
  let isStopped = false

  const handOver: HandOver = async (rest) => {
    const older = await openSseLink(server)
    if ('kind' in older) return older
    if (listener === undefined || isStopped) {
      await older.stop()
      return NOT_HANDED_OVER
    }
    link = older
    older.start(listener)
    if (isPaused) older.pause()
    older.send(rest())
    if (isEnding) older.end()
    return { kind: 'taken' }
  }

  let link = openStreamableHttpLink(server, handOver)
  return {
    start(heard) {
      listener = heard
      link.start(heard)
    },
    send: (messages) => link.send(messages),
    end() {
      isEnding = true
      link.end()
    },
    pause() {
      isPaused = true
      link.pause()
    },
    resume() {
      isPaused = false
      link.resume()
    },
    stop() {
      isStopped = true
      return link.stop()
    },
  }
}
