import type { Crypto } from '@countersign/core'

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
