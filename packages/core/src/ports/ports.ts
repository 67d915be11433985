import type { Approvers } from './approvers.ts'
import type { Backups } from './backups.ts'
import type { Owners } from './call-owners.ts'
import type { Programs } from './checker-programs.ts'
import type { Heads } from './checkpoint-anchors.ts'
import type { Clock } from './clock.ts'
import type { Crypto, Signer } from './crypto.ts'
import type { PolicyFiles } from './policy-files.ts'
import type { Store } from './store.ts'
import type { Targets } from './targets.ts'

/** The whole world, as core may touch it. */
export interface Ports {
  readonly clock: Clock
  readonly crypto: Crypto
  /** The gate's own key: signs checkpoints. */
  readonly signer: Signer
  readonly store: Store
  readonly targets: Targets
  readonly approvers: Approvers
  readonly owners: Owners
  readonly policyFiles: PolicyFiles
  readonly heads: Heads
  readonly backups: Backups
  readonly programs: Programs
}
