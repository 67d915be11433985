import { randomBytes } from 'node:crypto'
import type { StoreAddress } from '../connection/address.ts'
import { beginWith, send, TIMEOUTS } from '../connection/client.ts'
import { withClient } from '../schema/schema-version.ts'

/**
 * Whether two addresses lead to the same store at this moment: the same schema of the same database of the same running
 * server. A lock taken through one is seen through the other. A standby or a copy of the data is another server.
 */
export async function isSameStore(one: StoreAddress, other: StoreAddress): Promise<boolean> {
  if (one.schema !== other.schema) return false
  const values = [randomBytes(8).readBigInt64LE().toString()]
  const begin = { text: beginWith('READ ONLY', TIMEOUTS) }
  return withClient(one, async (holding) => {
    await send(holding, [begin, { text: 'SELECT pg_advisory_xact_lock($1::bigint)', values }], TIMEOUTS)
    return withClient(other, async (trying) => {
      const taking = { text: 'SELECT pg_try_advisory_xact_lock($1::bigint) AS taken', values }
      const answers = await send(trying, [begin, taking], TIMEOUTS)
      return answers.at(-1)?.rows[0]?.['taken'] === false
    })
  })
}
