import type { AgentPlan } from '@countersign/hosts'
import { type Io, say } from '../terminal/io.ts'

/** What `init` uses of other commands. */
export interface InitParts {
  /** Proves, with the real programs, that the agents are behind the gate. */
  doctorHosts(gated: readonly AgentPlan[], io: Io): Promise<void>
}

export const INIT_PARTS: InitParts = {
  async doctorHosts(_gated, io) {
    say(io, 'Prove it: countersign doctor --hosts')
  },
}
