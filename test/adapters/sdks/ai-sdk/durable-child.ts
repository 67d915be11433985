import type { ModelMessage } from 'ai'
import { runChild } from '../../support/durable-child.ts'
import { durableAgent } from './durable-agent.ts'

await runChild((gate, effect) => {
  const agent = durableAgent(gate, effect)
  return {
    begin: async () => JSON.stringify((await agent.begin()).messages),
    resume: async (saved) => (await agent.resume(JSON.parse(saved) as ModelMessage[])).text,
  }
})
