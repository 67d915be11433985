import { basename, join } from 'node:path'
import { backUpTables, type CopiedTables, type CopyTablesOptions } from '@countersign/core'
import { GATE_LISTS } from '../home/gate-lists-file.ts'
import type { Home } from '../home/home.ts'
import { openGateKey } from '../keys/home-keys.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openHeads } from '../store/checkpoint-file.ts'
import { loadPostgres } from '../store/home-store.ts'
import { writeMovedSetting, writeStoreSetting } from '../store/store-setting.ts'
import { lockSqliteStore } from '../transfer/locked-sqlite.ts'
import { openCopy, type UnnamedFolder } from './home-copy.ts'

/** A copy of a home whose store is shared, with the journal in a file. */
export interface SharedBackup extends UnnamedFolder {
  readonly copied: CopiedTables
}

/**
 * Copies a home beside `to`, with its shared store as of one moment in a SQLite file. All gates go on meanwhile, and the store
 * stays the one that they use.
 */
export async function beginSharedBackup(
  home: Home,
  address: string,
  to: string,
  { at, onRows }: Pick<CopyTablesOptions, 'onRows'> & { readonly at: number },
): Promise<SharedBackup> {
  const { snapshotPostgresStore } = await loadPostgres()
  const { checkedKeys } = await import('../sharing/stored-lists.ts')
  const crypto = openCrypto(home)
  const kept = await openHeads(home).kept()
  const copy = openCopy(home, to)
  copy.addHeads()
  const source = await snapshotPostgresStore(address)
  try {
    const { keys } = checkedKeys(home, await source.gateLists(), openGateKey(home), crypto)
    const target = await lockSqliteStore({ store: join(copy.folder, 'store.db'), dir: copy.folder })
    try {
      const options = { crypto, kept, ...keys, ...(onRows === undefined ? {} : { onRows }) }
      const copied = await backUpTables(source, target, options)
      await target.release()
      copy.addWritten('store.db')
      copy.addWritten(GATE_LISTS)
      return { ...copy.complete({ how: 'backup', at, sharedStore: source.shown }), copied }
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

/**
 * Copies a home beside `to` without the store that it shares: the machine keeps its place among the gates. INVARIANT: L3, the
 * home is marked first, and from then on no process of it writes to the store.
 */
export async function beginSharedMove(home: Home, address: string, to: string, at: number): Promise<UnnamedFolder> {
  const { parseStoreAddress } = await loadPostgres()
  const { shown } = parseStoreAddress(address)
  const copy = openCopy(home, to)
  writeMovedSetting(home, address)
  try {
    copy.addHeads()
    const setting = { storeSetting: join(copy.folder, basename(home.storeSetting)) }
    writeStoreSetting(setting, address)
    copy.addWritten(basename(home.storeSetting))
    return copy.complete({ how: 'move', at, sharedStore: shown })
  } catch (error) {
    writeStoreSetting(home, address)
    throw error
  }
}
