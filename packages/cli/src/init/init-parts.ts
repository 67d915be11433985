import type { AgentPlan } from '@countersign/hosts'
import { type Io, say } from '../terminal/io.ts'

/** What `init` uses of other commands. */
export interface InitParts {
  /** The text of opencode's plugin, for the words that start the hook; null if this build has none. */
  readonly opencodePlugin: ((argv: readonly string[]) => string) | null
  /** Proves, with the real programs, that the agents are behind the gate. */
  doctorHosts(gated: readonly AgentPlan[], io: Io): Promise<void>
}

export const INIT_PARTS: InitParts = {
  opencodePlugin: null,
  async doctorHosts(_gated, io) {
    say(io, 'Prove it: countersign doctor --hosts')
  },
}
