import { gateTools } from '@countersign/adapters/ai-sdk'
import { dynamicTool, generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type OpenDesk, openDesk } from '../../support/open-desk.ts'
import { scriptedModel } from './scripted-model.ts'

const inputSchema = z.object({ to: z.string() })
const APPROVE = { kind: 'approve' } as const

/** An agent whose one model turn makes these calls, and how often its tools ran. */
function agent({ gate }: Pick<OpenDesk, 'gate'>, ...calls: readonly [tool: string, to: string][]) {
  const ran = vi.fn((what: string) => what)
  const one = (name: string) =>
    tool({ description: `Does ${name}`, inputSchema, execute: async ({ to }) => ran(`${name} ${to}`) })
  const tools = Object.fromEntries(
    ['send', 'look', 'wipe', 'constructor', '__proto__'].map((name) => [name, one(name)]),
  )
  const model = scriptedModel({
    text: 'I do it now',
    calls: calls.map(([tool, to], at) => ({ id: `c${at}`, tool, input: { to } })),
  })
  const gated = gateTools(tools, gate)
  const run = (abortSignal?: AbortSignal) =>
    generateText({ model, prompt: 'go', tools: gated, stopWhen: isStepCount(3), ...(abortSignal && { abortSignal }) })
  return { ran, model, tools, gated, run }
}

/** The results of tools as the model read them. */
function resultsFor(model: { readonly prompts: unknown[] }): string {
  const last = (model.prompts.at(-1) ?? []) as readonly { readonly role: string }[]
  return JSON.stringify(last.filter(({ role }) => role === 'tool'))
}

describe('tools of the AI SDK behind the gate', () => {
  it('run when nobody must be asked', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['look', 'a'])
    expect((await run()).text).toBe('done')
    expect(ran.mock.calls).toEqual([['look a']])
    expect(await desk.outcomes()).toEqual(['look completed'])
  })

  it('wait for a person, in parallel, and run what was approved', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['send', 'a'], ['send', 'b'])
    const result = run()
    const held = await desk.held(2)
    expect([held.length, ran.mock.calls.length]).toEqual([2, 0])
    await desk.decideHeld(APPROVE)
    await result
    expect(ran.mock.calls.flat().sort()).toEqual(['send a', 'send b'])
  })

  it('run the arguments that a person edited', async () => {
    const desk = await openDesk()
    const { run, ran, model } = agent(desk, ['send', 'eve'])
    const result = run()
    await desk.decideAll(1, { ...APPROVE, edited: { to: 'ana' } })
    await result
    expect(ran.mock.calls).toEqual([['send ana']])
    expect(resultsFor(model)).toContain('send ana')
  })

  it('are checked against their schema if a person edited their arguments', async () => {
    const desk = await openDesk()
    const { run, ran, model } = agent(desk, ['send', 'eve'])
    const result = run()
    await desk.decideAll(1, { ...APPROVE, edited: { to: 5 } })
    await result
    expect(ran).not.toHaveBeenCalled()
    expect(resultsFor(model)).toContain('do not fit the schema of this tool; it did not run')
    expect(await desk.outcomes()).toEqual(['send failed'])
  })

  it('give the model the words of a refusal, and its sibling still runs', async () => {
    const desk = await openDesk()
    const { run, ran, model } = agent(desk, ['send', 'a'], ['look', 'b'], ['wipe', 'c'])
    const result = run()
    await desk.decideAll(1, { kind: 'reject', reason: 'call her instead' })
    await result
    expect(ran.mock.calls).toEqual([['look b']])
    expect(resultsFor(model)).toContain('"NOT EXECUTED (rejected): Ana rejected this call.')
    expect(resultsFor(model)).toContain('“call her instead”')
    expect(resultsFor(model)).toContain('"NOT EXECUTED (denied)')
  })

  it('are withdrawn when the agent is aborted', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['send', 'a'])
    const stop = new AbortController()
    const result = run(stop.signal).catch(() => 'stopped')
    await desk.held(1)
    stop.abort()
    await result
    await expect.poll(() => desk.outcomes()).toEqual(['send withdrawn'])
    expect(ran).not.toHaveBeenCalled()
  })

  it.each(['constructor', '__proto__'])('are asked about when they are named %s', async (name) => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, [name, 'a'])
    const result = run()
    await desk.decideAll(1, { kind: 'reject' })
    await result
    expect(ran).not.toHaveBeenCalled()
  })

  it('show the person the words of the model', async () => {
    const desk = await openDesk()
    const model = scriptedModel(
      { text: 'I look first', calls: [{ id: 'c0', tool: 'look', input: { to: 'x' } }] },
      { calls: [{ id: 'c1', tool: 'send', input: { to: 'x' } }] },
    )
    const { tools } = agent(desk)
    const result = generateText({ model, prompt: 'go', tools: gateTools(tools, desk.gate), stopWhen: isStepCount(3) })
    const [view] = await desk.held(1)
    expect(view?.said).toBe('I look first')
    await desk.decideHeld({ kind: 'reject' })
    await result
  })

  it('stream, and tools that yield parts still do', async () => {
    const desk = await openDesk()
    const counting = tool({
      inputSchema,
      async *execute({ to }) {
        yield `${to} 1`
        yield `${to} 2`
      },
    })
    const model = scriptedModel({ calls: [{ id: 'c0', tool: 'send', input: { to: 'n' } }] })
    const result = streamText({
      model,
      prompt: 'go',
      tools: gateTools({ send: counting }, desk.gate),
      stopWhen: isStepCount(2),
    })
    const approving = desk.decideAll(1, APPROVE)
    const outputs: unknown[] = []
    for await (const part of result.fullStream) if (part.type === 'tool-result') outputs.push(part.output)
    await approving
    expect(outputs).toEqual(['n 1', 'n 2', 'n 2'])
    expect(await desk.outcomes()).toEqual(['send completed'])
  })

  it('may be dynamic', async () => {
    const desk = await openDesk()
    const ran = vi.fn(() => 'sent')
    const send = dynamicTool({ inputSchema, execute: async () => ran() })
    const model = scriptedModel({ calls: [{ id: 'c0', tool: 'send', input: { to: 'n' } }] })
    const result = generateText({
      model,
      prompt: 'go',
      tools: gateTools({ send }, desk.gate),
      stopWhen: isStepCount(2),
    })
    await desk.decideAll(1, { kind: 'reject' })
    await result
    expect(ran).not.toHaveBeenCalled()
  })
})

describe('tools that cannot be gated', () => {
  const searching = { type: 'provider', isProviderExecuted: true, id: 'x.search', args: {}, inputSchema } as const
  const client = tool({ description: 'shown by the page', inputSchema })

  it.each([
    ['the provider runs', { searching }, 'searching'],
    ['a client runs', { client }, 'client'],
  ])('are refused at set-up: those that %s', async (_, tools, name) => {
    const { gate } = await openDesk()
    const line = `the tool \`${name}\` can't be gated: it has no \`execute\`, so the provider or a client runs it; remove it, or list it in \`ungated\``
    expect(() => gateTools(tools, gate)).toThrow(line)
    expect(gateTools(tools, gate, { ungated: [name] })).toEqual(tools)
  })
})
