import type { Json, JsonObject } from '@countersign/core'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookalikeArgument } from './lookalike-arguments.ts'

/** A tool with one of each schema feature. */
const TOOL: JsonObject = {
  name: 'query',
  inputSchema: {
    type: 'object',
    properties: {
      database: { type: 'string' },
      user_id: { type: 'string' },
      path: { type: 'string' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      env: { type: 'object' },
      options: { $ref: '#/$defs/options' },
      steps: { type: 'array', items: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/options' }] } },
      tables: { type: 'object', additionalProperties: { $ref: '#/$defs/options' } },
      arguments: { type: 'object' },
      Mode: { type: 'string' },
      mode: { type: 'string' },
    },
    allOf: [{ properties: { limit: { type: 'number' } } }, { $ref: '#/$defs/nowhere' }, { $ref: 'https://x.example' }],
    $defs: {
      options: {
        type: 'object',
        properties: { schema: { type: 'string' }, inner: { $ref: '#/$defs/options' }, env: { type: 'object' } },
      },
    },
  },
}
const BARE: JsonObject = { name: 'query', inputSchema: { type: 'object' } }

describe('argument names', () => {
  it.each<readonly [string, JsonObject]>([
    ['with the tool’s spelling', { database: 'dev', user_id: 'a', limit: 3, options: { schema: 'x' } }],
    ['unknown to the tool', { other: 1, another: 2 }],
    ['that the tool declares in two cases', { mode: 'a', Mode: 'b' }],
    ['in a map of headers', { headers: { 'X-Id': 'a', 'x-id': 'b' } }],
    ['in a map of variables', { env: { http_proxy: 'a', HTTP_PROXY: 'b', path: 'c', PATH: 'd', Database: 'e' } }],
    ['in a nested map of variables', { options: { inner: { env: { Path: 'a', PATH: 'b', schema: 'c' } } } }],
    ['used as map keys', { tables: { Users: { schema: 'a' }, users: { schema: 'b' } } }],
  ])('are accepted %s', (_, args) => {
    expect(lookalikeArgument(args, TOOL)).toBeNull()
  })

  it.each<readonly [string, JsonObject, string]>([
    ['one next to the tool’s own', { database: 'dev', Database: 'prod' }, 'Database'],
    ['one in place of the tool’s own', { DATABASE: 'prod' }, 'DATABASE'],
    ['one with a letter that folds to lower case', { uſer_id: 'b' }, 'uſer_id'],
    ['one in full-width letters', { ｄatabase: 'prod' }, 'ｄatabase'],
    ['one in protobuf spelling', { userId: 'b' }, 'userId'],
    ['one with other separators', { 'user-id': 'b' }, 'user-id'],
    ['one from a subschema', { Limit: 9 }, 'Limit'],
    ['one with a NUL', { database: 'dev', 'database\0': 'prod' }, 'database\\u0000'],
    ['one with a NUL and more', { 'database\0x': 'prod' }, 'database\\u0000x'],
    ['one inside a described object', { options: { Schema: 'x' } }, 'Schema'],
    ['one deep inside a described object', { options: { inner: { inner: { schemA: 'x' } } } }, 'schemA'],
    ['one in a list', { steps: ['a', { Schema: 'x' }] }, 'Schema'],
    ['one in a map of described objects', { tables: { users: { Schema: 'x' } } }, 'Schema'],
    ['two unknown to the tool', { other: 1, Other: 2 }, 'Other'],
    ['two inside a described object', { options: { other: 1, Other: 2 } }, 'Other'],
    ['two in a nested call’s arguments', { arguments: { amount: 1, Amount: 9 } }, 'Amount'],
    ['a NUL in a map', { env: { 'A\0': 'b' } }, 'A\\u0000'],
  ])('are refused: %s', (_, args, name) => {
    expect(lookalikeArgument(args, TOOL)).toContain(`\`${name}\``)
  })

  it('are refused in two cases at any depth if the tool has no schema', () => {
    expect(lookalikeArgument({ database: 'dev', Database: 'prod' }, BARE)).toContain('`Database`')
    expect(lookalikeArgument({ a: [{ b: { database: 'dev', Database: 'prod' } }] }, BARE)).toContain('`Database`')
    expect(lookalikeArgument({ Database: 'dev', other: { database: 'x' } }, BARE)).toBeNull()
  })

  it('are not checked without arguments', () => {
    for (const args of [undefined, null, 1, 'a', [], [{ a: 1, A: 2 }]] as (Json | undefined)[])
      expect(lookalikeArgument(args, TOOL)).toBeNull()
  })

  it('are checked whatever the schema is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.jsonValue({ maxDepth: 6 }), (inputSchema, args) => {
        const found = lookalikeArgument(args as Json, { name: 'x', inputSchema } as JsonObject)
        expect(found === null || found.length > 0).toBe(true)
      }),
    )
  })

  it('are never accepted in two cases at the top level', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
    fc.assert(
      fc.property(name, fc.boolean(), (one, isNamed) => {
        const properties = isNamed ? { [one]: {} } : {}
        const args = { [one]: 1, [one.toUpperCase()]: 2 }
        expect(lookalikeArgument(args, { inputSchema: { properties } })).not.toBeNull()
      }),
    )
  })

  it('take no longer with a schema that refers to itself in many ways', () => {
    const node = { anyOf: Array.from({ length: 50 }, () => ({ $ref: '#' })), properties: { a: { $ref: '#' } } }
    let args: JsonObject = { A: 1 }
    for (let depth = 0; depth < 60; depth += 1) args = { a: args }
    expect(lookalikeArgument(args, { inputSchema: node })).toContain('`A`')
  })
})
