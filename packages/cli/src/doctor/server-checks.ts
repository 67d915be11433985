import { safeText } from '@countersign/core'
import { type Home, loadPostgres, readStoreSetting } from '@countersign/node'
import { replicationWords } from '../store/replication-words.ts'
import type { Check } from './check.ts'

/** Checks of the database server, for a home whose store is on PostgreSQL. */
export async function serverChecks(home: Home): Promise<readonly Check[]> {
  const name = 'replication'
  try {
    const address = readStoreSetting(home)
    if (address === null) return []
    const { parseStoreAddress, readServer } = await loadPostgres()
    const { words, fix } = replicationWords(await readServer(parseStoreAddress(address)))
    return [fix === undefined ? { name, holds: true, words } : { name, holds: false, words, fix }]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ name, holds: undefined, words: safeText(`could not test what a failover loses: ${why}`) }]
  }
}
