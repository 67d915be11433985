import type { Signer } from '../ports/crypto.ts'
import type { GateKeys, RemovedKey } from '../ports/gate-keys.ts'
import { type Checkpoint, journalOrigin, parseCheckpoint, type Verifier, verifyCheckpoint } from './checkpoint.ts'
import { type Damage, damage } from './damage.ts'

/** A head signed with the gate's key: evidence of the journal at that size. */
export interface SignedHead {
  readonly size: number
  readonly root: string
  /** A head `kept` outside the store is evidence even against someone who can write the store; a `stored` one is not. */
  readonly from: 'kept' | 'stored'
}

export interface HeadsOptions {
  /** base64, raw Ed25519: the keys of the gates that may write. */
  readonly publicKeys: readonly string[]
  /** Keys whose later checkpoints don't count. */
  readonly removedKeys?: readonly RemovedKey[]
  /** Notes kept outside the store. */
  readonly kept?: readonly string[]
  /** Heads known by another way than a signature, such as that of another store with the same journal. */
  readonly known?: readonly Pick<SignedHead, 'size' | 'root'>[]
  /** If set, a checkpoint of another journal is reported as damage. */
  readonly origin?: string
  readonly crypto: Verifier
}

/** The name of a gate's journal, and the keys that may sign its checkpoints. */
export type JournalKeys = Required<Pick<HeadsOptions, 'origin' | 'publicKeys' | 'removedKeys'>>

/** The journal of a gate: its own, or the one it shares with other gates. */
export function journalKeys({
  signer,
  gates,
}: {
  readonly signer: Signer
  readonly gates?: GateKeys | undefined
}): JournalKeys {
  if (gates === undefined) return { origin: journalOrigin(signer), publicKeys: [signer.publicKey], removedKeys: [] }
  return { origin: gates.origin, publicKeys: gates.active(), removedKeys: gates.removed() }
}

/** Every checkpoint with a valid signature, and a damage for every other one. Kept ones come first: they weigh more. */
export function readHeads(
  stored: readonly { readonly size: number; readonly note: string }[],
  options: HeadsOptions,
  size: number,
): { readonly heads: readonly SignedHead[]; readonly damages: readonly Damage[] } {
  const heads: SignedHead[] = []
  const damages: Damage[] = []
  const take = (note: string, from: SignedHead['from'], row: number | null): void => {
    const checkpoint = signedBy(note, options)
    const problem = problemOf(checkpoint, options, row)
    if (checkpoint !== undefined && problem === undefined)
      heads.push({ size: checkpoint.size, root: checkpoint.root, from })
    else
      damages.push(
        damage('bad-signature', row ?? parseCheckpoint(note)?.size ?? size, undefined, `${from}: ${problem}`),
      )
  }
  for (const { size: known, root } of options.known ?? []) heads.push({ size: known, root, from: 'kept' })
  for (const note of options.kept ?? []) take(note, 'kept', null)
  for (const { size: row, note } of stored) take(note, 'stored', row)
  return { heads, damages }
}

function signedBy(note: string, options: HeadsOptions): Checkpoint | undefined {
  for (const key of options.publicKeys) {
    const checkpoint = verifyCheckpoint(note, key, options.crypto)
    if (checkpoint !== undefined) return checkpoint
  }
  for (const { publicKey, upTo } of options.removedKeys ?? []) {
    const checkpoint = verifyCheckpoint(note, publicKey, options.crypto)
    if (checkpoint !== undefined && checkpoint.size <= upTo) return checkpoint
  }
  return undefined
}

function problemOf(checkpoint: Checkpoint | undefined, options: HeadsOptions, row: number | null): string | undefined {
  if (checkpoint === undefined) return 'the signature is not valid'
  if (options.origin !== undefined && checkpoint.origin !== options.origin) return 'it belongs to another journal'
  if (row !== null && checkpoint.size !== row) return 'it is in the place of another checkpoint'
  return undefined
}
