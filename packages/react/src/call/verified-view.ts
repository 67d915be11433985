import { type HeldCallView, type OpenedView, openView } from '@countersign/core'
import { sha256 as hash } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 in lower-case hex. Synchronous, unlike WebCrypto: views are verified before they are rendered. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(hash(typeof data === 'string' ? utf8ToBytes(data) : data))
}

/** A view that passed verification, or the reason it failed. */
export type VerifiedView =
  | { readonly kind: 'opened'; readonly opened: OpenedView }
  | { readonly kind: 'mismatch'; readonly view: HeldCallView; readonly message: string }

const known = new WeakMap<HeldCallView, VerifiedView>()

/**
 * Recomputes every digest of a view in the browser, once per view. INVARIANT: L5, a view that does not match its
 * digests can never be approved.
 */
export function verifyView(view: HeldCallView): VerifiedView {
  const before = known.get(view)
  if (before !== undefined) return before
  const result = tryOpen(view)
  known.set(view, result)
  return result
}

function tryOpen(view: HeldCallView): VerifiedView {
  try {
    return { kind: 'opened', opened: openView(view, { sha256 }) }
  } catch (error) {
    return { kind: 'mismatch', view, message: error instanceof Error ? error.message : 'the request cannot be read' }
  }
}
