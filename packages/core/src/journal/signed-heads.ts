import type { Crypto } from '../ports/crypto.ts'
import { type Checkpoint, parseCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { type Damage, damage } from './damage.ts'

/** A head somebody with the gate's key has signed: evidence of what the journal was at that size. */
export interface SignedHead {
  readonly size: number
  readonly root: string
  /** `kept` outside the store is evidence against whoever can write the store; `stored` is not. */
  readonly from: 'kept' | 'stored'
}

export interface HeadsOptions {
  /** base64, raw Ed25519: the gate's key, and earlier ones if it was changed. */
  readonly publicKeys: readonly string[]
  /** Notes kept outside the store. */
  readonly kept?: readonly string[]
  /** When given, a checkpoint of another journal is reported. */
  readonly origin?: string
  readonly crypto: Crypto
}

export interface ReadHeads {
  readonly heads: readonly SignedHead[]
  readonly damages: readonly Damage[]
}

/** Every checkpoint whose signature holds, and a damage for each whose does not. Kept ones first: they weigh more. */
export function readHeads(
  stored: readonly { readonly size: number; readonly note: string }[],
  options: HeadsOptions,
  size: number,
): ReadHeads {
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
  for (const note of options.kept ?? []) take(note, 'kept', null)
  for (const { size: row, note } of stored) take(note, 'stored', row)
  return { heads, damages }
}

function signedBy(note: string, options: HeadsOptions): Checkpoint | undefined {
  for (const key of options.publicKeys) {
    const checkpoint = verifyCheckpoint(note, key, options.crypto)
    if (checkpoint !== undefined) return checkpoint
  }
  return undefined
}

function problemOf(checkpoint: Checkpoint | undefined, options: HeadsOptions, row: number | null): string | undefined {
  if (checkpoint === undefined) return 'the signature does not hold'
  if (options.origin !== undefined && checkpoint.origin !== options.origin) return 'it belongs to another journal'
  if (row !== null && checkpoint.size !== row) return 'it stands in another’s place'
  return undefined
}
