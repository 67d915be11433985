import type { IncomingMessage } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { openStreamableHttpLink } from './streamable-http-link.ts'

describe('a slow HTTP server', () => {
  it('gets a limited number of notifications at once, and signals when there is room', async () => {
    const waiting: (() => void)[] = []
    const drained = vi.fn()
    const link = openStreamableHttpLink({
      upstream: {
        url: new URL('http://127.0.0.1/mcp'),
        owns: () => false,
        whyRefused: () => null,
        open: () =>
          new Promise((resolve) => {
            waiting.push(() => resolve({ statusCode: 202, headers: {}, on() {} } as unknown as IncomingMessage))
          }),
        async closeSession() {},
        close() {},
      },
      maxMessageBytes: 1000,
      definitionOf: () => null,
    })
    link.start({ messages() {}, tooLong() {}, lost() {}, drained, ended() {} })
    const answers = Array.from({ length: 1000 }, (_, id) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{}}`))
    expect(link.send(answers)).toBe(false)
    expect(waiting.length).toBeLessThan(100)
    let sent = 0
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      next()
      sent += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sent).toBe(1000)
    expect(drained).toHaveBeenCalledTimes(1)
  })
})
