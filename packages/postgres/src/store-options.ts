import type { Crypto, GateBoard, SharedRows, Store } from '@countersign/core'
import type { Machine, MachineLease } from './lease/machine-lease.ts'
import type { ListenerState } from './listen/change-listener.ts'

/** How to open a store on PostgreSQL. */
export interface PostgresStoreOptions {
  readonly crypto: Crypto
  /** Wall-clock milliseconds; the system's when absent. */
  readonly now?: () => number
  /** Awaited before each commit; throws if this gate may no longer write. */
  mayWrite?(): Promise<void>
  /** The longest journal this gate knows of, such as from its own checkpoints: a shorter one is refused. */
  readonly knownSize?: number
}

/** A store on PostgreSQL. */
export interface PostgresStore extends Store {
  /** What the gates that share it keep there about themselves. */
  readonly gates: GateBoard
  /** What the services that share it keep there for a while. */
  readonly shared: SharedRows
  /** How it notices changes of other gates. */
  listening(): ListenerState
  /** Takes a lease for this machine, until the store or the lease is closed. */
  lease(machine: Machine, leaseMs?: number): Promise<MachineLease>
  /** The version once every change committed before this call is counted. */
  steadyVersion(): Promise<number>
}
