/**
 * The list of the gates that share a store, with everyone who may decide there. Each version is signed by a gate of the
 * version before, so a row that somebody adds to the database puts no gate and no approver on the list.
 * @module
 */

import { fromBase64 } from '../../call/base64.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { CountersignError } from '../../errors.ts'
import type { Approver } from '../../ports/approvers.ts'
import type { Signer } from '../../ports/crypto.ts'
import type { GateKeys } from '../../ports/gate-keys.ts'
import { journalOrigin, type Verifier } from '../checkpoint.ts'
import { parseSignedList } from './gate-list-schema.ts'

/** A gate that shares a store. */
export interface ListedGate {
  /** The id of its key. */
  readonly id: string
  /** The name of its machine. */
  readonly name: string
  /** base64, raw Ed25519: signs its checkpoints, and later versions of the list. */
  readonly publicKey: string
  readonly addedAt: number
  /** The size of the journal when the gate was removed; null while it may write. */
  readonly removedAfter: number | null
}

/** One version of the list. */
export interface GateList {
  readonly version: number
  /** The name of the journal: that of the first gate's key. */
  readonly journal: string
  /** SHA-256 of the version before; null in the first. */
  readonly before: string | null
  readonly gates: readonly ListedGate[]
  readonly approvers: readonly Approver[]
  /** Ids of keys that were removed: none of them comes back, whatever an older copy of the approvers contains. */
  readonly removedApprovers: readonly string[]
  readonly at: number
  /** The id of the gate that signed this version. */
  readonly by: string
}

/** A version as it is stored. */
export interface SignedGateList {
  readonly list: GateList
  /** base64. */
  readonly signature: string
}

/** What a new version changes. */
export interface GateListChange {
  readonly gates?: readonly ListedGate[]
  readonly approvers?: readonly Approver[]
  readonly removedApprovers?: readonly string[]
}

/** INVARIANT: L10. */
const MAX_CHARACTERS = 4_194_304

/** The first version: one gate, which gives the journal its name. */
export function firstGateList(
  gate: Pick<ListedGate, 'name' | 'addedAt'>,
  approvers: readonly Approver[],
  signer: Signer,
): SignedGateList {
  const { keyId: id, publicKey } = signer
  const only: ListedGate = { id, name: gate.name, publicKey, addedAt: gate.addedAt, removedAfter: null }
  return signList(
    {
      version: 1,
      journal: journalOrigin(signer),
      before: null,
      gates: [only],
      approvers,
      removedApprovers: [],
      at: gate.addedAt,
      by: id,
    },
    signer,
  )
}

/** The next version, signed by one of the gates that may write. */
export function nextGateList(
  current: SignedGateList,
  change: GateListChange,
  at: number,
  by: { readonly signer: Signer; readonly crypto: Verifier },
): SignedGateList {
  const { list } = current
  const next = signList(
    { ...list, ...change, version: list.version + 1, before: digestOf(current, by.crypto), at, by: by.signer.keyId },
    by.signer,
  )
  const problem = problemAfter(current, next, by.crypto)
  if (problem !== undefined) throw untrusted(`the new version was not written: ${problem}`)
  return next
}

/** The text of a version in the store. */
export function writeGateList(signed: SignedGateList): string {
  return canonicalJson(signed as unknown as Json)
}

/** Reads one version, without checking its signature; throws CS_GATES if it is malformed. */
export function readGateList(stored: string): SignedGateList {
  if (stored.length > MAX_CHARACTERS) throw untrusted('it is too long')
  try {
    const read = parseSignedList(JSON.parse(stored)) as SignedGateList
    // Two spellings of one list would have two digests.
    if (writeGateList(read) === stored) return read
  } catch {
    throw untrusted('a version is malformed')
  }
  throw untrusted('a version is not in canonical form')
}

/**
 * Checks every version after `known` and returns the last. With nothing known, the first version must be signed by the
 * only gate on it, and `journal` must be its journal if it is given.
 * @throws CS_GATES for a version that no gate of the version before signed, and for one that is missing.
 */
export function followGateLists(
  stored: readonly string[],
  known: SignedGateList | undefined,
  crypto: Verifier,
  journal?: string,
): SignedGateList {
  let current = known
  for (const one of stored) {
    const next = readGateList(one)
    const problem = current === undefined ? problemOfFirst(next, crypto) : problemAfter(current, next, crypto)
    if (problem !== undefined) throw untrusted(`version ${next.list.version} ${problem}`)
    current = next
  }
  if (current === undefined) throw untrusted('the store has none')
  if (journal !== undefined && current.list.journal !== journal)
    throw untrusted(`it is that of the journal \`${current.list.journal}\`, not of \`${journal}\``)
  return current
}

/** SHA-256 of a version as stored, hex. */
export function digestOf(signed: SignedGateList, crypto: Verifier): string {
  return crypto.sha256(writeGateList(signed))
}

/** The keys of a list as a port. */
export function gateKeysOf(current: () => SignedGateList): GateKeys {
  return {
    get origin() {
      return current().list.journal
    },
    active: () => current().list.gates.flatMap((one) => (one.removedAfter === null ? [one.publicKey] : [])),
    removed: () =>
      current().list.gates.flatMap(({ publicKey, removedAfter }) =>
        removedAfter === null ? [] : [{ publicKey, upTo: removedAfter }],
      ),
  }
}

function signList(list: GateList, signer: Signer): SignedGateList {
  return { list, signature: signer.sign(messageOf(list)) }
}

function messageOf(list: GateList): string {
  return `countersign/gates/v1\n${canonicalJson(list as unknown as Json)}`
}

function problemOfFirst(first: SignedGateList, crypto: Verifier): string | undefined {
  const { version, before, gates, journal } = first.list
  const [only] = gates
  if (version !== 1 || before !== null) return 'is not the first, and none is known before it'
  if (only === undefined || gates.length !== 1) return 'begins with more than one gate'
  if (journal !== journalOrigin({ keyId: only.id })) return 'names a journal that is not its gate’s'
  return (
    problemOfGates(gates, [], crypto) ?? problemOfApprovers(first.list, []) ?? problemOfSignature(first, gates, crypto)
  )
}

function problemAfter(current: SignedGateList, next: SignedGateList, crypto: Verifier): string | undefined {
  const { list } = next
  if (list.version !== current.list.version + 1) return `does not follow version ${current.list.version}`
  if (list.before !== digestOf(current, crypto)) return 'does not continue the version that is known'
  if (list.journal !== current.list.journal) return 'names another journal'
  return (
    problemOfGates(list.gates, current.list.gates, crypto) ??
    problemOfApprovers(list, current.list.removedApprovers) ??
    problemOfSignature(next, current.list.gates, crypto)
  )
}

/** A gate stays on the list: its earlier checkpoints count. */
function problemOfGates(
  gates: readonly ListedGate[],
  before: readonly ListedGate[],
  crypto: Verifier,
): string | undefined {
  const byId = new Map(gates.map((one) => [one.id, one]))
  if (byId.size !== gates.length) return 'has a gate twice'
  const misnamed = gates.find((one) => one.id !== idOf(one.publicKey, crypto))
  if (misnamed !== undefined) return `gives the gate \`${misnamed.id}\` the key of another`
  for (const old of before) {
    const now = byId.get(old.id)
    if (now === undefined) return `leaves out the gate \`${old.id}\``
    if (old.removedAfter !== null && now.removedAfter !== old.removedAfter)
      return `takes back the removed gate \`${old.id}\``
  }
  return gates.every((one) => one.removedAfter !== null) ? 'has no gate that may write' : undefined
}

function problemOfApprovers({ approvers, removedApprovers }: GateList, before: readonly string[]): string | undefined {
  const removed = new Set(removedApprovers)
  if (new Set(approvers.map(({ id }) => id)).size !== approvers.length) return 'has an approver twice'
  if (before.some((id) => !removed.has(id))) return 'takes back a removed approver'
  const back = approvers.find(({ id }) => removed.has(id))
  return back === undefined ? undefined : `enrolls the removed approver \`${back.id}\``
}

/** The id of a gate: it names its key, so that a person who compares ids compares keys. */
function idOf(publicKey: string, crypto: Verifier): string | undefined {
  const raw = fromBase64(publicKey)
  return raw?.length === 32 ? crypto.sha256(raw).slice(0, 16) : undefined
}

function problemOfSignature(
  { list, signature }: SignedGateList,
  signers: readonly ListedGate[],
  crypto: Verifier,
): string | undefined {
  const signer = signers.find((one) => one.id === list.by && one.removedAfter === null)
  if (signer === undefined) return 'is signed by a gate that may not write'
  return isSigned(signer.publicKey, messageOf(list), signature, crypto) ? undefined : 'has an invalid signature'
}

function isSigned(publicKey: string, message: string, signature: string, crypto: Verifier): boolean {
  try {
    // One spelling of a signature: another one would change the digest of a version that is valid.
    return fromBase64(signature)?.length === 64 && crypto.verify(publicKey, message, signature)
  } catch {
    return false
  }
}

function untrusted(problem: string): CountersignError {
  return new CountersignError(
    'CS_GATES',
    `the list of gates in the store can’t be trusted: ${problem}; compare with \`countersign gates list\` on another machine`,
  )
}
