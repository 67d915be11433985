import { continueRun, gateTools } from '@countersign/adapters/langchain'
import type { Gate } from '@countersign/core'
import { Command, MemorySaver } from '@langchain/langgraph'
import { AIMessage, createAgent, fakeModel, tool } from 'langchain'
import { z } from 'zod'

const THREAD = { configurable: { thread_id: 'job-7' } }
const CALLS = [
  { id: 'call_1', name: 'send', args: { to: 'ana' } },
  { id: 'call_2', name: 'look', args: { to: 'bea' } },
]

/** An agent whose calls outlive its process. `effect` is told what its tools did. */
export function durableAgent(gate: Gate, effect: (what: string) => unknown) {
  const one = (name: string) =>
    tool(async ({ to }: { readonly to: string }) => String(await effect(`${name} ${to}`)), {
      name,
      description: name,
      schema: z.object({ to: z.string() }),
    })
  const tools = gateTools([one('send'), one('look')], gate, { durable: { run: 'job-7' } })
  return {
    /** The first turn, which pauses: the state as it is saved. */
    async begin() {
      const checkpointer = new MemorySaver()
      const model = fakeModel().respond(new AIMessage({ content: 'I write to both', tool_calls: CALLS }))
      const { __interrupt__: interrupts } = await createAgent({ model, tools, checkpointer }).invoke(
        { messages: 'go' },
        THREAD,
      )
      return { saved: textOf(checkpointer, interrupts), paused: interrupts?.length ?? 0 }
    },
    /** Goes on from a saved state, and tells what the model learned. */
    async resume(saved: string) {
      const { checkpointer, interrupts } = readSaved(saved)
      const model = fakeModel().respond(new AIMessage('done'))
      const agent = createAgent({ model, tools, checkpointer })
      const { messages } = await agent.invoke(new Command({ resume: continueRun(interrupts) }), THREAD)
      const told = messages.filter(({ type }) => type === 'tool').map(({ content }) => content)
      return { text: String(messages.at(-1)?.content), told: JSON.stringify(told) }
    },
  }
}

/** A checkpointer as text. Its bytes are text too. */
function textOf({ storage, writes }: MemorySaver, interrupts: unknown): string {
  return JSON.stringify({ storage, writes, interrupts }, (_, value: unknown) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('utf8') } : value,
  )
}

function readSaved(saved: string) {
  const { storage, writes, interrupts } = JSON.parse(saved, (_, value: unknown) => {
    const { bytes } = Object(value)
    return typeof bytes === 'string' ? Uint8Array.from(Buffer.from(bytes)) : value
  })
  return { checkpointer: Object.assign(new MemorySaver(), { storage, writes }), interrupts }
}
