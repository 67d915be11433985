// Real stores for the tests in this folder. The extension keeps it out of the build.
import { join } from 'node:path'
import { type Change, draftEntry, type Store, type StoredCall } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openSqliteStore, type SqliteStoreOptions } from './sqlite-store.ts'

export async function opened(
  options: Partial<SqliteStoreOptions> = {},
): Promise<{ store: Store; file: string; again: () => Promise<Store> }> {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const again = async () => {
    const store = await openSqliteStore(home.store, { crypto, ...options })
    onTestFinished(() => store.close())
    return store
  }
  return { store: await again(), file: home.store, again }
}

export function call(id: string, more: Partial<StoredCall> = {}): StoredCall {
  const who = { id, session: 's1', state: 'held', owner: 'me', mode: 'ask', tool: 'write_file', agent: 'main' } as const
  const what = {
    risk: 'medium',
    supervision: 'confirm',
    rule: 'r',
    callDigest: 'd',
    requestDigest: 'q',
    summary: 'writes',
  }
  const rest = {
    sealed: new Uint8Array([1, 2]),
    openedAt: 1,
    expiresAt: 9,
    decision: null,
    outcome: null,
    closedAt: null,
    contain: null,
  }
  return { ...who, ...what, ...rest, ...more }
}

export const entry = (callId: string | null = null) => draftEntry({ kind: 'notice', call: callId }, 1)

export function open(
  id: string,
  more: Partial<StoredCall> = {},
  bounds: { maxHeldInSession?: number; maxHeld?: number } = {},
): Change {
  return {
    entries: [entry(id)],
    open: { call: call(id, more), maxHeldInSession: 50, maxHeld: 500, ...bounds },
    durable: false,
  }
}

export const close = (id: string, outcome: string): Change => ({
  entries: [entry(id)],
  move: { id, from: ['held', 'started'], to: 'closed', set: { outcome, closedAt: 5 } },
  durable: false,
})
