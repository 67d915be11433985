import { type AgentPlan, opencodePlugin } from '@countersign/hosts'
import { type Io, say } from '../terminal/io.ts'
import type { Offering } from './offering.ts'

/** What `init` uses of other commands. */
export interface InitParts {
  /** The text of opencode's plugin, for the words that start the hook; null if this build has none. */
  readonly opencodePlugin: ((argv: readonly string[]) => string) | null
  /** Proves, with the real programs, that the agents are behind the gate. */
  doctorHosts(gated: readonly AgentPlan[], offering: Offering, io: Io): Promise<void>
}

export const INIT_PARTS: InitParts = {
  opencodePlugin,
  async doctorHosts(gated, { home, options }, io) {
    const { proveHost } = await import('../doctor/host-checks.ts')
    for (const { found } of gated) {
      if (found.program === null || io.json) continue
      say(io, `${found.agent.title}: proving that the gate holds it`)
      await proveHost(found, { home, launcher: options.launcher }, io)
    }
    say(io, 'Prove it: countersign doctor --hosts')
  },
}
