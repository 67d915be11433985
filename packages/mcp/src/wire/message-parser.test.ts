import { describe, expect, it } from 'vitest'
import { readLine, readMessage } from './message-parser.ts'

const read = (text: string) => readLine(Buffer.from(text))
const request = (more = ''): string => `{"jsonrpc":"2.0","id":1,"method":"ping"${more}}`

describe('parsing one message', () => {
  it.each(['1', '-7', '1.0', '1e3', '9007199254740991', '"a"', '"\\u0061"', '""'])(
    'keeps the id %s as spelled',
    (id) => {
      expect(read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toMatchObject({
        kind: 'request',
        id,
        method: 'ping',
      })
      expect(read(`{"jsonrpc":"2.0","id":${id},"result":{}}`)).toMatchObject({ kind: 'response', id, failed: false })
    },
  )

  it.each(['9007199254740992', '-9007199254740993', '1e400', '-1e400', '1.5'])(
    'refuses the id %s, which parsers read as different numbers, and answers under that id',
    (id) => {
      const refused = { kind: 'malformed', code: 'not-rpc', id }
      expect(read(`{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`)).toMatchObject({ ...refused, answers: false })
      expect(read(`{"jsonrpc":"2.0","id":${id},"result":{}}`)).toMatchObject({ ...refused, answers: true })
    },
  )

  it('passes unknown members', () => {
    expect(read(request(',"trace":{"a":[1]}'))).toMatchObject({ kind: 'request' })
  })

  it('reads a notification, an error, and an error without an id', () => {
    expect(read('{"jsonrpc":"2.0","method":"x"}')).toMatchObject({ kind: 'notification', method: 'x' })
    expect(read('{"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}}')).toMatchObject({
      kind: 'response',
      failed: true,
    })
    expect(read('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}')).toMatchObject({
      id: 'null',
      failed: true,
    })
  })

  it.each([
    ['invalid JSON', '{"jsonrpc"', 'parse'],
    ['two values', `${request()} ${request()}`, 'parse'],
    ['a string', '"ping"', 'parse'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 'not-rpc'],
    ['no version', '{"id":1,"method":"ping"}', 'not-rpc'],
    ['a message that is both request and answer', request(',"result":{}'), 'not-rpc'],
    ['an answer with both result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'not-rpc'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 'not-rpc'],
    ['an object id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 'not-rpc'],
    ['params that are not an object', request(',"params":"x"'), 'not-rpc'],
    ['a duplicate method', request(',"method":"tools/call"'), 'duplicate-key'],
    ['a duplicate method, once escaped', request(',"\\u006dethod":"tools/call"'), 'duplicate-key'],
    ['a method for case-insensitive parsers', request(',"Method":"tools/call"'), 'duplicate-key'],
    ['a method for parsers in C', request(',"method\\u0000":"tools/call"'), 'duplicate-key'],
    ['a method for parsers in C, with a suffix', request(',"method\\u0000x":"tools/call"'), 'duplicate-key'],
    ['a member with invisible letters', request(',"\\u200bmethod":"tools/call"'), 'duplicate-key'],
    ['a member with a space', request(',"method ":"tools/call"'), 'duplicate-key'],
    [
      'a result with a duplicate member',
      '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"isError":false}}',
      'duplicate-key',
    ],
    ['too many levels', `${request(`,"params":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)}`, 'too-deep'],
    [
      'a second line for readers that split at CR',
      `{"jsonrpc":"2.0","method":"x","params":{"a":[\r${request()}\r]}}`,
      'not-rpc',
    ],
  ])('refuses %s', (_what, text, code) => {
    expect(read(text)).toMatchObject({ kind: 'malformed', code })
  })

  it('refuses invalid UTF-8, whatever it looks like', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","method":"x","params":{"a":"'),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('"}}'),
    ])
    expect(readMessage(bytes)).toMatchObject({ kind: 'malformed', code: 'bad-utf8' })
  })

  it('names every id in a batch', () => {
    expect(read(`[${request()},{"jsonrpc":"2.0","method":"x"},{"id":"b"},3]`)).toMatchObject({
      code: 'batch',
      ids: ['1', '"b"'],
    })
  })

  it('names the id of a refused message, if possible', () => {
    expect(read(request(',"method":"tools/call"'))).toMatchObject({ id: '1' })
  })

  it('refuses params with a duplicate key at any depth', () => {
    const message = read(request(',"params":{"a":{"b":1,"b":2}}'))
    if (message.kind !== 'request') throw new Error('no request')
    expect(() => message.params()).toThrow(expect.objectContaining({ code: 'duplicate-key' }))
  })

  it('returns one member of a result without parsing the rest', () => {
    const message = read('{"jsonrpc":"2.0","id":1,"result":{"content":[1,2],"isError":true}}')
    if (message.kind !== 'response') throw new Error('no response')
    expect(message.member('isError')?.toString()).toBe('true')
    expect(message.member('other')).toBeNull()
  })

  it('accepts a line that ends with a carriage return', () => {
    expect(read(`${request()}\r`)).toMatchObject({ kind: 'request' })
  })
})
