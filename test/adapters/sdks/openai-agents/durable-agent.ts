import { continueRun, gateTools } from '@countersign/adapters/openai-agents'
import type { Gate } from '@countersign/core'
import { Agent, RunState, run, tool } from '@openai/agents'
import { z } from 'zod'
import { scriptedModel, type Turn, toldOf } from './scripted-model.ts'

const FIRST: Turn = {
  text: 'I write to both',
  calls: [
    { id: 'call_1', tool: 'send', args: '{"to":"ana"}' },
    { id: 'call_2', tool: 'look', args: '{"to":"bea"}' },
  ],
}

/** An agent whose calls outlive its process. `effect` is told what its tools did. */
export function durableAgent(gate: Gate, effect: (what: string) => unknown) {
  const one = (name: string) =>
    tool({
      name,
      description: name,
      parameters: z.object({ to: z.string() }),
      execute: async ({ to }) => String(await effect(`${name} ${to}`)),
    })
  const tools = gateTools([one('send'), one('look')], gate, { durable: { run: 'job-7' } })
  return {
    /** The first turn, which pauses: the state as it is saved. */
    async begin() {
      const { state, interruptions } = await run(
        new Agent({ name: 'writer', tools, model: scriptedModel(FIRST) }),
        'go',
      )
      return { saved: state.toString(), paused: interruptions.length }
    },
    /** Goes on from a saved state, and tells what the model learned. */
    async resume(saved: string) {
      const model = scriptedModel()
      const agent = new Agent({ name: 'writer', tools, model })
      const { finalOutput } = await run(agent, continueRun(await RunState.fromString(agent, saved)))
      return { text: finalOutput ?? '', told: toldOf(model) }
    },
  }
}
