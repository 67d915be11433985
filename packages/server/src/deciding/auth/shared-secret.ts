import { createHmac, randomBytes } from 'node:crypto'
import { CountersignError, type SharedRows } from '@countersign/core'

const KEY = 'secret'
const LIVES_MS = 10 * 365 * 86_400_000

/** A secret of all services on one store, from which each of their own is derived. */
export interface SharedSecret {
  /** A keyed hash under the secret, for one purpose. */
  derive(label: string, text?: string): string
  /** Reads it again: it changes when a machine is removed. */
  refresh(): Promise<void>
}

/**
 * Opens the secret, or makes it. SECURITY: it is in the store and not among the keys that a machine takes along, so that a
 * machine that was removed, and that can't read the database any more, has no part in it.
 */
export async function openSharedSecret(rows: SharedRows): Promise<SharedSecret> {
  let known = await read(rows)
  return {
    derive: (label, text = '') =>
      createHmac('sha256', Buffer.from(known, 'base64')).update(`${label}\n${text}`, 'utf8').digest('base64url'),
    async refresh() {
      known = await read(rows)
    },
  }
}

async function read(rows: SharedRows): Promise<string> {
  const found = await rows.get(KEY)
  if (found !== undefined) return found
  await rows.add(KEY, randomBytes(32).toString('base64'), LIVES_MS)
  const made = await rows.get(KEY)
  if (made !== undefined) return made
  throw new CountersignError(
    'CS_STORE_READ',
    'the secret of the services in the store can’t be opened; restart the service',
  )
}
