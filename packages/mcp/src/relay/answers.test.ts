import { until } from '@countersign/testing/until'
import { describe, expect, it } from 'vitest'
import type { SentRequest } from '../gatekeeper/call/exchange.ts'
import { type BareRelay, openBareRelay, turn } from './bare-relay.fixture.ts'

const request = (id: string, method = 'x/ask') => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}\n`
const answer = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":{"said":true}}`

async function asks(bare: BareRelay, ...lines: readonly string[]): Promise<void> {
  bare.input.write(lines.join(''))
  await turn()
}

describe('a server’s answer', () => {
  it.each([
    ['with the id as it was sent', '1', '1'],
    ['with the number spelled differently', '1', '1.0'],
    ['with the text spelled differently', '"a"', '"\\u0061"'],
  ])('is passed on %s, byte for byte, once', async (_what, id, spelled) => {
    const bare = openBareRelay()
    await asks(bare, request(id))
    bare.says(answer(spelled))
    bare.says(answer(spelled))
    expect(bare.read()).toBe(`${answer(spelled)}\n`)
    expect(bare.refused).toEqual(['a response that nobody waits for'])
  })

  it('that arrives before its request is dropped', async () => {
    const bare = openBareRelay()
    bare.says(answer('1'))
    await asks(bare, request('1', 'tools/list'))
    expect(bare.read()).toBe('')
    expect(bare.refused).toHaveLength(1)
    bare.says(answer('1'))
    expect(bare.read()).toBe(`${answer('1')}\n`)
  })

  it.each([
    ['1', '"1"'],
    ['1', '" 0x1"'],
    ['0', '""'],
    ['"7"', '7'],
  ])('to %s under the id %s is dropped, and the client gets an error', async (id, spelled) => {
    const bare = openBareRelay()
    await asks(bare, request(id, 'tools/list'))
    bare.says(answer(spelled))
    expect(bare.read()).not.toContain('said')
    expect(JSON.parse(bare.read())).toMatchObject({
      id: JSON.parse(id),
      error: { message: expect.stringContaining('not forwarded') },
    })
  })

  it('to a cancelled request never answers another request with the same id', async () => {
    const bare = openBareRelay()
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n'
    await asks(bare, request('1'), cancel, request('1'))
    expect(bare.refused).toEqual([expect.stringContaining('cancelled request that may still be answered')])
    bare.says({ id: 1, result: {} })
    await turn()
    await asks(bare, request('1'))
    expect(bare.sent.filter((line) => line.includes('"id":1'))).toHaveLength(2)
  })

  it('to a cancelled request is still passed on as its answer', async () => {
    const seen: (SentRequest | null)[] = []
    const bare = openBareRelay({
      gatekeeper: {
        fromServer(message, asked) {
          seen.push(asked)
          return message.kind === 'malformed' ? { kind: 'drop' } : { kind: 'forward', bytes: message.bytes }
        },
      },
    })
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0}}\n'
    await asks(bare, request('1', 'tools/list'), cancel)
    bare.says(answer('1'))
    bare.says(answer('1'))
    expect(bare.read()).toBe(`${answer('1')}\n`)
    expect(seen).toEqual([expect.objectContaining({ method: 'tools/list' }), null])
  })

  it('that is an error without an id is passed on: something was unreadable', async () => {
    const bare = openBareRelay()
    const error = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}'
    bare.says(error)
    expect(bare.read()).toBe(`${error}\n`)
  })

  it('to one of our own requests fails it at once if unreadable', async () => {
    const failed: string[] = []
    const bare = openBareRelay({
      gatekeeper: {
        fromClient: (_message, { askServer }) =>
          (askServer?.('tools/list', {}) ?? Promise.resolve()).then(
            () => ({ kind: 'drop' as const }),
            (error: Error) => {
              failed.push(error.message)
              return { kind: 'drop' as const }
            },
          ),
      },
    })
    await asks(bare, request('1'))
    const { id } = JSON.parse(bare.sent[0] ?? '') as { id: string }
    bare.says(`{"jsonrpc":"2.0","id":"${id}","result":{"tools":[],"tools":[]}}`)
    await turn()
    expect(failed).toEqual(['`tools` appears twice in the result'])
    await asks(bare, request('2'))
    bare.server.tooLong()
    await turn()
    expect(failed).toHaveLength(2)
  })

  const UNREAD: readonly (readonly [what: string, line: (id: string) => Buffer])[] = [
    ['invalid UTF-8', (id) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"a":"\xff"}}`, 'latin1')],
    ['a carriage return inside', (id) => Buffer.from(`{"jsonrpc":"2.0",\r"id":${id},"result":{}}`)],
    ['an invalid number', (id) => Buffer.from(`{"jsonrpc":"2.0","result":{"a":[NaN,{"id":9}]},"id":${id}}`)],
    ['an unfinished message', (id) => Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{"a":"`)],
  ]

  it.each(UNREAD)('that is unreadable becomes an error for the waiting request: %s', async (_what, line) => {
    const bare = openBareRelay()
    await asks(bare, request('1'), request('"two"'))
    bare.server.messages([line('1')])
    expect(JSON.parse(bare.read())).toMatchObject({
      id: 1,
      error: { message: expect.stringContaining('not forwarded') },
    })
    bare.server.messages([line('"two"')])
    expect(bare.read()).toContain('"id":"two","error"')
    expect(bare.asked).not.toContain('stop')
  })

  it('that is unreadable and has no id ends the only open request, or else the server', async () => {
    const bare = openBareRelay()
    await asks(bare, request('1'))
    bare.says('{"jsonrpc":"2.0","result":{"a":NaN}}')
    expect(JSON.parse(bare.read())).toMatchObject({ id: 1, error: {} })
    await asks(bare, request('2'), request('3'))
    bare.says('{"jsonrpc":"2.0","result":{"a":NaN}}')
    expect(bare.asked).toContain('stop')
  })

  it.each(['Listening, {"id":1}', '{"level":30,"id":1,"error":NaN}', '{"jsonrpc":"2.0","id":null,"error":NaN}'])(
    'does not include other output of the server: %s',
    async (line) => {
      const bare = openBareRelay()
      await asks(bare, request('1'))
      bare.says(line)
      expect(bare.read()).toBe('')
      bare.says(answer('1'))
      expect(bare.read()).toBe(`${answer('1')}\n`)
    },
  )
})

describe('a client’s request', () => {
  it('over the maximum number is refused as such, not as a duplicate id', async () => {
    const bare = openBareRelay()
    await asks(bare, ...Array.from({ length: 10_001 }, (_, id) => request(String(id))), request('5'))
    await until('two refusals', () => bare.refused.length >= 2)
    expect(bare.refused).toEqual([
      'too many requests are open; wait for an answer first',
      'its id is in use; use another',
    ])
    expect(bare.sent).toHaveLength(10_000)
  })

  it.each([
    ['twice', '"requestId":1,"requestId":99'],
    ['twice, once escaped', '"requestId":1,"request\\u0049d":99'],
    ['also in another case', '"requestId":1,"requestID":99'],
  ])('is not cancelled by a notification that names it %s', async (_what, members) => {
    const bare = openBareRelay()
    await asks(bare, request('1'), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{${members}}}\n`)
    expect(bare.refused).toEqual([expect.stringContaining('is ambiguous')])
    expect(bare.sent.join()).not.toContain('cancelled')
    bare.says(answer('1'))
    expect(bare.read()).toContain(answer('1'))
  })
})
