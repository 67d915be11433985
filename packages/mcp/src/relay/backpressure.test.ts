import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'
import { openBareRelay, turn } from './bare-relay.fixture.ts'

/** More than the maximum that can be queued. */
const MUCH = 3 * 1024 * 1024
const note = (size: number) => ({ method: 'notifications/message', params: { data: 'x'.repeat(size) } })

describe('a relay between a fast and a slow side', () => {
  it('stops reading a client that keeps asking without reading answers, and continues when it reads', async () => {
    const bare = openBareRelay({ reads: false })
    const chunk = 'x\n'.repeat(8 * 1024)
    let chunks = 0
    for (; chunks < 200 && !bare.input.isPaused(); chunks += 1) {
      bare.input.write(chunk)
      await turn()
    }
    expect(chunks).toBeLessThan(100)
    const before = bare.refused.length
    bare.input.write(chunk)
    await turn()
    expect(bare.refused).toHaveLength(before)
    bare.drain()
    await until('the client to be read again', () => bare.refused.length > before)
    expect(bare.input.isPaused()).toBe(false)
  })

  it('stops reading a server that keeps sending refused requests without reading answers', async () => {
    const refusal = Buffer.from('x'.repeat(1000))
    const fromServer = () => ({ kind: 'answer' as const, bytes: refusal })
    const bare = openBareRelay({ takes: false, gatekeeper: { fromServer } })
    for (let at = 0; at < 2000; at += 1) bare.says({ id: at, method: 'sampling/createMessage' })
    expect(bare.asked.at(-1)).toBe('pause')
    bare.server.drained()
    expect(bare.asked.at(-1)).toBe('resume')
  })

  it('stops reading a server whose client is slow', async () => {
    const bare = openBareRelay({ reads: false })
    bare.says(note(10))
    expect(bare.asked).toEqual([])
    bare.says(note(MUCH))
    expect(bare.asked.at(-1)).toBe('pause')
    expect(bare.input.isPaused()).toBe(false)
    bare.drain()
    await until('the server to be read again', () => bare.asked.at(-1) === 'resume')
  })

  it('still reads a server that sends before it reads again: otherwise both would wait', async () => {
    const bare = openBareRelay({ takes: false })
    bare.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...note(1024) })}\n`.repeat(100))
    await turn()
    expect(bare.input.isPaused()).toBe(true)
    expect(bare.asked).not.toContain('pause')
    bare.says(note(10))
    expect(bare.read()).toContain('xxxxxxxxxx')
  })

  it('sends no keep-alives to a client that does not read: they would pile up', async () => {
    let said = 0
    const bare = openBareRelay({
      reads: false,
      gatekeeper: {
        fromClient(message, { toClient }) {
          if (message.kind !== 'malformed') for (; said < MUCH; said += 1000) toClient(Buffer.alloc(1000, 'x'))
          return { kind: 'drop' }
        },
      },
    })
    bare.input.write('{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n')
    await until('the gatekeeper to speak', () => said >= MUCH)
    bare.drain()
    await until('what it may say', () => bare.read().length >= 1024 * 1024)
    expect(bare.read().length).toBeLessThan(MUCH - 1024)
  })
})
