import type { Approver } from '@countersign/core'

type Passkey = NonNullable<Approver['passkey']>

const MAX_TEXT = 2_048
const MAX_ORIGINS = 16

/** What the file of approvers keeps of a passkey beside its key; undefined when it is not that. */
export function readPasskey(value: unknown): Passkey | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return undefined
  const { credential, site, origins } = value as { readonly [field: string]: unknown }
  if (!isText(credential) || !isText(site) || !Array.isArray(origins)) return undefined
  if (origins.length === 0 || origins.length > MAX_ORIGINS || !origins.every(isText)) return undefined
  return Object.freeze({ credential, site, origins: Object.freeze([...origins]) })
}

/**
 * Whether an assertion answers exactly this challenge, on a site the passkey was made for, with its user verified.
 * The library is loaded when the first passkey decides: most processes never need it. Whatever is wrong is a no.
 */
export async function verifyPasskey(approver: Approver, sha256: string, assertion: string): Promise<boolean> {
  const { passkey } = approver
  if (approver.kind !== 'passkey' || passkey === undefined) return false
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified } = await verifyAuthenticationResponse({
      response: JSON.parse(assertion),
      expectedChallenge: Buffer.from(sha256, 'hex').toString('base64url'),
      expectedOrigin: [...passkey.origins],
      expectedRPID: passkey.site,
      credential: { id: passkey.credential, publicKey: Buffer.from(approver.publicKey, 'base64'), counter: 0 },
      requireUserVerification: true,
    })
    return verified
  } catch {
    return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT
}
