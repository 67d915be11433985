import { describe, expect, it } from 'vitest'
import { readLine, readMessage } from './message-parser.ts'

const read = (text: string) => readLine(Buffer.from(text))
const request = (more = ''): string => `{"jsonrpc":"2.0","id":1,"method":"ping"${more}}`

describe('reading one message', () => {
  it.each(['1', '-7', '1.0', '1e3', '9007199254740991', '"a"', '"\\u0061"', '""'])(
    'keeps the id %s as it is spelled',
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
    'refuses the id %s, which not everybody reads as the same number, and says so to that id',
    (id) => {
      const refused = { kind: 'malformed', code: 'not-rpc', id }
      expect(read(`{"jsonrpc":"2.0","id":${id},"method":"tools/call"}`)).toMatchObject({ ...refused, answers: false })
      expect(read(`{"jsonrpc":"2.0","id":${id},"result":{}}`)).toMatchObject({ ...refused, answers: true })
    },
  )

  it('passes members nobody knows', () => {
    expect(read(request(',"trace":{"a":[1]}'))).toMatchObject({ kind: 'request' })
  })

  it('reads a notification, an error, and an error to nobody', () => {
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
    ['no JSON', '{"jsonrpc"', 'parse'],
    ['two values', `${request()} ${request()}`, 'parse'],
    ['a text', '"ping"', 'parse'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}', 'not-rpc'],
    ['no version', '{"id":1,"method":"ping"}', 'not-rpc'],
    ['a request and an answer at once', request(',"result":{}'), 'not-rpc'],
    ['an answer with both ends', '{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', 'not-rpc'],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 'not-rpc'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 'not-rpc'],
    ['params that are no object', request(',"params":"x"'), 'not-rpc'],
    ['a method twice', request(',"method":"tools/call"'), 'duplicate-key'],
    ['a method twice, once escaped', request(',"\\u006dethod":"tools/call"'), 'duplicate-key'],
    ['a method for readers that ignore case', request(',"Method":"tools/call"'), 'duplicate-key'],
    ['a method for readers in C', request(',"method\\u0000":"tools/call"'), 'duplicate-key'],
    ['a method for readers in C, with more behind', request(',"method\\u0000x":"tools/call"'), 'duplicate-key'],
    ['a member in invisible letters', request(',"\\u200bmethod":"tools/call"'), 'duplicate-key'],
    ['a member with a blank', request(',"method ":"tools/call"'), 'duplicate-key'],
    [
      'a result with a member twice',
      '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"isError":false}}',
      'duplicate-key',
    ],
    ['too many levels', `${request(`,"params":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)}`, 'too-deep'],
    [
      'a second line for readers that end lines at CR',
      `{"jsonrpc":"2.0","method":"x","params":{"a":[\r${request()}\r]}}`,
      'not-rpc',
    ],
  ])('refuses %s', (_what, text, code) => {
    expect(read(text)).toMatchObject({ kind: 'malformed', code })
  })

  it('refuses bytes that are no UTF-8, whatever they look like', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","method":"x","params":{"a":"'),
      Buffer.from([0xc0, 0xaf]),
      Buffer.from('"}}'),
    ])
    expect(readMessage(bytes)).toMatchObject({ kind: 'malformed', code: 'bad-utf8' })
  })

  it('names every id of a batch', () => {
    expect(read(`[${request()},{"jsonrpc":"2.0","method":"x"},{"id":"b"},3]`)).toMatchObject({
      code: 'batch',
      ids: ['1', '"b"'],
    })
  })

  it('names the id of what it refuses, where it can', () => {
    expect(read(request(',"method":"tools/call"'))).toMatchObject({ id: '1' })
  })

  it('refuses params with a key twice at any depth when they are read', () => {
    const message = read(request(',"params":{"a":{"b":1,"b":2}}'))
    if (message.kind !== 'request') throw new Error('no request')
    expect(() => message.params()).toThrow(expect.objectContaining({ code: 'duplicate-key' }))
  })

  it('gives one member of a result without reading the rest', () => {
    const message = read('{"jsonrpc":"2.0","id":1,"result":{"content":[1,2],"isError":true}}')
    if (message.kind !== 'response') throw new Error('no response')
    expect(message.member('isError')?.toString()).toBe('true')
    expect(message.member('other')).toBeNull()
  })

  it('takes a line that ends with a carriage return', () => {
    expect(read(`${request()}\r`)).toMatchObject({ kind: 'request' })
  })
})
