import {
  CountersignError,
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
import { knownList } from './followed-gates.ts'

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

/** The same, for a home that knows a version of the list. SECURITY: A29 the store must have that version as it was. */
export function checkedKeys(home: Home, lists: readonly string[], signer: Signer, crypto: Crypto): ListedKeys {
  const known = knownList(home)
  if (known === undefined || lists.includes(known)) return listedKeys(lists, signer, crypto)
  throw new CountersignError(
    'CS_GATES',
    'the store does not have the list of gates that this home knows; it is an older copy or another journal: use the right address',
  )
}

/** The keys of the gates whose journal this home has in a file; undefined if it was always its own. */
export function keptKeys(home: Home, crypto: Crypto): GateKeys | undefined {
  const lists = readGateLists(home)
  if (lists.length === 0) return undefined
  const newest = followGateLists(lists, undefined, crypto)
  return gateKeysOf(() => newest)
}
