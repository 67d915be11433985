import { CountersignError, safeText } from '@countersign/core'
import { type Home, knownJournal, loadPostgres, openCrypto, openHomeStore, readStoreSetting } from '@countersign/node'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { clockWords, replicationWords } from './server-words.ts'
import { addressOf } from './store-address.ts'

/** `countersign store check`: connects to a store, and prints its version, its size and what a failover would lose. */
export async function checkStore(typed: string | undefined, io: Io): Promise<void> {
  const home = existingHome(io)
  const address = typed === undefined ? readStoreSetting(home) : await addressOf(typed, io)
  if (address === null) return checkFile(home, io)
  const { openPostgresStore, parseStoreAddress, readSchema, readServer } = await loadPostgres()
  const parsed = parseStoreAddress(address)
  const state = await readSchema(parsed)
  if (state.kind === 'missing')
    throw new CountersignError(
      'CS_STORE_OPEN',
      `\`${parsed.shown}\` has no tables yet; run \`countersign store migrate\``,
    )
  const own = typed === undefined ? { known: await knownJournal(home) } : {}
  const store = await openPostgresStore(address, { crypto: openCrypto(home), ...own })
  try {
    const { size } = await store.head()
    const server = await readServer(parsed)
    const clock = store.clock.difference()
    if (io.json) return printJson(io, { store: parsed.shown, version: state.version, entries: size, server, clock })
    print(io, `store: ${parsed.shown} (PostgreSQL ${server.version})`)
    print(io, `version ${state.version}, ${size} journal entries`)
    for (const { words, fix } of [replicationWords(server), clockWords(clock)]) {
      if (fix === undefined) print(io, words)
      else say(io, `${words}; ${fix}`)
    }
    if (parsed.tls === false && !parsed.servers.every(({ host }) => host.startsWith('/')))
      say(io, 'the connection is not encrypted (`sslmode=disable`)')
  } finally {
    await store.close()
  }
}

async function checkFile(home: Home, io: Io): Promise<void> {
  const { store } = await openHomeStore(home, { crypto: openCrypto(home) })
  try {
    const { size } = await store.head()
    if (io.json) return printJson(io, { store: home.store, entries: size })
    print(io, `store: ${safeText(home.store)} (SQLite)`)
    print(io, `${size} journal entries`)
  } finally {
    await store.close()
  }
}
