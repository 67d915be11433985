import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { findInnerCalls } from './finder.ts'

/** Sixty spellings of one key. */
const keys = (key: string, value: Json): JsonObject =>
  Object.fromEntries([...Array(60)].map((_, at) => [`${key}${'_'.repeat(at)}`, value]))

describe('nested calls', () => {
  it('L10 stay within the limit, however many names and arguments there are', () => {
    const { calls, missed } = findInnerCalls('invoke_tool', { ...keys('tool', 'get_note'), ...keys('args', {}) })
    expect([calls.length, missed]).toEqual([64, 'beyond'])
  })

  it.each<[string, (values: Json) => Json]>([
    ['as objects', (values) => ({ values })],
    ['as JSON', (values) => JSON.stringify({ values })],
  ])('L10 exceed the limit if many names have many values, %s', (_, given) => {
    const args = given([...Array(5000)].map((_, at) => at))
    expect(findInnerCalls('invoke_tool', { tool: 'get_note', args }).missed).toBe('nothing')
    const { calls, missed } = findInnerCalls('invoke_tool', { ...keys('tool', 'get_note'), args })
    expect([missed, calls.length]).toEqual(['beyond', 60])
    expect(calls.every(({ args }) => Object.keys(args).length === 0)).toBe(true)
  })

  it('L10 exceed the limit if many names have one long text', () => {
    const args = { text: 'x '.repeat(100_000) }
    expect(findInnerCalls('invoke_tool', { tool: 'get_note', args }).missed).toBe('nothing')
    expect(findInnerCalls('invoke_tool', { ...keys('tool', 'get_note'), args }).missed).toBe('beyond')
  })

  it('combine each name with each set of arguments', () => {
    const args = { tool: 'a', toolName: 'b', args: { x: 1 }, input: '{"x":2}' }
    const { calls, missed } = findInnerCalls('invoke_tool', args)
    expect(calls.map(({ name, args }) => `${name}${args['x']}`)).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(missed).toBe('unclear')
  })

  it('are not found in the arguments of everyday tools', () => {
    expect(findInnerCalls('create_user', { name: 'x', params: {} }).calls).toEqual([])
    expect(findInnerCalls('run_report', { name: 'x', action: 'start', tool_call_id: 'c1' }).calls).toEqual([])
    expect(findInnerCalls('docker_exec', { name: 'web', command: 'ls' }).calls).toEqual([])
  })
})
