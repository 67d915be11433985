import type { JsonObject } from '@countersign/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readMessage } from '../wire/message-parser.ts'
import type { Exchange } from './call/exchange.ts'
import { SessionEnded } from './call/exchange.ts'
import { readToolCall } from './call/tool-call.ts'
import { createToolLists } from './tool-listing.ts'

const request = readMessage(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note"}}'))
if (request.kind !== 'request') throw new Error('no request')
const call = readToolCall(request)

/** Tool lists from a server with these answers, and the number of requests it got. */
function open(answer: () => Promise<JsonObject>) {
  let time = 0
  const lists = createToolLists(
    { take: async (result) => result, find: () => ({ kind: 'unadvertised', why: 'not listed' }) },
    () => time,
  )
  const asked = vi.fn(answer)
  const exchange: Exchange = {
    protocol: 'initialize',
    signal: new AbortController().signal,
    elicitation: { form: false, url: false },
    toClient() {},
    askServer: asked,
  }
  const wait = (ms: number): void => {
    time += ms
  }
  return { lists, asked, exchange, ensure: () => lists.ensure(call, exchange), wait }
}

describe('a tool list that the proxy requests itself', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is reported if unreadable, and requested again with the next call', async () => {
    const answers = [Promise.reject(new Error('`tools` appears twice in the result')), Promise.resolve({ tools: [] })]
    const { lists, asked, ensure } = open(() => answers.shift() ?? Promise.reject(new Error('no more')))
    await ensure()
    expect(lists.problem).toBe('`tools` appears twice in the result')
    await ensure()
    expect(lists.problem).toBeNull()
    await ensure()
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is awaited once if unanswered, not with every call', async () => {
    const { lists, asked, ensure, wait } = open(() => new Promise(() => {}))
    const first = ensure()
    await vi.advanceTimersByTimeAsync(30_000)
    await first
    expect(lists.problem).toBe('it did not answer in time')
    expect(ensure()).toBeUndefined()
    expect(asked).toHaveBeenCalledTimes(1)
    wait(60_000)
    expect(ensure()).toBeInstanceOf(Promise)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('is requested again by every live client if the one that asked is gone', async () => {
    const dead = Promise.withResolvers<JsonObject>()
    const { lists, asked, exchange } = open(async () => ({ tools: [] }))
    const others = { ...exchange, askServer: vi.fn(() => dead.promise) }
    const ends = [lists.ensure(call, others), lists.ensure(call, exchange), lists.relist(call, exchange)]
    dead.reject(new SessionEnded())
    expect(await Promise.all(ends)).toEqual(['gone', 'listed', 'listed'])
    expect([others.askServer, asked].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    expect(lists.problem).toBeNull()
    expect(lists.ensure(call, exchange)).toBeUndefined()
    expect(await lists.relist(call, others)).toBe('gone')
    expect(lists.ensure(call, exchange)).toBeUndefined() // the others keep what they know
  })

  it('is requested at once when the server reports a change', async () => {
    const { lists, asked, ensure } = open(() => new Promise(() => {}))
    const first = ensure()
    await vi.advanceTimersByTimeAsync(30_000)
    await first
    lists.changed()
    void ensure()
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('ends at an empty cursor, and is a problem if the cursors loop', async () => {
    for (const [cursors, problem] of [
      [[''], null],
      [['a', 'b', 'a'], 'its list does not end after 2 pages'],
    ] as const) {
      const answers: string[] = [...cursors]
      const { lists, asked, ensure } = open(async () => ({ tools: [], nextCursor: answers.shift() ?? 'more' }))
      await ensure()
      expect(asked).toHaveBeenCalledTimes(cursors.length)
      expect(lists.problem).toBe(problem)
      expect(ensure()).toBeUndefined()
    }
  })

  it('L10 is a problem if it never ends, and is not requested with every call', async () => {
    let page = 0
    const { lists, asked, ensure, wait } = open(async () => ({ tools: [], nextCursor: `${page++}` }))
    await ensure()
    expect(lists.problem).toContain('does not end')
    expect(ensure()).toBeUndefined()
    wait(60_000)
    await ensure()
    expect(lists.problem).toContain('does not end')
    expect(asked).toHaveBeenCalledTimes(200)
  })

  it('has one deadline for all its pages', async () => {
    let page = 0
    const world = open(async () => {
      world.wait(29_000)
      return page++ === 0 ? { tools: [], nextCursor: 'two' } : new Promise(() => {})
    })
    const first = world.ensure()
    await vi.advanceTimersByTimeAsync(1_500)
    await first
    expect(world.lists.problem).toBe('it did not answer in time')
  })
})
