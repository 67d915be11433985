import { CountersignError } from '../errors.ts'
import { rootOf } from '../journal/merkle.ts'
import { type VerifyOptions, verifyJournal } from '../journal/verify.ts'
import type { JournalHead } from '../ports/store.ts'
import type { LockedStore, StoreSnapshot } from './locked-store.ts'
import { digestTable, STORE_TABLES } from './store-tables.ts'

/** What was copied, and what proves it. */
export interface CopiedTables {
  /** `again`: the store had everything from an earlier copy already. */
  readonly kind: 'copied' | 'again'
  readonly size: number
  /** Hex root of the journal, the same in both stores. */
  readonly root: string
  readonly rows: { readonly [table: string]: number }
}

/** The steps of a copy, in order; a test kills the process after each. */
export type CopyStep = 'verified' | 'written' | 'compared' | 'source marked'

/** How to verify both stores, and what to tell meanwhile. */
export interface CopyTablesOptions extends Omit<VerifyOptions, 'onProgress' | 'verified'> {
  /** Called as rows of a table are copied; `entries` is the size of the journal. */
  onRows?(table: string, rows: number, entries: number): void
  passed?(step: CopyStep): Promise<void>
}

/**
 * Copies a store into an empty one, compares both, and marks the source as moved. INVARIANT: L3, at no moment are both in
 * use: the source is marked before the target counts. After a failure in between, the same copy is made again.
 */
export async function copyTables(
  source: LockedStore,
  target: LockedStore,
  options: CopyTablesOptions,
): Promise<CopiedTables> {
  const { passed } = options
  const head = await source.journal.head()
  const root = await rootOfIntact(source, options)
  if (await wasCopied(source, target, head, options)) return { kind: 'again', size: head.size, root, rows: {} }
  await passed?.('verified')
  const rows = await copyRows(source, target, { head, root }, options)
  await source.commit('moved')
  await passed?.('source marked')
  await target.commit('in use')
  return { kind: 'copied', size: head.size, root, rows }
}

/** Copies one moment of a store into an empty one, and compares both. The store itself stays in use. */
export async function backUpTables(
  source: StoreSnapshot,
  target: LockedStore,
  options: CopyTablesOptions,
): Promise<CopiedTables> {
  const head = await source.journal.head()
  const root = await rootOfIntact(source, options)
  const rows = await copyRows(source, target, { head, root }, options)
  await target.commit('in use')
  return { kind: 'copied', size: head.size, root, rows }
}

/** Copies every row, and compares the tables and the roots of both journals. Returns how many rows each table has. */
async function copyRows(
  source: StoreSnapshot,
  target: LockedStore,
  { head, root }: { readonly head: JournalHead; readonly root: string },
  options: CopyTablesOptions,
): Promise<CopiedTables['rows']> {
  const { crypto, onRows, passed } = options
  await target.clear()
  const digests = new Map<string, string>()
  const rows: Record<string, number> = {}
  for (const table of STORE_TABLES) {
    let done = 0
    const found = await digestTable(table, source.rows(table), crypto, async (page) => {
      await target.add(table, page)
      done += page.length
      onRows?.(table.name, done, head.size)
    })
    digests.set(table.name, found.digest)
    rows[table.name] = found.rows
  }
  await target.complete(head, await source.gateLists())
  await passed?.('written')
  for (const table of STORE_TABLES) {
    const { digest, rows: found } = await digestTable(table, target.rows(table), crypto)
    if (digest !== digests.get(table.name) || found !== rows[table.name])
      throw different(`the table \`${table.name}\` differs (${found} of ${rows[table.name]} rows)`)
  }
  const copied = await rootOfIntact(target, options)
  const { size } = await target.journal.head()
  if (copied !== root || size !== head.size) throw different('the journals have different roots')
  await passed?.('compared')
  return rows
}

/** Whether an earlier copy got as far as the target. Throws if the target has anything else. */
async function wasCopied(
  source: LockedStore,
  target: LockedStore,
  head: JournalHead,
  options: CopyTablesOptions,
): Promise<boolean> {
  if (await target.isEmpty()) return false
  if (source.state === 'moved' && target.state === 'in use' && (await continues(target, head, options))) return true
  // What was moved away from there before is all in the source: it went there.
  if (target.state === 'moved' && (await continues(source, await target.journal.head(), options))) return false
  throw new CountersignError(
    'CS_STORE_OPEN',
    `\`${target.shown}\` is not empty; name an empty store, such as another schema with \`?schema=\``,
  )
}

/** Whether the journal of a store begins with this one. */
async function continues(store: StoreSnapshot, before: JournalHead, options: CopyTablesOptions): Promise<boolean> {
  const { crypto, publicKeys } = options
  const known = before.size === 0 ? [] : [{ size: before.size, root: rootOf(before.frontier, before.size, crypto) }]
  // Its later checkpoints may be by gates that are not known here: only the entries are compared.
  const found = await verifyJournal({ ...store.journal, checkpoints: async () => [] }, { crypto, publicKeys, known })
  return found.kind === 'intact' && found.unproven === 0
}

async function rootOfIntact(store: StoreSnapshot, options: CopyTablesOptions): Promise<string> {
  const { crypto, publicKeys, removedKeys, kept, origin } = options
  const verdict = await verifyJournal(store.journal, {
    crypto,
    publicKeys,
    ...(removedKeys === undefined ? {} : { removedKeys }),
    ...(kept === undefined ? {} : { kept }),
    ...(origin === undefined ? {} : { origin }),
  })
  if (verdict.kind === 'intact') return verdict.root
  throw new CountersignError(
    'CS_JOURNAL_DAMAGED',
    `${verdict.damage.message}; nothing was copied from \`${store.shown}\`; run \`countersign journal verify\``,
  )
}

function different(why: string): CountersignError {
  return new CountersignError('CS_STORE_WRITE', `the copy is not the same: ${why}; nothing was changed, try again`)
}
