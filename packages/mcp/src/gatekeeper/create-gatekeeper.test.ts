import type { EntryBody, Gate } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { readMessage } from '../wire/message-parser.ts'
import { compileDenied } from '../wire/method-name.ts'
import type { MessageAction, SentRequest } from './call/exchange.ts'
import { createGatekeeper } from './create-gatekeeper.ts'

/** What the server's side of a gatekeeper makes of messages: no call is asked for, so there is no gate. */
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
    ['a result whose id is text', resultOf('{"tools":[]}', '"1"')],
    ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}'],
  ])('goes nowhere, and is noted: %s', async (_, text) => {
    const { entries, from } = serverSide()
    expect(await from(text, null)).toEqual({ kind: 'drop' })
    expect(entries).toMatchObject([{ kind: 'message-refused', from: 'server', what: 'answer' }])
  })

  it('passes where it is an error that answers nobody', async () => {
    const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}'
    expect(said(await serverSide().from(text, null))).toBe(text)
  })
})

describe('a denied wish inside a result', () => {
  const methods = ['prompts/get', 'resources/read', 'tasks/get', 'tools/list', 'anything/else']

  it.each(methods)('does not reach the client in an answer to %s', async (method) => {
    const { entries, from } = serverSide(['sampling/*'])
    const result = `{"resultType":"input_required","inputRequests":${wish('sampling/createMessage')},"tools":[]}`
    expect(JSON.parse(said(await from(resultOf(result), asked(method))))).toMatchObject({ id: 1, error: {} })
    expect(entries).toMatchObject([{ kind: 'message-refused', from: 'server', what: 'sampling/createMessage' }])
  })

  it.each([
    ['in another case', `{"InputRequests":${wish('sampling/createMessage')}}`],
    ['with an end of string', `{"inputRequests\\u0000":${wish('sampling/createMessage')}}`],
    ['in escapes', `{"input\\u0052equests":${wish('sampling\\u002fcreateMessage')}}`],
    ['by a method that two readers read differently', `{"inputRequests":${wish('sampling\\u0000')}}`],
    ['that is none', '{"inputRequests":[]}'],
    ['that names no method', '{"inputRequests":{"s":{}}}'],
    ['that is nested too deep to be read', `{"inputRequests":${'['.repeat(80)}${']'.repeat(80)}}`],
    ['with a key twice', '{"inputRequests":{"s":{"method":"a","method":"b"}}}'],
  ])('does not reach the client %s', async (_, result) => {
    const fate = await serverSide(['sampling/*']).from(resultOf(result), asked('prompts/get'))
    expect(JSON.parse(said(fate))).toMatchObject({ id: 1, error: {} })
  })

  it('ends a call that does not say that it wants input as a failed one', async () => {
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

  it('does not reach the client in a notice of how a task stands', async () => {
    const { entries, from } = serverSide(['sampling/*'])
    const notice = (method: string): string =>
      `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t","inputRequests":${wish(method)}}}`
    expect(await from(notice('sampling/createMessage'), null)).toEqual({ kind: 'drop' })
    expect(entries).toMatchObject([{ what: 'sampling/createMessage' }])
    expect(said(await from(notice('elicitation/create'), null))).toBe(notice('elicitation/create'))
  })

  it('leaves the rest as it came: other wishes, other results, and everything where nothing is denied', async () => {
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
