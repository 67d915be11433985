import { rmSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'

const MAX_BYTES = 16 * 1024

/** The address of the home's store on PostgreSQL; null while it is the SQLite file of the home. */
export function readStoreSetting(home: Home): string | null {
  const text = readOwnFile(home.storeSetting, MAX_BYTES, 'CS_STORE_OPEN')
  if (text === undefined) return null
  try {
    const setting = JSON.parse(text) as { readonly version?: unknown; readonly store?: unknown }
    if (setting.version === 1 && typeof setting.store === 'string') return setting.store
  } catch {
    // Falls through: invalid JSON is the same damage as a missing field.
  }
  // INVARIANT: L3, no other store is used instead.
  throw new CountersignError(
    'CS_STORE_OPEN',
    `\`${home.storeSetting}\` is damaged; run \`countersign store use\` with the address of the store`,
  )
}

/** Removes a setting that can't be read, or that led to an empty store. */
export function removeStoreSetting(home: Home): void {
  rmSync(home.storeSetting, { force: true })
}

/** Sets the store of a home, for every process that opens it from now on. */
export function writeStoreSetting(home: Home, address: string): void {
  replaceOwnFile(home.storeSetting, `${JSON.stringify({ version: 1, store: address })}\n`)
}
