import { describe, expect, expectTypeOf, it } from 'vitest'
import { permitFor, REJECTED, scriptedGate } from '../gate/scripted-gate.fixture.ts'
import { continueRun } from './continue-run.ts'
import { gateTools } from './gate-tools.ts'

/** A tool in the shape of the SDK's. */
const send = {
  type: 'function' as const,
  name: 'send',
  description: 'Sends mail',
  parameters: { type: 'object' },
  invoke: async (_context: object, input: string): Promise<string> => `sent ${input}`,
  needsApproval: async () => false,
}

describe('a tool in the shape of OpenAI Agents', () => {
  it('keeps its type, and runs the permitted arguments', async () => {
    const gate = scriptedGate(() => permitFor({ to: 'bea' }))
    const tools = gateTools([send], gate)
    expectTypeOf(tools).toEqualTypeOf<(typeof send)[]>()
    expect(await tools[0]?.invoke({}, '{"to":"ana"}')).toBe('sent {"to":"bea"}')
    expect(gate.asked[0]).toMatchObject({
      tool: { name: 'send', definition: { description: 'Sends mail', inputSchema: { type: 'object' } } },
      args: { to: 'ana' },
    })
  })

  it('returns the refusal as its result', async () => {
    const [tool] = gateTools(
      [send],
      scriptedGate(() => REJECTED),
    )
    expect(await tool?.invoke({}, '')).toContain('NOT EXECUTED (rejected)')
  })

  it('gives the refusal to its error function, if its results have a form', async () => {
    const formed = { ...send, errorFunction: (_context: object, error: unknown) => `{"error":"${error}"}` }
    const [tool] = gateTools(
      [formed],
      scriptedGate(() => REJECTED),
    )
    expect(await tool?.invoke({}, '{}')).toMatch(/^\{"error":"NOT EXECUTED/)
  })

  it('is refused for arguments that are not JSON, without asking', async () => {
    const gate = scriptedGate(() => permitFor({}))
    const [tool] = gateTools([send], gate)
    expect(await tool?.invoke({}, '{"to":')).toContain('the arguments are not valid JSON')
    expect(gate.asked).toEqual([])
  })

  it('throws what it throws itself', async () => {
    const broken = { ...send, invoke: (_context: object, _input: string) => Promise.reject(new Error('no network')) }
    const [tool] = gateTools(
      [broken],
      scriptedGate(() => permitFor({})),
    )
    await expect(tool?.invoke({}, '{}')).rejects.toThrow('no network')
  })
})

describe('a state that goes on', () => {
  it('has an answer for each interruption', () => {
    const answered: string[] = []
    const state = { getInterruptions: () => ['a', 'b'], approve: (one: string) => void answered.push(one) }
    expect(continueRun(state)).toBe(state)
    expect(answered).toEqual(['a', 'b'])
  })
})
