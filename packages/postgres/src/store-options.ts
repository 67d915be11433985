import type { Clock, Crypto, GateBoard, SharedRows, Store, StoreClock } from '@countersign/core'
import type { Machine, MachineLease } from './lease/machine-lease.ts'
import type { ListenerState } from './listen/change-listener.ts'
import type { KnownJournal } from './read/known-head.ts'

/** How to open a store on PostgreSQL. */
export interface PostgresStoreOptions {
  readonly crypto: Crypto
  /** Wall-clock milliseconds; the system's when absent. */
  readonly now?: () => number
  /** The machine's clocks, which are compared with the server's; the system's when absent. */
  readonly clock?: Pick<Clock, 'now' | 'monotonic' | 'isSimulated'>
  /** Awaited before each commit; throws if this gate may no longer write. */
  mayWrite?(): Promise<void>
  /** The longest journal that this gate has signed: one that does not continue it is refused. */
  readonly known?: KnownJournal
}

/** A store on PostgreSQL. */
export interface PostgresStore extends Store {
  /** What the gates that share it keep there about themselves. */
  readonly gates: GateBoard
  /** What the services that share it keep there for a while. */
  readonly shared: SharedRows
  /** The server's clock. It is compared with the machine's when the store is opened, and with each renewal of a lease. */
  readonly clock: StoreClock & { measure(): Promise<void> }
  /** How it notices changes of other gates. */
  listening(): ListenerState
  /** Takes a lease for this machine, until the store or the lease is closed. */
  lease(machine: Machine, leaseMs?: number): Promise<MachineLease>
  /** The version once every change committed before this call is counted. */
  steadyVersion(): Promise<number>
}
