/** Compiled, never run: what people see of the types. `Is` fails to compile for types that differ, and `any` differs from all. */
import {
  type AgentToolOptions,
  type AskingGate,
  continueRun,
  type GateOptions,
  gateTools,
} from '@countersign/adapters/langchain'
import type { connectGate, openGate } from '@countersign/node'
import { Command } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'

type Is<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never
function is<_Proof extends true>(): void {}

declare const gate: AskingGate
declare const opened: Awaited<ReturnType<typeof openGate>>['gate']
declare const connected: Awaited<ReturnType<typeof connectGate>>

const pay = tool(async ({ amount }: { readonly amount: number }) => `paid ${amount}`, {
  name: 'pay',
  description: 'Pays',
  schema: z.object({ amount: z.number() }),
})

// Tools keep their types, through both kinds of gate.
const gated = gateTools([pay], gate, { tools: { pay: { describe: () => ({ kind: 'send' }) } }, agent: 'cashier' })
is<Is<typeof gated, (typeof pay)[]>>()
gateTools([pay], opened)
gateTools([pay, { type: 'web_search', name: 'web_search' }], connected, { ungated: ['web_search'] })
const tools = [pay]
const same = gateTools(tools, gate)
is<Is<typeof same, typeof tools>>()
const agent = createAgent({ model: 'openai:gpt-5', tools: gated })
new ToolNode(same)

// @ts-expect-error: a desk can't be asked
gateTools([pay], {})

// Nothing that people see is `any`.
is<Is<Parameters<typeof gateTools>[1], AskingGate>>()
is<Is<GateOptions<AgentToolOptions>['ungated'], readonly string[] | undefined>>()

// A paused graph goes straight back to the SDK.
const { __interrupt__: interrupts } = await agent.invoke({ messages: 'go' })
const resume = continueRun(interrupts)
is<Is<typeof resume, Record<string, true>>>()
await agent.invoke(new Command({ resume }))
