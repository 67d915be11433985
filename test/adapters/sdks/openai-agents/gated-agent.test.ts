import { gateAgent } from '@countersign/adapters/openai-agents'
import { Agent, handoff, run, tool } from '@openai/agents'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { openDesk } from '../../support/open-desk.ts'
import { scriptedModel } from './scripted-model.ts'

const parameters = z.object({ to: z.string() })
const CALL = { id: 'c1', tool: 'send', args: '{"to":"ana"}' }

function sender(ran: (what: string) => string) {
  const send = tool({ name: 'send', description: 'Sends', parameters, execute: async ({ to }) => ran(`send ${to}`) })
  return new Agent({ name: 'sender', model: scriptedModel({ calls: [CALL] }), tools: [send] })
}

describe('an agent behind the gate', () => {
  it.each([
    ['an agent', (one: Agent) => one],
    ['a handoff', (one: Agent) => handoff(one)],
  ])('is asked about the calls of an agent that it hands off to, given as %s', async (_, given) => {
    const desk = await openDesk()
    const ran = vi.fn((what: string) => what)
    const model = scriptedModel({ calls: [{ id: 'h1', tool: 'transfer_to_sender', args: '{}' }] })
    const triage = new Agent({ name: 'triage', model, handoffs: [given(sender(ran)) as Agent] })
    const result = run(gateAgent(triage, desk.gate), 'go')
    const [view] = await desk.held(1)
    expect(JSON.parse(view?.request ?? '').call.agent).toEqual(['triage', 'sender'])
    expect(ran).not.toHaveBeenCalled()
    await desk.decideHeld({ kind: 'approve' })
    expect((await result).finalOutput).toBe('done')
    expect(ran.mock.calls).toEqual([['send ana']])
  })

  it('may be a tool of another, whose name its calls have', async () => {
    const desk = await openDesk()
    const ran = vi.fn((what: string) => what)
    const inner = gateAgent(sender(ran), desk.gate, { parents: ['boss'] })
    const outer = new Agent({
      name: 'boss',
      model: scriptedModel({ calls: [{ id: 't1', tool: 'sending', args: '{"input":"go"}' }] }),
      tools: [inner.asTool({ toolName: 'sending', toolDescription: 'sends' })],
    })
    const result = run(gateAgent(outer, desk.gate, { ungated: ['sending'] }), 'go')
    const [view] = await desk.held(1)
    expect(JSON.parse(view?.request ?? '').call.agent).toEqual(['boss', 'sender'])
    await desk.decideHeld({ kind: 'reject' })
    await result
    expect(ran).not.toHaveBeenCalled()
  })

  it('may hand off in circles', async () => {
    const desk = await openDesk()
    const one = sender(() => '')
    const two = new Agent({ name: 'two', handoffs: [one] })
    one.handoffs.push(two)
    const gated = gateAgent(one, desk.gate)
    expect(gated).toBeInstanceOf(Agent)
    const [next] = gated.handoffs
    expect(next instanceof Agent && next.handoffs[0]).toBe(gated)
    expect(gated.tools[0]).not.toBe(one.tools[0])
  })

  it('is refused at set-up with an MCP server, whose tools are known only later', async () => {
    const { gate } = await openDesk()
    const server = { name: 'files' } as never
    const one = new Agent({ name: 'one', mcpServers: [server] })
    expect(() => gateAgent(one, gate)).toThrow(
      "the tool `files` can't be gated: an MCP server; start it by `countersign mcp",
    )
    expect(gateAgent(one, gate, { ungated: ['files'] }).mcpServers).toEqual([server])
  })

  it('is refused at set-up with misspelled options', async () => {
    const { gate } = await openDesk()
    expect(() =>
      gateAgent(
        sender(() => ''),
        gate,
        { tools: { sned: {} } },
      ),
    ).toThrow('there is no tool `sned`')
  })
})
