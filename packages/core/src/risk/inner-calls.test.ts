import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../call/json.ts'
import { findInnerCalls } from './inner-calls.ts'

/** Sixty spellings of one key. */
const keys = (key: string, value: Json): JsonObject =>
  Object.fromEntries([...Array(60)].map((_, at) => [`${key}${'_'.repeat(at)}`, value]))

describe('the calls inside a call', () => {
  it('L10 are no more than are looked at, however names and arguments are multiplied', () => {
    const { calls, missed } = findInnerCalls('invoke_tool', { ...keys('tool', 'get_note'), ...keys('args', {}) })
    expect([calls.length, missed]).toEqual([64, 'beyond'])
  })

  it('are each of the names with each of the arguments', () => {
    const args = { tool: 'a', toolName: 'b', args: { x: 1 }, input: '{"x":2}' }
    const { calls, missed } = findInnerCalls('invoke_tool', args)
    expect(calls.map(({ name, args }) => `${name}${args['x']}`)).toEqual(['a1', 'a2', 'b1', 'b2'])
    expect(missed).toBe('unclear')
  })

  it('are not seen in what everyday tools are given', () => {
    expect(findInnerCalls('create_user', { name: 'x', params: {} }).calls).toEqual([])
    expect(findInnerCalls('run_report', { name: 'x', action: 'start', tool_call_id: 'c1' }).calls).toEqual([])
    expect(findInnerCalls('docker_exec', { name: 'web', command: 'ls' }).calls).toEqual([])
  })
})
