import { text as readText } from 'node:stream/consumers'
import { CountersignError } from '@countersign/core'
import type { StorePlace } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/** The address of a store as typed; `-` reads it from stdin. */
export async function addressOf(typed: string, io: Io): Promise<string> {
  return typed === '-' ? (await readText(io.stdin)).trim() : typed
}

/** Where a store is: `sqlite` is the file in the home. */
export function placeOf(address: string): StorePlace {
  if (address === 'sqlite') return 'sqlite'
  if (address.startsWith('postgres')) return address as StorePlace
  throw new CountersignError(
    'CS_STORE_OPEN',
    'the address of the store can’t be used: it must look like `postgres://user:password@host/database`, or be `sqlite` for the file in the home',
  )
}
