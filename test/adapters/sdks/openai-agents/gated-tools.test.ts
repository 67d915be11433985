import { gateTools } from '@countersign/adapters/openai-agents'
import { Agent, applyPatchTool, hostedMcpTool, run, shellTool, tool, webSearchTool } from '@openai/agents'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type OpenDesk, openDesk } from '../../support/open-desk.ts'
import { scriptedModel, toldOf } from './scripted-model.ts'

const APPROVE = { kind: 'approve' } as const
const parameters = z.object({ to: z.string() })

/** An agent whose one model turn makes these calls, and how often its tools ran. */
function agent({ gate }: Pick<OpenDesk, 'gate'>, ...calls: readonly [tool: string, args: unknown][]) {
  const ran = vi.fn((what: string) => what)
  const one = (name: string) =>
    tool({ name, description: `Does ${name}`, parameters, execute: async ({ to }) => ran(`${name} ${to}`) })
  const model = scriptedModel({
    calls: calls.map(([tool, args], at) => ({
      id: `c${at}`,
      tool,
      args: typeof args === 'string' ? args : JSON.stringify(args),
    })),
  })
  const tools = gateTools([one('send'), one('look'), one('wipe'), one('constructor'), one('__proto__')], gate)
  return { ran, model, agent: new Agent({ name: 'writer', model, tools }) }
}

describe('tools of OpenAI Agents behind the gate', () => {
  it('run when nobody must be asked', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['look', { to: 'a' }])
    expect((await run(one.agent, 'go')).finalOutput).toBe('done')
    expect(one.ran.mock.calls).toEqual([['look a']])
    expect(await desk.outcomes()).toEqual(['look completed'])
  })

  it('wait for a person, in parallel, and run what was approved', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', { to: 'a' }], ['send', { to: 'b' }])
    const result = run(one.agent, 'go')
    await desk.held(2)
    expect(one.ran).not.toHaveBeenCalled()
    await desk.decideHeld(APPROVE)
    await result
    expect(one.ran.mock.calls.flat().sort()).toEqual(['send a', 'send b'])
  })

  it('run the arguments that a person edited', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', { to: 'eve' }])
    const result = run(one.agent, 'go')
    await desk.decideAll(1, { ...APPROVE, edited: { to: 'ana' } })
    await result
    expect(one.ran.mock.calls).toEqual([['send ana']])
  })

  it('give the model the words of a refusal, and its sibling still runs', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', { to: 'a' }], ['look', { to: 'b' }], ['wipe', { to: 'c' }])
    const result = run(one.agent, 'go')
    await desk.decideAll(1, { kind: 'reject', reason: 'call her instead' })
    expect((await result).finalOutput).toBe('done')
    expect(one.ran.mock.calls).toEqual([['look b']])
    expect(toldOf(one.model)).toContain('NOT EXECUTED (rejected): Ana rejected this call.')
    expect(toldOf(one.model)).toContain('“call her instead”')
    expect(toldOf(one.model)).toContain('NOT EXECUTED (denied)')
  })

  it('are withdrawn when the run is aborted', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', { to: 'a' }])
    const stop = new AbortController()
    const result = run(one.agent, 'go', { signal: stop.signal }).catch(() => 'stopped')
    await desk.held(1)
    stop.abort()
    await result
    await expect.poll(() => desk.outcomes()).toEqual(['send withdrawn'])
    expect(one.ran).not.toHaveBeenCalled()
  })

  it.each(['constructor', '__proto__'])('are asked about when they are named %s', async (name) => {
    const desk = await openDesk()
    const one = agent(desk, [name, { to: 'a' }])
    const result = run(one.agent, 'go')
    await desk.decideAll(1, { kind: 'reject' })
    await result
    expect(one.ran).not.toHaveBeenCalled()
  })

  it('are refused when the model writes arguments that are not JSON', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['look', '{"to":'])
    await run(one.agent, 'go').catch(() => {})
    expect(one.ran).not.toHaveBeenCalled()
  })

  it('run what was judged when the model writes a key twice', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', '{"to":"ana","to":"eve"}'])
    const result = run(one.agent, 'go')
    const [view] = await desk.held(1)
    expect(view?.request).toContain('"eve"')
    expect(view?.request).not.toContain('"ana"')
    await desk.decideHeld(APPROVE)
    await result
    expect(one.ran.mock.calls).toEqual([['send eve']])
  })

  it('are gated in streamed runs too', async () => {
    const desk = await openDesk()
    const one = agent(desk, ['send', { to: 'a' }])
    const result = await run(one.agent, 'go', { stream: true })
    const approving = desk.decideAll(1, APPROVE)
    for await (const _ of result);
    await approving
    expect(one.ran.mock.calls).toEqual([['send a']])
  })
})

describe('tools that cannot be gated', () => {
  const shell = { run: async () => ({ output: [] }) }
  const editor = {
    createFile: async () => undefined,
    updateFile: async () => undefined,
    deleteFile: async () => undefined,
  }
  const inner = new Agent({ name: 'researcher' })
  it.each([
    ['web search', webSearchTool(), 'runs outside of a function'],
    [
      'a hosted MCP server',
      hostedMcpTool({ serverLabel: 'x', serverUrl: 'https://example.com' }),
      'runs outside of a function',
    ],
    ['a shell', shellTool({ shell }), 'runs outside of a function'],
    ['patches', applyPatchTool({ editor }), 'runs outside of a function'],
    ['an agent', inner.asTool({ toolName: 'research', toolDescription: 'researches' }), 'runs an agent'],
  ])('are refused at set-up: %s', async (_, one, why) => {
    const { gate } = await openDesk()
    expect(() => gateTools([one], gate)).toThrow(why)
    expect(() => gateTools([one], gate)).toThrow(`the tool \`${one.name}\` can't be gated`)
    expect(gateTools([one], gate, { ungated: [one.name] })).toEqual([one])
  })
})
