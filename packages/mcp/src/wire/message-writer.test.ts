import { parseStrict } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readToolCall } from '../gatekeeper/call/tool-call.ts'
import { readMessage } from './message-parser.ts'
import { errorResponse, lineSafe, ownMessage, resultResponse } from './message-writer.ts'

/** Everything that some reader treats as the end of a line: Python's `splitlines` has most of them. */
const LINE_ENDS = /[\n\v\f\r\x1c-\x1e\u0085\u2028\u2029]/
const text = fc.string({ unit: fc.constantFrom('a', '\\', '"', '\u0085', '\u2028', '\u2029', '\r', '\n', '\x1c', 'é') })

describe('a written message', () => {
  it('has the same content, on one line for every reader', () => {
    fc.assert(
      fc.property(fc.dictionary(text, text), (value) => {
        const safe = lineSafe(JSON.stringify(value))
        expect(safe).not.toMatch(LINE_ENDS)
        // Not `JSON.parse`: V8 of Node 24 mistakes a key of one escaped character for another one it has seen.
        expect(parseStrict(safe, 4)).toEqual(value)
      }),
    )
  })

  const odd = 'a\u2028b\u2029c\u0085d'
  it.each([
    ['an error', errorResponse(JSON.stringify(odd), -32600, odd)],
    ['a result', resultResponse(JSON.stringify(odd), { odd })],
    ['one of our own requests', ownMessage(odd, { odd }, odd)],
  ])('is one line if it is %s', (_what, bytes) => {
    expect(bytes.toString('utf8')).not.toMatch(LINE_ENDS)
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ id: odd })
  })

  it('is one line if it is an approved call, whatever came with the arguments', () => {
    const params = { name: 'note', arguments: { odd }, _meta: { odd, progressToken: odd } }
    const request = readMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: odd, method: 'tools/call', params })))
    if (request.kind !== 'request') throw new Error('no request')
    const call = readToolCall(request)
    const bytes = call.serialise({ odd })
    expect(bytes.toString('utf8')).not.toMatch(LINE_ENDS)
    expect(JSON.parse(bytes.toString('utf8'))).toEqual({ jsonrpc: '2.0', id: odd, method: 'tools/call', params })
    expect(call.progressToken).not.toMatch(LINE_ENDS)
  })
})
