import type { Approvers } from './approvers.ts'
import type { Backups } from './backups.ts'
import type { Clock } from './clock.ts'
import type { Crypto, Signer } from './crypto.ts'
import type { GateKeys } from './gate-keys.ts'
import type { PolicyFiles } from './policy-files.ts'
import type { Repositories } from './repositories.ts'
import type { RulesFile } from './rules-file.ts'
import type { Sandbox } from './sandbox.ts'
import type { SharedRows } from './shared-rows.ts'
import type { Store } from './store.ts'
import type { StoreClock } from './store-clock.ts'
import type { Targets } from './targets.ts'
import type { Telemetry } from './telemetry.ts'
import type { WorkspaceFiles } from './workspace-files.ts'

/** Everything core may use of the outside world. */
export interface Ports {
  readonly clock: Clock
  readonly crypto: Crypto
  /** The gate's own key: signs checkpoints and grants. */
  readonly signer: Signer
  /** The gates that share the store; without it, this one has the store alone. */
  readonly gates?: GateKeys
  readonly store: Store
  /** What services on one store keep there together; absent where this home has the store alone. */
  readonly shared?: SharedRows
  /** The clock of a shared store; without it, the machine's clock is the only one. */
  readonly storeClock?: StoreClock
  readonly targets: Targets
  readonly approvers: Approvers
  readonly owners: Owners
  readonly policyFiles: PolicyFiles
  readonly heads: Heads
  readonly backups: Backups
  readonly programs: Programs
  readonly sandbox: Sandbox
  readonly files: WorkspaceFiles
  /** Without it, nothing is known about changes to a repository. */
  readonly repositories?: Repositories
  /** Without it, the desk can't change rules. */
  readonly rules?: RulesFile
  /** Without it, nothing is observed. */
  readonly telemetry?: Telemetry
}

/** Which process holds a call, and whether it is still alive. */
export interface Owners {
  /** This process, named so that a later process with the same number is not mistaken for it. */
  readonly self: string
  /** The name of this machine, where others share the store; null while it is the only one. */
  machine?(): string | null
  /** False only when the owner is certainly gone. */
  isAlive(owner: string): boolean
}

/** Keeps signed checkpoints outside the store, so that truncating or restoring the store shows. */
export interface Heads {
  keep(note: string): Promise<void>
  kept(): Promise<readonly string[]>
}

/** Runs checkers that are programs. */
export interface Programs {
  /**
   * Runs a program without a shell, with `input` on stdin, and returns its output. Throws CS_CHECK_BLOCKED when the
   * program is missing, fails, takes too long or prints too much.
   */
  answer(run: readonly [string, ...string[]], input: string, timeoutMs: number, signal: AbortSignal): Promise<string>
}
