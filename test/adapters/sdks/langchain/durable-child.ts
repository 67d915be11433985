import { runChild } from '../../support/durable-child.ts'
import { durableAgent } from './durable-agent.ts'

await runChild((gate, effect) => {
  const agent = durableAgent(gate, effect)
  return { begin: async () => (await agent.begin()).saved, resume: async (saved) => (await agent.resume(saved)).text }
})
