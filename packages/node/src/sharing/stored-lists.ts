import {
  type Crypto,
  followGateLists,
  type GateKeys,
  type GateList,
  gateKeysOf,
  type JournalKeys,
  journalKeys,
  type Signer,
} from '@countersign/core'
import { readGateLists } from '../home/gate-lists-file.ts'
import type { Home } from '../home/home.ts'

/** Whose signatures count in a journal. */
export interface ListedKeys {
  /** The newest version of the list of gates; undefined if one gate has the journal alone. */
  readonly list: GateList | undefined
  readonly keys: JournalKeys
}

/** Checks every version of a list of gates. Loaded only where a store is shared. */
export function listedKeys(lists: readonly string[], signer: Signer, crypto: Crypto): ListedKeys {
  if (lists.length === 0) return { list: undefined, keys: journalKeys({ signer }) }
  const newest = followGateLists(lists, undefined, crypto)
  return { list: newest.list, keys: journalKeys({ signer, gates: gateKeysOf(() => newest) }) }
}

/** The keys of the gates whose journal this home has in a file; undefined if it was always its own. */
export function keptKeys(home: Home, crypto: Crypto): GateKeys | undefined {
  const lists = readGateLists(home)
  if (lists.length === 0) return undefined
  const newest = followGateLists(lists, undefined, crypto)
  return gateKeysOf(() => newest)
}
