import {
  type AcceptanceClaim,
  type Approver,
  acceptanceMessage,
  type Crypto,
  canonicalJson,
  type Json,
  type Signer,
} from '@countersign/core'
import { type Acceptance, type FirstContact, hashOf, type PinnedServer, type PinnedTool } from './pin-files.ts'
import { namelessHash } from './tool-definition.ts'

/** The server and label of a pin. */
export interface PinPlace {
  readonly label: string
  /** The hash of the server's identity. */
  readonly server: string
}

/** Signs the acceptance of a tool with this definition, on this server, under this label. */
export function signAcceptance(
  place: PinPlace,
  tool: { readonly name: string; readonly hash: string },
  signer: Signer,
  at: number,
): Acceptance {
  const claim = { ...place, ...tool, approver: signer.keyId, at }
  return { approver: claim.approver, at, signature: signer.sign(acceptanceMessage(claim)) }
}

/** Signs the tools listed at first contact. */
export function signFirst(place: PinPlace, tools: FirstContact['tools'], signer: Signer, at: number): FirstContact {
  return { at, tools, signature: signer.sign(firstText(place, tools, at)) }
}

/** Whose signatures count. */
export interface PinVerifiers {
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  readonly approvers: readonly Approver[]
  /** The public key of the gate. */
  readonly gate: string
}

/** How a tool was accepted: `none` when no valid signature covers it. */
export type PinOrigin =
  | { readonly kind: 'person'; readonly name: string; readonly at: number }
  | { readonly kind: 'first' }
  | { readonly kind: 'none' }

/** One pin after verification. */
export interface VerifiedPin {
  readonly pinned: PinnedTool
  readonly hash: string
  /** The hash without the name. */
  readonly nameless: string
  readonly origin: PinOrigin
}

/**
 * Verifies the pins of a server. SECURITY: A20 an edited file accepts nothing: an acceptance needs the signature of an
 * enrolled approver, a first contact that of the gate.
 */
export function verifyPins(
  label: string,
  { identity, first, tools }: PinnedServer,
  by: PinVerifiers,
): ReadonlyMap<string, VerifiedPin> {
  const place = { label, server: identity.hash }
  const met = new Map(
    first !== null && by.crypto.verify(by.gate, firstText(place, first.tools, first.at), first.signature)
      ? first.tools
      : [],
  )
  return new Map(
    tools.map((pinned) => {
      const hash = hashOf(pinned.definition, by.crypto)
      const signed = acceptedBy(place, pinned, hash, by)
      const origin: PinOrigin = signed ?? { kind: met.get(pinned.name) === hash ? 'first' : 'none' }
      return [pinned.name, { pinned, hash, nameless: namelessHash(pinned.definition, by.crypto), origin }]
    }),
  )
}

function acceptedBy(
  place: PinPlace,
  { name, acceptance }: PinnedTool,
  hash: string,
  by: PinVerifiers,
): PinOrigin | null {
  if (acceptance === null) return null
  const found = findSigner({ ...place, name, hash, ...acceptance }, by)
  return typeof found === 'string' ? null : { kind: 'person', name: found.name, at: acceptance.at }
}

/** An acceptance with everything its signature covers. */
export type SignedAcceptance = AcceptanceClaim & { readonly signature: string }

/** The approver who signed an acceptance, or why the signature does not count. Passkeys do not sign tools. */
export function findSigner(signed: SignedAcceptance, by: Omit<PinVerifiers, 'gate'>): Approver | string {
  const approver = by.approvers.find(({ id }) => id === signed.approver)
  if (approver === undefined) return 'the key that signed this is not an enrolled approver'
  if (approver.kind === 'passkey')
    return 'a passkey cannot sign for a tool; run `countersign mcp accept` in a terminal, or enroll the browser’s own key'
  const isSigned = by.crypto.verify(approver.publicKey, acceptanceMessage(signed), signed.signature)
  return isSigned ? approver : 'the signature does not match the tool and its definition'
}

function firstText({ label, server }: PinPlace, tools: FirstContact['tools'], at: number): string {
  return `countersign/mcp-first/v1\n${canonicalJson({ at, label, server, tools } as unknown as Json)}`
}
