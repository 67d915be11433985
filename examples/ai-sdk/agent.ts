import { gateTools } from '@countersign/adapters/ai-sdk'
import { markOf } from '@countersign/core'
import { openGate } from '@countersign/node'
import { generateText, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'

const { gate } = await openGate({ home: 'gate-home' }) // policy, store and keys; default: ~/.countersign
gate.subscribe((event) => {
  if (event.kind === 'held') console.log(`held: npx countersign approve ${markOf(event.view)} --home gate-home`)
})

const publish = tool({
  description: 'Puts a page online',
  inputSchema: z.object({ page: z.string() }),
  execute: async ({ page }) => `${page} is online`,
})

const { text, steps } = await generateText({
  model: scriptedModel(), // yours: any model of the AI SDK
  prompt: 'Publish the prices',
  stopWhen: isStepCount(5),
  tools: gateTools({ publish }, gate, { agent: 'publisher', tools: { publish: { requiresConfirmation: true } } }),
})
for (const part of steps.flatMap((step) => step.content)) {
  if (part.type === 'tool-result') console.log(part.output)
  if (part.type === 'tool-error') console.log(String(part.error)) // why a person refused, as the model reads it
}
console.log(text)
await gate.close()

/** A model without a network: it publishes the prices, and then it is done. */
function scriptedModel() {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }
  const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } }
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'publish', input: '{"page":"prices"}' } as const
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] },
      {
        content: [{ type: 'text', text: 'I am done.' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage,
        warnings: [],
      },
    ],
  })
}
