import { gateAgent } from '@countersign/adapters/openai-agents'
import { markOf } from '@countersign/core'
import { openGate } from '@countersign/node'
import { Agent, Runner, tool } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import { z } from 'zod'

const { gate } = await openGate({ home: 'gate-home' }) // policy, store and keys; default: ~/.countersign
gate.subscribe((event) => {
  if (event.kind === 'held') console.log(`held: npx countersign approve ${markOf(event.view)} --home gate-home`)
})

const publish = tool({
  name: 'publish',
  description: 'Puts a page online',
  parameters: z.object({ page: z.string() }),
  execute: async ({ page }) => `${page} is online`,
})

/** A model without a network: it publishes the prices, and then it is done. Yours: the name of a model. */
const model = new ScriptedModel([
  [functionCall('publish', { page: 'prices' }, { callId: 'call_1' })],
  [assistantMessage('I am done.')],
])

const agent = new Agent({ name: 'publisher', instructions: 'You publish pages.', model, tools: [publish] })
const gated = gateAgent(agent, gate, { tools: { publish: { requiresConfirmation: true } } })
const runner = new Runner({ tracingDisabled: true })
const { finalOutput, newItems } = await runner.run(gated, 'Publish the prices')
for (const item of newItems) if (item.type === 'tool_call_output_item') console.log(item.output)
console.log(finalOutput)
await gate.close()
