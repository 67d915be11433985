import { gateTools } from '@countersign/adapters/langchain'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { AIMessage, createAgent, createMiddleware, fakeModel, tool } from 'langchain'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type OpenDesk, openDesk } from '../../support/open-desk.ts'

const APPROVE = { kind: 'approve' } as const
const schema = z.object({ to: z.string() })

function tools(ran: (what: string) => string) {
  const one = (name: string) =>
    tool(async ({ to }: { readonly to: string }) => ran(`${name} ${to}`), { name, description: `Does ${name}`, schema })
  return ['send', 'look', 'wipe', 'constructor', '__proto__'].map(one)
}

function turns(...calls: readonly [tool: string, to: unknown][]) {
  return calls.map(([name, to], at) => ({ id: `c${at}`, name, args: { to } }))
}

/** An agent whose one model turn makes these calls, and how often its tools ran. */
function agent({ gate }: Pick<OpenDesk, 'gate'>, ...calls: readonly [tool: string, to: unknown][]) {
  const ran = vi.fn((what: string) => what)
  const model = fakeModel()
    .respond(new AIMessage({ content: 'I do it now', tool_calls: turns(...calls) }))
    .respond(new AIMessage('done'))
  const one = createAgent({ model, tools: gateTools(tools(ran), gate) })
  const run = (signal?: AbortSignal) => one.invoke({ messages: 'go' }, { ...(signal && { signal }) })
  return { ran, model, run }
}

/** The results of tools as the model read them. */
function told(model: { readonly calls: readonly { readonly messages: readonly unknown[] }[] }): string {
  const messages = (model.calls.at(-1)?.messages ?? []) as readonly {
    readonly type: string
    readonly content: unknown
  }[]
  return JSON.stringify(messages.filter(({ type }) => type === 'tool').map(({ content }) => content))
}

describe('tools of LangChain behind the gate', () => {
  it('run when nobody must be asked', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['look', 'a'])
    expect((await run()).messages.at(-1)?.content).toBe('done')
    expect(ran.mock.calls).toEqual([['look a']])
    expect(await desk.outcomes()).toEqual(['look completed'])
  })

  it('wait for a person, in parallel, and run what was approved', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['send', 'a'], ['send', 'b'])
    const result = run()
    const [view] = await desk.held(2)
    expect([view?.said, ran.mock.calls.length]).toEqual(['I do it now', 0])
    await desk.decideHeld(APPROVE)
    await result
    expect(ran.mock.calls.flat().sort()).toEqual(['send a', 'send b'])
  })

  it('run the arguments that a person edited, checked by their schema', async () => {
    const desk = await openDesk()
    const { run, ran } = agent(desk, ['send', 'eve'])
    const result = run()
    await desk.decideAll(1, { ...APPROVE, edited: { to: 'ana' } })
    await result
    expect(ran.mock.calls).toEqual([['send ana']])
    const other = agent(desk, ['send', 'eve'])
    const refused = other.run()
    await desk.decideAll(1, { ...APPROVE, edited: { to: 5 } })
    await refused
    expect(other.ran).not.toHaveBeenCalled()
    expect(told(other.model)).toContain('did not match expected schema')
  })

  it('give the model the words of a refusal as an error, and its sibling still runs', async () => {
    const desk = await openDesk()
    const { run, ran, model } = agent(desk, ['send', 'a'], ['look', 'b'], ['wipe', 'c'])
    const result = run()
    await desk.decideAll(1, { kind: 'reject', reason: 'call her instead' })
    const { messages } = await result
    const results = messages.filter((message) => message.type === 'tool')
    expect(results.map((message) => Reflect.get(message, 'status'))).toEqual(['error', 'success', 'error'])
    expect(ran.mock.calls).toEqual([['look b']])
    expect(told(model)).toContain('"NOT EXECUTED (rejected): Ana rejected this call.')
    expect(told(model)).toContain('“call her instead”')
    expect(told(model)).toContain('"NOT EXECUTED (denied)')
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

  it('are judged with the arguments that middleware of any order changed', async () => {
    const desk = await openDesk()
    const ran = vi.fn((what: string) => what)
    const model = fakeModel()
      .respond(new AIMessage({ content: '', tool_calls: turns(['send', 'ana']) }))
      .respond(new AIMessage('done'))
    const changing = createMiddleware({
      name: 'changing',
      wrapToolCall: (request, handler) =>
        handler({ ...request, toolCall: { ...request.toolCall, args: { to: 'eve' } } }),
    })
    const one = createAgent({ model, tools: gateTools(tools(ran), desk.gate), middleware: [changing] })
    const result = one.invoke({ messages: 'go' })
    const [view] = await desk.held(1)
    expect(view?.request).toContain('"eve"')
    await desk.decideHeld({ kind: 'reject' })
    await result
    expect(ran).not.toHaveBeenCalled()
  })

  it('are gated in a graph of nodes, and when they are invoked by hand', async () => {
    const desk = await openDesk()
    const ran = vi.fn((what: string) => what)
    const gated = gateTools(tools(ran), desk.gate, { agent: { name: 'inner', parents: ['outer'] } })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('tools', new ToolNode(gated))
      .addEdge('__start__', 'tools')
      .compile()
    const outer = new StateGraph(MessagesAnnotation).addNode('nested', graph).addEdge('__start__', 'nested').compile()
    const result = outer.invoke({ messages: [new AIMessage({ content: '', tool_calls: turns(['send', 'a']) })] })
    const [view] = await desk.held(1)
    expect(JSON.parse(view?.request ?? '').call.agent).toEqual(['outer', 'inner'])
    await desk.decideHeld({ kind: 'reject' })
    expect(JSON.stringify((await result).messages)).toContain('NOT EXECUTED (rejected)')
    const alone = gated[0]?.invoke({ to: 'b' })
    const refused = expect(alone).rejects.toThrow('NOT EXECUTED (rejected)')
    await desk.decideAll(1, { kind: 'reject' })
    await refused
    expect(ran).not.toHaveBeenCalled()
  })
})

describe('tools that cannot be gated', () => {
  it('are refused at set-up: those that the provider runs', async () => {
    const { gate } = await openDesk()
    const search = { type: 'web_search_20250305', name: 'web_search' }
    expect(() => gateTools([search], gate)).toThrow("the tool `web_search` can't be gated: it has no function")
    expect(gateTools([search], gate, { ungated: ['web_search'] })).toEqual([search])
    expect(() => gateTools([], gate, { tools: { sned: {} } })).toThrow('there is no tool `sned`')
  })
})
