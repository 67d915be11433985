/** Compiled, never run: what people see of the types. `Is` fails to compile for types that differ, and `any` differs from all. */
import {
  type AgentOptions,
  type AskingGate,
  continueRun,
  gateAgent,
  gateTools,
} from '@countersign/adapters/openai-agents'
import type { connectGate, openGate } from '@countersign/node'
import { Agent, RunState, run, tool, webSearchTool } from '@openai/agents'
import { z } from 'zod'

type Is<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never
function is<_Proof extends true>(): void {}

declare const gate: AskingGate
declare const opened: Awaited<ReturnType<typeof openGate>>['gate']
declare const connected: Awaited<ReturnType<typeof connectGate>>

interface Shop {
  readonly customer: string
}
const pay = tool({
  name: 'pay',
  description: 'Pays',
  parameters: z.object({ amount: z.number() }),
  execute: async ({ amount }) => `paid ${amount}`,
})
const tools = [pay]

// Tools and agents keep their types, through both kinds of gate.
const gated = gateTools(tools, gate, { tools: { pay: { describe: () => ({ kind: 'send' }) } }, agent: 'cashier' })
is<Is<typeof gated, typeof tools>>()
gateTools(tools, opened)
gateTools([pay, webSearchTool()], connected, { ungated: ['web_search'] })
const agent = new Agent<Shop>({ name: 'cashier', tools: gated })
const behind = gateAgent(agent, gate, { parents: ['boss'], ungated: [] })
is<Is<typeof behind, Agent<Shop>>>()
const typed = gateAgent(new Agent({ name: 'x', outputType: z.object({ total: z.number() }) }), gate)
const { finalOutput } = await run(typed, 'go')
is<Is<typeof finalOutput, { total: number } | undefined>>()

// @ts-expect-error: a desk can't be asked
gateTools(tools, {})
// @ts-expect-error: the name of a gated agent is its own
gateAgent(agent, gate, { agent: 'other' })

// Nothing that people see is `any`.
is<Is<Parameters<typeof gateAgent>[1], AskingGate>>()
is<Is<AgentOptions['ungated'], readonly string[] | undefined>>()

// A continued state goes straight back to the SDK.
const state = await RunState.fromString(behind, '')
const continued = continueRun(state)
is<Is<typeof continued, typeof state>>()
await run(behind, continued)
