import { randomInt } from 'node:crypto'
import type { StoreAddress } from '../connection/address.ts'
import { beginWith, send, TIMEOUTS } from '../connection/client.ts'
import { withClient } from '../schema/schema-version.ts'

const MOST = 2 ** 31 - 1

/**
 * Whether two addresses lead to one schema of one running database, by any login, host or pooler: a lock that is taken at one is
 * seen at the other. A copy of the database, however alike, is another one.
 */
export async function isSameStore(one: StoreAddress, other: StoreAddress): Promise<boolean> {
  if (one.schema !== other.schema) return false
  const values = [randomInt(MOST), randomInt(MOST)]
  const begin = { text: beginWith('READ ONLY', TIMEOUTS) }
  return withClient(one, async (first) => {
    await send(first, [begin, { text: 'SELECT pg_advisory_xact_lock($1::int, $2::int)', values }], TIMEOUTS)
    return withClient(other, async (second) => {
      const [, answer] = await send(second, [begin, { text: HELD, values }], TIMEOUTS)
      return answer?.rows[0]?.['held'] === true
    })
  })
}

const HELD =
  "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid::bigint = $1 AND objid::bigint = $2 " +
  'AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held'
