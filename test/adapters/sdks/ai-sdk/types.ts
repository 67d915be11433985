/** Compiled, never run: what people see of the types. `Is` fails to compile for types that differ, and `any` differs from all. */
import { type AskingGate, continueCalls, gateTools, type ToolOptions } from '@countersign/adapters/ai-sdk'
import type { connectGate, openGate } from '@countersign/node'
import { dynamicTool, generateText, type ModelMessage, ToolLoopAgent, tool } from 'ai'
import { z } from 'zod'

type Is<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never
function is<_Proof extends true>(): void {}

declare const gate: AskingGate
declare const opened: Awaited<ReturnType<typeof openGate>>['gate']
declare const connected: Awaited<ReturnType<typeof connectGate>>
declare const model: Parameters<typeof generateText>[0]['model']
declare const saved: ModelMessage[]

const tools = {
  pay: tool({
    description: 'Pays',
    inputSchema: z.object({ amount: z.number(), to: z.string().optional() }),
    execute: async ({ amount }) => ({ paid: amount }),
  }),
  any: dynamicTool({ inputSchema: z.object({}), execute: async () => 'x' }),
}

// Tools keep their types, through both kinds of gate.
const gated = gateTools(tools, gate)
is<Is<typeof gated, typeof tools>>()
gateTools(tools, opened)
gateTools(tools, connected)
const result = await generateText({ model, prompt: 'go', tools: gated })
for (const call of result.staticToolCalls) is<Is<typeof call.input, { amount: number; to?: string | undefined }>>()
for (const one of result.staticToolResults) is<Is<typeof one.output, { paid: number }>>()
new ToolLoopAgent({ model, tools: gated })

// Options know the tools and their inputs.
gateTools(tools, gate, {
  agent: 'cashier',
  tools: {
    pay: {
      describe: (input) => {
        is<Is<typeof input, { amount: number; to?: string | undefined }>>()
        return { kind: 'send' }
      },
      preview: ({ amount }) => `pays ${amount.toFixed(2)}`,
      volatile: ['to'],
    },
  },
  durable: { run: 'chat-7' },
})
// @ts-expect-error: there is no tool of this name
gateTools(tools, gate, { tools: { pya: {} } })
// @ts-expect-error: an input that the tool doesn't have
gateTools(tools, gate, { tools: { pay: { describe: ({ sum }) => ({ kind: sum }) } } })
// @ts-expect-error: a desk can't be asked
gateTools(tools, {})
// @ts-expect-error: a durable run has a name
gateTools(tools, gate, { durable: {} })

// Nothing that people see is `any`.
is<Is<Parameters<NonNullable<ToolOptions['describe']>>[0], Record<string, unknown>>>()
is<Is<Parameters<typeof gateTools>[1], AskingGate>>()

// Resumed messages go straight back to the SDK.
await generateText({ model, tools: gated, messages: continueCalls(saved) })
