const LENGTH = 8

/**
 * How people name a held call: the beginning of its request's digest. SECURITY: A11, whoever asks may choose the call's id,
 * but not the nonce that is in the digest: what a person types is bound to what they were shown.
 */
export function markOf({ requestDigest }: { readonly requestDigest: string }): string {
  return requestDigest.slice(0, LENGTH)
}
