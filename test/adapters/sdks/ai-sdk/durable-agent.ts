import { continueCalls, gateTools } from '@countersign/adapters/ai-sdk'
import type { Gate } from '@countersign/core'
import { generateText, isStepCount, type ModelMessage, tool } from 'ai'
import { z } from 'zod'
import { scriptedModel, type Turn } from './scripted-model.ts'

const FIRST: Turn = {
  text: 'I write to both',
  calls: [
    { id: 'call_1', tool: 'send', input: { to: 'ana' } },
    { id: 'call_2', tool: 'look', input: { to: 'bea' } },
  ],
}

/** An agent whose calls outlive its process. `effect` is told what its tools did. */
export function durableAgent(gate: Gate, effect: (what: string) => unknown) {
  const one = (name: string) =>
    tool({ inputSchema: z.object({ to: z.string() }), execute: async ({ to }) => effect(`${name} ${to}`) })
  const tools = gateTools({ send: one('send'), look: one('look') }, gate, { durable: { run: 'chat-7' } })

  async function talk(messages: readonly ModelMessage[], ...script: Turn[]) {
    const model = scriptedModel(...script)
    const { response, text, content } = await generateText({
      model,
      messages: [...messages],
      tools,
      stopWhen: isStepCount(2),
    })
    const paused = content.filter(({ type }) => type === 'tool-approval-request').length
    return { messages: [...messages, ...response.messages] as ModelMessage[], text, paused, prompts: model.prompts }
  }
  return {
    /** The first turn, which pauses. */
    begin: () => talk([{ role: 'user', content: 'go' }], FIRST),
    /** Goes on from saved messages. */
    resume: (saved: readonly ModelMessage[]) => talk(continueCalls(saved)),
    /** Sends messages as a client made them. */
    send: (messages: readonly ModelMessage[]) => talk(messages),
  }
}
