import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import { openSseLink } from './sse-link.ts'
import { openUrlLink, type UrlServer } from './streamable-http-link.ts'
import { type HandOver, NOT_TAKEN } from './transport-handover.ts'

/**
 * The way to a server at an address, whichever transport it speaks: Streamable HTTP, or, where it refuses to be met that
 * way, the older one with a stream of events. The client's first message decides, once.
 */
export function openAddressLink(server: UrlServer): ServerLink {
  let listener: LinkListener | undefined
  let isPaused = false
  let isEnding = false
  let isStopped = false

  const handOver: HandOver = async (rest) => {
    const older = await openSseLink(server)
    if ('kind' in older) return older
    if (listener === undefined || isStopped) {
      await older.stop()
      return NOT_TAKEN
    }
    link = older
    older.start(listener)
    if (isPaused) older.pause()
    older.send(rest())
    if (isEnding) older.end()
    return { kind: 'taken' }
  }

  let link = openUrlLink(server, handOver)
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
