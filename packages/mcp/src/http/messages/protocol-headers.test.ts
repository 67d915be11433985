import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHeader, encodeHeader, paramHeaders, paramMismatch } from './protocol-headers.ts'

const DEFINITION = {
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      where: { type: 'object', properties: { shard: { type: 'integer', 'x-mcp-header': 'Shard' } } },
      bad: { type: 'string', 'x-mcp-header': 'not a token' },
    },
  },
}

describe('arguments in headers', () => {
  it('round-trip, whatever their values', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const header = encodeHeader(text)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        expect(decodeHeader(header)).toBe(text)
      }),
    )
  })

  it('are those in the schema', () => {
    const headers = paramHeaders(DEFINITION, { region: 'Zürich', where: { shard: 3 }, bad: 'x' })
    expect([...headers.keys()]).toEqual(['mcp-param-region', 'mcp-param-shard'])
    expect(decodeHeader(headers.get('mcp-param-region') ?? '')).toBe('Zürich')
  })

  it.each([
    [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, null],
    [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 'mcp-param-region'],
    [{ region: 'eu' }, {}, 'mcp-param-region'],
    [{ region: 'eu' }, { 'mcp-param-region': '=?base64?!!?=' }, 'mcp-param-region'],
    [{ where: { shard: 3 } }, { 'mcp-param-shard': '3.0' }, null],
    [{}, { 'mcp-param-region': 'us' }, null],
  ])('%j with %j: the difference is %s', (args, headers: Record<string, string>, expected) => {
    expect(paramMismatch(DEFINITION, args, (name) => headers[name])).toBe(expected)
  })
})
