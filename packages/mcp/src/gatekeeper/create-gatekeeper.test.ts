import type { EntryBody, Gate } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { readMessage } from '../wire/message-parser.ts'
import { compileDenied } from '../wire/method-name.ts'
import type { MessageAction, SentRequest } from './call/exchange.ts'
import { createGatekeeper } from './create-gatekeeper.ts'

/** The server side of a gatekeeper. No tool is called, so there is no gate. */
function serverSide(denied: readonly string[] | null = null) {
  const entries: EntryBody[] = []
  const gatekeeper = createGatekeeper({
    gate: {} as Gate,
    newId: () => 'a1',
    server: 'small',
    catalogue: { take: async (result) => result, find: () => ({ kind: 'unadvertised', why: 'none is' }) },
    ...(denied === null ? {} : { isDenied: compileDenied(denied) }),
    record: (entry) => void entries.push(entry),
  })
  const from = (text: string, asked: SentRequest | null): Promise<MessageAction> | MessageAction =>
    gatekeeper.fromServer(readMessage(Buffer.from(text)), asked)
  return { entries, from }
}

const asked = (method: string): SentRequest => ({ id: '1', method })
const resultOf = (result: string, id = '1'): string => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
const said = (fate: MessageAction): string => (fate.kind === 'drop' ? '' : fate.bytes.toString('utf8'))
const wish = (method: string): string => `{"s":{"method":"${method}","params":{}}}`

describe('a response without a request', () => {
  it.each([
    ['a result', resultOf('{"tools":[]}')],
    ['a result with a text id', resultOf('{"tools":[]}', '"1"')],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
  ])('is dropped and recorded: %s', async (_, text) => {
    const { entries, from } = serverSide()
    expect(await from(text, null)).toEqual({ kind: 'drop' })
    expect(entries).toMatchObject([{ kind: 'message-refused', from: 'server', what: 'answer' }])
  })

  it('is passed on if it is an error without an id', async () => {
    const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'
    expect(said(await serverSide().from(text, null))).toBe(text)
  })
})

describe('a denied request inside a result', () => {
  const methods = ['prompts/get', 'resources/read', 'tasks/get', 'tools/list', 'anything/else']

  it.each(methods)('does not reach the client in an answer to %s', async (method) => {
    const { entries, from } = serverSide(['sampling/*'])
    const result = `{"resultType":"input_required","inputRequests":${wish('sampling/createMessage')},"tools":[]}`
    expect(JSON.parse(said(await from(resultOf(result), asked(method))))).toMatchObject({ id: 1, error: {} })
    expect(entries).toMatchObject([{ kind: 'message-refused', from: 'server', what: 'sampling/createMessage' }])
  })

  it.each([
    ['in another case', `{"InputRequests":${wish('sampling/createMessage')}}`],
    ['with a NUL', `{"inputRequests\\u0000":${wish('sampling/createMessage')}}`],
    ['with escapes', `{"input\\u0052equests":${wish('sampling\\u002fcreateMessage')}}`],
    ['with a method that two parsers read differently', `{"inputRequests":${wish('sampling\\u0000')}}`],
    ['that is invalid', '{"inputRequests":[]}'],
    ['without a method', '{"inputRequests":{"s":{}}}'],
    ['that is too deeply nested', `{"inputRequests":${'['.repeat(80)}${']'.repeat(80)}}`],
    ['with a duplicate key', '{"inputRequests":{"s":{"method":"a","method":"b"}}}'],
  ])('does not reach the client %s', async (_, result) => {
    const fate = await serverSide(['sampling/*']).from(resultOf(result), asked('prompts/get'))
    expect(JSON.parse(said(fate))).toMatchObject({ id: 1, error: {} })
  })

  it('ends a call as failed if the result does not declare that it needs input', async () => {
    const { from } = serverSide(['sampling/*'])
    const ends: boolean[] = []
    const call: SentRequest = {
      ...asked('tools/call'),
      answered(message) {
        ends.push(message.kind === 'response' && message.failed)
        return { kind: 'forward', bytes: message.bytes }
      },
    }
    await from(resultOf(`{"inputRequests":${wish('sampling/createMessage')}}`), call)
    await from(resultOf('{"content":[]}'), call)
    expect(ends).toEqual([true, false])
  })

  it('does not reach the client in a task status notification', async () => {
    const { entries, from } = serverSide(['sampling/*'])
    const notice = (method: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","inputRequests":${wish(method)}}}`
    expect(await from(notice('sampling/createMessage'), null)).toEqual({ kind: 'drop' })
    expect(entries).toMatchObject([{ what: 'sampling/createMessage' }])
    expect(said(await from(notice('elicitation/create'), null))).toBe(notice('elicitation/create'))
  })

  it('leaves everything else unchanged: other requests, other results, and all of it if nothing is denied', async () => {
    const plain = resultOf('{"contents":[{"inputRequests":1}]}')
    const wanted = resultOf(`{"inputRequests":${wish('elicitation/create')}}`)
    const odd = resultOf('{"inputRequests":"a word of somebody else"}')
    const careful = serverSide(['sampling/*'])
    const open = serverSide()
    for (const [side, text] of [
      [careful, plain],
      [careful, wanted],
      [open, wanted],
      [open, odd],
    ] as const)
      expect(said(await side.from(text, asked('resources/read')))).toBe(text)
  })
})
