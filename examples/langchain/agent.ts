import { gateTools } from '@countersign/adapters/langchain'
import { markOf } from '@countersign/core'
import { openGate } from '@countersign/node'
import { AIMessage, createAgent, fakeModel, tool } from 'langchain'
import { z } from 'zod'

const { gate } = await openGate({ home: 'gate-home' }) // policy, store and keys; default: ~/.countersign
gate.subscribe((event) => {
  if (event.kind === 'held') console.log(`held: npx countersign approve ${markOf(event.view)} --home gate-home`)
})

const publish = tool(async ({ page }) => `${page} is online`, {
  name: 'publish',
  description: 'Puts a page online',
  schema: z.object({ page: z.string() }),
})

/** A model without a network: it publishes the prices, and then it is done. Yours: the name of a model. */
const model = fakeModel()
  .respondWithTools([{ name: 'publish', args: { page: 'prices' }, id: 'call_1' }])
  .respond(new AIMessage('I am done.'))

const agent = createAgent({
  model,
  tools: gateTools([publish], gate, { agent: 'publisher', tools: { publish: { requiresConfirmation: true } } }),
})
const { messages } = await agent.invoke({ messages: 'Publish the prices' })
for (const message of messages.slice(2)) console.log(message.content) // the tool's result, and the model's last words
await gate.close()
