import { existsSync } from 'node:fs'
import {
  CountersignError,
  type Crypto,
  type JournalHead,
  type JournalSource,
  rootOf,
  verifyJournal,
} from '@countersign/core'
import type { Home } from '../home/home.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openHeads } from '../store/checkpoint-file.ts'
import { loadPostgres } from '../store/home-store.ts'
import { removeStoreSetting, writeStoreSetting } from '../store/store-setting.ts'
import type { StorePlace } from './copy-store.ts'
import { lockSqliteStore } from './locked-sqlite.ts'

/** A journal, and the versions of its list of gates. */
interface ListedJournal {
  readonly shown: string
  readonly journal: JournalSource
  readonly lists: readonly string[]
}

/**
 * Sets a home with a journal to the store where that journal goes on. INVARIANT: a home has one journal: the new store has
 * every entry of the former one and of the checkpoints that this home keeps, and the former one is used no more.
 */
export async function useCopiedStore(
  home: Home,
  from: StorePlace | 'damaged',
  to: StorePlace,
  crypto: Crypto,
): Promise<void> {
  const before = await formerHead(home, from, to)
  await withJournalAt(home, to, crypto, async ({ shown, journal, lists }) => {
    const signer = openGateKey(home)
    if (to !== 'sqlite' && lists.length === 0)
      throw refusal(`the copy in \`${shown}\` is not complete; run \`countersign store copy\` again`)
    const { checkedKeys } = await import('../sharing/stored-lists.ts')
    const { list, keys } = checkedKeys(home, lists, signer, crypto)
    if (list?.gates.some(({ id, removedAfter }) => id === signer.keyId && removedAfter === null) === false)
      throw refusal(
        `the gates that use \`${shown}\` don’t know this one; run \`countersign gates join\` with its address`,
      )
    const known = before.size === 0 ? [] : [{ size: before.size, root: rootOf(before.frontier, before.size, crypto) }]
    const kept = await openHeads(home).kept()
    const found = await verifyJournal(journal, { crypto, kept, known, ...keys })
    if (found.kind === 'damaged')
      throw refusal(
        `\`${shown}\` does not continue the journal of this home (${found.damage.message}); run \`countersign store copy\` with the address of an empty store`,
      )
  })
  if (to === 'sqlite') removeStoreSetting(home)
  else writeStoreSetting(home, to)
}

/** The head of the store that the home used. Throws while gates may still write there. */
async function formerHead(home: Home, from: StorePlace | 'damaged', to: StorePlace): Promise<JournalHead> {
  const none: JournalHead = { size: 0, frontier: '' }
  if (from !== 'sqlite' && from !== 'damaged') {
    const { isSameStore, parseStoreAddress, readSchema } = await loadPostgres()
    const parsed = parseStoreAddress(from)
    // A server that is gone can't be asked: the checkpoints and the list of gates that this home keeps tell which journal it was.
    const found = await readSchema(parsed).catch(() => undefined)
    const isInUse = found?.kind === 'present' && found.state === 'in use'
    // With another password, host or port it is the same store.
    if (isInUse && (to === 'sqlite' || !(await isSameStore(parsed, parseStoreAddress(to))))) throw inUse(parsed.shown)
    return none
  }
  if (!existsSync(home.store)) return none
  const former = await lockSqliteStore(home)
  try {
    const head = await former.journal.head()
    if (former.state === 'in use' && head.size > 0) throw inUse(former.shown)
    return head
  } finally {
    await former.release()
  }
}

async function withJournalAt(
  home: Home,
  place: StorePlace,
  crypto: Crypto,
  work: (found: ListedJournal) => Promise<void>,
): Promise<void> {
  if (place === 'sqlite') {
    const locked = await lockSqliteStore(home)
    try {
      if (locked.state === 'moved')
        throw refusal(
          `the journal of \`${locked.shown}\` goes on in another store; run \`countersign store copy sqlite\``,
        )
      return await work({ ...locked, lists: await locked.gateLists() })
    } finally {
      await locked.release()
    }
  }
  const { openPostgresStore, parseStoreAddress } = await loadPostgres()
  const store = await openPostgresStore(place, { crypto })
  try {
    await work({ shown: parseStoreAddress(place).shown, journal: store, lists: await store.gates.listsAfter(0) })
  } finally {
    await store.close()
  }
}

function inUse(shown: string): CountersignError {
  return refusal(
    `the journal of this home is in \`${shown}\`; run \`countersign store copy\` with the new address first, which takes it along`,
  )
}

function refusal(message: string): CountersignError {
  return new CountersignError('CS_STORE_OPEN', message)
}
