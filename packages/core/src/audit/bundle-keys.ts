import { canonicalJson } from '../call/json/canonical.ts'
import { isJsonObject, type Json } from '../call/json/json.ts'
import type { Verifier } from '../journal/checkpoint.ts'
import type { Approver } from '../ports/approvers.ts'
import type { Signer } from '../ports/crypto.ts'
import { BUNDLE_FILES, type BundleManifest, damaged, isKeyId, keyFingerprint, parseJson } from './bundle-manifest.ts'
import { type KeyHistory, publicFields, readApprover } from './key-history.ts'

/** The approvers' keys by id; each id is the hash of its key. */
export function readKeys(text: string, manifest: BundleManifest, crypto: Verifier): ReadonlyMap<string, ListedKey> {
  const value = parseJson(text)
  const wrong = (why: string) => damaged(BUNDLE_FILES.keys, why)
  if (!isJsonObject(value) || `${canonicalJson(value as Json)}\n` !== text) throw wrong('it is not in canonical form')
  const { approvers, gate } = value
  const { id, publicKey } = manifest.gate
  const own = [{ id, publicKey, fingerprint: keyFingerprint(publicKey, crypto) }]
  if (canonicalJson(gate as Json) !== canonicalJson(own)) throw wrong('its gate key is not the one of the manifest')
  if (!Array.isArray(approvers)) throw wrong('it lists no approvers')
  const keys = new Map<string, ListedKey>()
  for (const one of approvers as readonly unknown[]) {
    const approver = readApprover(one)
    const enrolled = isJsonObject(one) ? one['enrolled'] : undefined
    if (approver === undefined || keys.has(approver.id)) throw wrong('an approver is malformed or listed twice')
    if (!isKeyId(approver.id, approver.publicKey, crypto)) throw wrong('an approver’s id does not belong to its key')
    if (enrolled !== null && typeof enrolled !== 'number') throw wrong('an approver is malformed or listed twice')
    keys.set(approver.id, { approver, enrolled })
  }
  return keys
}

/** An approver of `keys.json`, with the entry that enrolled it. */
export interface ListedKey {
  readonly approver: Approver
  readonly enrolled: number | null
}

/** Enrolled keys, and earlier ones as far as the journal has them. */
export function keysText(
  now: readonly Approver[],
  history: KeyHistory,
  signer: Pick<Signer, 'keyId' | 'publicKey'>,
  crypto: Pick<Verifier, 'sha256'>,
): string {
  const all = new Map([...history.approvers(), ...now].map((one) => [one.id, one]))
  const approvers = [...all.values()]
    .filter((one) => isKeyId(one.id, one.publicKey, crypto))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((one) => ({
      id: one.id,
      name: one.name,
      kind: one.kind ?? 'ed25519',
      ...publicFields(one),
      enrolled: history.enrolmentOf(one.id),
    }))
  const gate = [
    { id: signer.keyId, publicKey: signer.publicKey, fingerprint: keyFingerprint(signer.publicKey, crypto) },
  ]
  return `${canonicalJson({ approvers, gate } as unknown as Json)}\n`
}
