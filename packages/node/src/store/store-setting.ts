import { rmSync, statSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import { isSameFile } from '../files/file-identity.ts'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'

const MAX_BYTES = 16 * 1024

/**
 * The address of the home's store on PostgreSQL; null while it is the SQLite file of the home.
 * @throws CS_HOME if the home was moved away.
 */
export function readStoreSetting(home: Home): string | null {
  const { store, moved } = readSetting(home)
  if (moved === undefined) return store ?? null
  throw new CountersignError(
    'CS_HOME',
    `the home \`${home.dir}\` was moved away; use the new one with \`--home\`, or run \`countersign home restore\` here`,
  )
}

/** The address of the store of a home that was moved away; null if it was not. */
export function readMovedSetting(home: Home): string | null {
  return readSetting(home).moved ?? null
}

function readSetting(home: Home): { readonly store?: string; readonly moved?: string } {
  const text = readOwnFile(home.storeSetting, MAX_BYTES, 'CS_STORE_OPEN')
  if (text === undefined) return {}
  try {
    const { version, store, moved } = JSON.parse(text) as Readonly<Record<string, unknown>>
    if (version === 1 && typeof store === 'string') return { store }
    if (version === 1 && typeof moved === 'string') return { moved }
  } catch {
    // Falls through: invalid JSON is the same damage as a missing field.
  }
  // INVARIANT: L3, no other store is used instead.
  throw new CountersignError(
    'CS_STORE_OPEN',
    `\`${home.storeSetting}\` is damaged; run \`countersign store use\` with the address of the store`,
  )
}

/** Returns a check that throws once the home was moved away, or is gone. Cheap while nothing changed. */
export function watchStoreSetting(home: Home): () => void {
  const look = () => statSync(home.storeSetting, { throwIfNoEntry: false })
  let seen = look()
  return () => {
    const now = look()
    if (isSameFile(seen, now)) return
    if (now === undefined)
      throw new CountersignError('CS_HOME', `\`${home.storeSetting}\` is gone; restart this program`)
    readStoreSetting(home)
    seen = now
  }
}

/** Removes a setting that can't be read, or that led to an empty store. */
export function removeStoreSetting(home: Home): void {
  rmSync(home.storeSetting, { force: true })
}

/** Sets the store of a home, for every process that opens it from now on. */
export function writeStoreSetting(home: Pick<Home, 'storeSetting'>, address: string): void {
  replaceOwnFile(home.storeSetting, `${JSON.stringify({ version: 1, store: address })}\n`)
}

/** Marks a home that shares a store as moved away. Older programs refuse this setting as damaged. */
export function writeMovedSetting(home: Home, address: string): void {
  replaceOwnFile(home.storeSetting, `${JSON.stringify({ version: 1, moved: address })}\n`)
}
