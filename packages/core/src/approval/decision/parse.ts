import { freezeJson } from '../../call/json/freeze.ts'
import { isJsonObject } from '../../call/json/json.ts'
import type { Decision, SignedDecision } from './decision.ts'

/** Edited arguments and what stands around them. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_FIELD = 512
/** A passkey's assertion carries what its browser and authenticator said. */
const MAX_SIGNATURE = 8_192

/**
 * The one copy of a decision that is verified, kept and acted on; null for whatever is no decision at all. SECURITY: A6
 * A9, an object that answers differently after its signature was checked changes nothing.
 */
export function readSigned(value: unknown): SignedDecision | null {
  try {
    if (!isJsonObject(value)) return null
    // One by one, and each once: what stands beside them is no part of a decision.
    const { held, requestDigest, nonce, approver, surface, at, signature, decision } = value
    const copy = { held, requestDigest, nonce, approver, surface, at, signature, decision: copyDecision(decision) }
    return isWellFormed(copy) ? Object.freeze(copy) : null
  } catch {
    return null
  }
}

/** A decision as the store keeps it. Nothing in the file is trusted. */
export function parseSigned(text: string | null): SignedDecision | null {
  if (text === null) return null
  try {
    return readSigned(JSON.parse(text))
  } catch {
    return null
  }
}

/** Most have a kind and nothing more. What else stands there is left out, and then the signature does not fit. */
function copyDecision(decision: unknown): unknown {
  if (!isJsonObject(decision)) return undefined
  const { kind, reason, code, edited, grant } = decision
  const copy: { -readonly [field in keyof Decision]?: unknown } = { kind }
  if (reason !== undefined) copy.reason = reason
  if (code !== undefined) copy.code = code
  if (edited !== undefined) copy.edited = freezeJson(edited, { root: 'edited', maxBytes: MAX_BYTES })
  if (grant !== undefined) copy.grant = freezeJson(grant, { root: 'grant', maxBytes: MAX_BYTES })
  return Object.freeze(copy)
}

function isWellFormed(signed: { readonly [field in keyof SignedDecision]: unknown }): signed is SignedDecision {
  return (
    isText(signed.held, MAX_FIELD) &&
    isText(signed.requestDigest, MAX_FIELD) &&
    isText(signed.nonce, MAX_FIELD) &&
    isText(signed.approver, MAX_FIELD) &&
    isText(signed.surface, MAX_FIELD) &&
    isText(signed.signature, MAX_SIGNATURE) &&
    Number.isSafeInteger(signed.at) &&
    isDecision(signed.decision)
  )
}

function isDecision(decision: unknown): decision is Decision {
  if (!isJsonObject(decision)) return false
  const { kind, reason, code, edited, grant } = decision
  if (kind !== 'approve' && kind !== 'reject') return false
  if (reason !== undefined && !isText(reason, 4_000)) return false
  if (code !== undefined && !isText(code, 64)) return false
  if (edited !== undefined && !isJsonObject(edited)) return false
  return grant === undefined || (isJsonObject(grant) && isJsonObject(grant['scope']) && isJsonObject(grant['lifetime']))
}

function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && value.isWellFormed()
}
