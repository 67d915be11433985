import { type Io, say } from '../terminal/io.ts'
import type { Offering } from './offering.ts'

/** Tests, with the real programs, that the agents are behind the gate. `--json` prints only the plan. */
export async function proveAgents({ gated, home, options }: Offering, io: Io): Promise<void> {
  if (!io.json) {
    const { proveAgent } = await import('../agents/prove-agent.ts')
    for (const { found } of gated) {
      if (found.program === null) continue
      say(io, `${found.agent.title}: starting it to test the gate`)
      await proveAgent(found, { home, launcher: options.launcher }, io)
    }
  }
  say(io, 'To test the agents: countersign doctor --hosts')
}
