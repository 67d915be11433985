import { CountersignError, safeText } from '@countersign/core'
import { type Home, knownJournal, loadPostgres, openCrypto, readStoreSetting } from '@countersign/node'
import { clockWords, replicationWords } from '../store/server-words.ts'
import type { Check } from './check.ts'

/** Checks of the database server, for a home whose store is on PostgreSQL. */
export async function serverChecks(home: Home): Promise<readonly Check[]> {
  try {
    const address = readStoreSetting(home)
    if (address === null) return []
    const { openPostgresStore, parseStoreAddress, readServer } = await loadPostgres()
    const replication = replicationWords(await readServer(parseStoreAddress(address)))
    const store = await openPostgresStore(address, { crypto: openCrypto(home), known: await knownJournal(home) })
    const clock = clockWords(store.clock.difference())
    await store.close()
    return [checkOf('replication', replication), checkOf('clock', clock)]
  } catch (error) {
    const why = error instanceof CountersignError ? error.message : String(error)
    return [{ name: 'server', holds: undefined, words: safeText(`could not test the database server: ${why}`) }]
  }
}

function checkOf(name: string, { words, fix }: ReturnType<typeof clockWords>): Check {
  return fix === undefined ? { name, holds: true, words } : { name, holds: false, words, fix }
}
