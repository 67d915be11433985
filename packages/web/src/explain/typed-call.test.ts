import { expect, it } from 'vitest'
import { readTypedCall, type TypedCall } from './typed-call.ts'

const EMPTY: TypedCall = { form: 'command', command: '', tool: '', fields: [], json: '' }

it.each<readonly [string, Partial<TypedCall>, unknown]>([
  ['a command', { command: 'rm -rf build' }, { tool: 'execute_command', args: { command: 'rm -rf build' } }],
  [
    'a tool with fields',
    {
      form: 'tool',
      tool: 'refund',
      fields: [
        { name: 'amount', value: '100' },
        { name: 'account', value: '007' },
        { name: ' note ', value: 'true story' },
        { name: 'tags', value: '["a"]' },
        { name: '', value: '' },
      ],
    },
    { tool: 'refund', args: { amount: 100, account: '007', note: 'true story', tags: ['a'] } },
  ],
  ['a server’s tool', { form: 'tool', tool: 'pg/query' }, { tool: { server: 'pg', name: 'query' }, args: {} }],
  ['JSON', { form: 'json', json: '{"tool":"x","args":{}}' }, { tool: 'x', args: {} }],
])('reads %s', (_, typed, call) => {
  expect(readTypedCall({ ...EMPTY, ...typed })).toEqual({ call })
})

it.each<readonly [Partial<TypedCall>, string]>([
  [{ command: ' ' }, 'type a command'],
  [{ form: 'tool' }, 'type the name of a tool'],
  [{ form: 'tool', tool: 'x', fields: [{ name: '', value: 'lost' }] }, 'name the field with the value `lost`'],
  [{ form: 'json', json: '{' }, 'not valid JSON'],
])('says what is missing in %j', (typed, problem) => {
  expect(readTypedCall({ ...EMPTY, ...typed })).toBe(problem)
})
