import type { StoreAddress } from '../connection/address.ts'
import { beginWith, send, TIMEOUTS } from '../connection/client.ts'
import { withClient } from '../schema/schema-version.ts'

/**
 * What a failover loses. `asynchronous`: commits that were confirmed and that no standby has yet. `synchronous`: nothing.
 * `none`: there is no standby.
 */
export type Replication = 'none' | 'asynchronous' | 'synchronous'

/** The server of a store, as every user may know it. */
export interface ServerState {
  /** Such as `15.18`. */
  readonly version: string
  readonly standbys: number
  readonly replication: Replication
}

const STATE =
  "SELECT current_setting('server_version') AS version, (SELECT count(*)::int FROM pg_stat_replication) AS standbys, " +
  "current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') NOT IN ('off', 'local') AS waits"

/** Asks the server for its version, and whether its standbys have every confirmed commit. */
export function readServer(address: StoreAddress): Promise<ServerState> {
  return withClient(address, async (client) => {
    const [, answer] = await send(client, [{ text: beginWith('READ ONLY', TIMEOUTS) }, { text: STATE }], TIMEOUTS)
    const { version, standbys, waits } = answer?.rows[0] ?? {}
    const count = typeof standbys === 'number' ? standbys : 0
    return {
      version: /^[0-9.]+/.exec(String(version))?.[0] ?? 'unknown',
      standbys: count,
      replication: waits === true ? 'synchronous' : count === 0 ? 'none' : 'asynchronous',
    }
  })
}
