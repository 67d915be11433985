import { CountersignError } from '../errors.ts'
import { journalOrigin, type Verifier, verifyCheckpoint } from '../journal/checkpoint.ts'
import { digestOf, followGateLists, type SignedGateList } from '../journal/gates/gate-list.ts'
import type { RemovedKey } from '../ports/gate-keys.ts'
import { BUNDLE_FILES, type BundleManifest, damaged } from './bundle-manifest.ts'

/** The gates whose checkpoints count in a bundle, and when each came onto the list. */
export interface BundleGates {
  readonly publicKeys: readonly string[]
  readonly removedKeys: readonly RemovedKey[]
  /** The digest of each version of the list, from the first on. */
  readonly digests: readonly string[]
  /** The version that added a gate, by its public key. */
  readonly addedIn: ReadonlyMap<string, number>
}

/** Checks the list of gates of a bundle: from the gate that names the journal to the one that signed the bundle. */
export function gatesOf(
  lists: readonly string[],
  { gate, origin }: Pick<BundleManifest, 'gate' | 'origin'>,
  crypto: Verifier,
): BundleGates {
  if (lists.length === 0) {
    if (origin !== journalOrigin({ keyId: gate.id }))
      throw damaged(BUNDLE_FILES.manifest, 'the journal’s name does not belong to the gate’s key')
    return { publicKeys: [gate.publicKey], removedKeys: [], digests: [], addedIn: new Map() }
  }
  const addedIn = new Map<string, number>()
  const digests: string[] = []
  let current: SignedGateList | undefined
  for (const text of lists) {
    current = followed(text, current, origin, crypto)
    for (const { publicKey } of current.list.gates)
      if (!addedIn.has(publicKey)) addedIn.set(publicKey, current.list.version)
    digests.push(digestOf(current, crypto))
  }
  const all = current?.list.gates ?? []
  if (!all.some(({ publicKey, removedAfter }) => publicKey === gate.publicKey && removedAfter === null))
    throw damaged(BUNDLE_FILES.gates, 'the gate that signed the bundle is not on the list of gates')
  return {
    publicKeys: all.flatMap((one) => (one.removedAfter === null ? [one.publicKey] : [])),
    removedKeys: all.flatMap(({ publicKey, removedAfter }) =>
      removedAfter === null ? [] : [{ publicKey, upTo: removedAfter }],
    ),
    digests,
    addedIn,
  }
}

function followed(text: string, current: SignedGateList | undefined, origin: string, crypto: Verifier): SignedGateList {
  try {
    return followGateLists([text], current, crypto, origin)
  } catch (error) {
    if (error instanceof CountersignError) throw damaged(BUNDLE_FILES.gates, error.message)
    throw error
  }
}

/** Throws if a gate signed a checkpoint before an entry put it on the list. `entries` are those entries by version. */
export function checkSigners(
  notes: readonly string[],
  { addedIn }: BundleGates,
  entries: ReadonlyMap<number, number>,
  crypto: Verifier,
): void {
  for (const [publicKey, version] of addedIn) {
    const added = entries.get(version)
    // The first gate may have had the journal alone before.
    if (version === 1 || added === undefined) continue
    for (const note of notes) {
      const checkpoint = verifyCheckpoint(note, publicKey, crypto)
      if (checkpoint !== undefined && checkpoint.size < added)
        throw damaged(
          BUNDLE_FILES.checkpoints,
          `the checkpoint of ${checkpoint.size} entries is signed by a gate that was added in entry ${added}`,
        )
    }
  }
}
