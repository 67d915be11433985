import { freezeJson } from '../../call/json/freeze.ts'
import { isJsonObject, type JsonObject } from '../../call/json/json.ts'
import type { RuleBounds } from '../../policy/model/containment.ts'
import type { GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'

/** What a person decided. */
export interface Decision {
  readonly kind: 'approve' | 'reject'
  readonly reason?: string
  /** Edited arguments: a new call, judged again before it runs. */
  readonly edited?: JsonObject
  readonly grant?: GivenScope
  /** The short code shown with the details: needed to approve at `manual`. */
  readonly code?: string
}

/** A grant as it is given: one that was offered. */
export interface GivenScope {
  readonly scope: GrantScope
  readonly lifetime: OfferedLifetime
  /** What it adds to the sandbox of the calls it covers; with an exception, this call runs in the sandbox too. */
  readonly bounds?: RuleBounds
}

/** A decision with the approver's signature over exactly what was shown. */
export interface SignedDecision {
  readonly held: string
  readonly requestDigest: string
  readonly nonce: string
  readonly decision: Decision
  readonly approver: string
  /** `terminal`, `cli`, `web`, … */
  readonly surface: string
  readonly at: number
  /** Over `decisionMessage`: base64 Ed25519, or the JSON of a passkey’s assertion. */
  readonly signature: string
}

/** The answer to a decision: what became of the call, and who decided if it was somebody else. */
export interface Receipt {
  readonly held: string
  readonly accepted: boolean
  /** `approved`, `rejected`, `expired`, … */
  readonly state: string
  readonly by: string | null
  readonly at: number
  readonly message: string
  /** One redacted line on what runs instead, where a person edited the arguments. */
  readonly instead?: string
}

/**
 * A receipt in words. An approver is named for approving, never for what happened to the call afterwards.
 *
 * @example
 * const words = receiptWords({ state: 'stale', by: 'Ana' }) // approved by Ana, then stale
 */
export function receiptWords({ state, by }: Pick<Receipt, 'state' | 'by'>): string {
  const outcome = state === 'denied' ? 'denied by policy' : state
  if (by === null) return outcome
  const isDecision = state === 'approved' || state === 'rejected'
  return isDecision ? `${state} by ${by}` : `approved by ${by}, then ${outcome}`
}

/** For somebody who decides late: what became of the call, who decided, when and where. */
export function lateWords({ state, by, at }: Pick<Receipt, 'state' | 'by' | 'at'>, surface?: string): string {
  return `${receiptWords({ state, by })} (${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC${surface === undefined ? '' : `, ${surface}`})`
}

/** Edited arguments, or a grant. */
const MAX_BYTES = 4 * 1024 * 1024
const MAX_FIELD = 512
/** A passkey's assertion carries data of its browser and authenticator. */
const MAX_SIGNATURE = 8_192
const MAX_REASON = 4_000
const MAX_CODE = 64

/**
 * The one copy of a decision that is verified, stored and acted on; null when `value` is malformed. SECURITY: A6 A9, an
 * object that returns other values after its signature was checked changes nothing.
 */
export function readSigned(value: unknown): SignedDecision | null {
  try {
    if (!isJsonObject(value)) return null
    // Each field is read once; other fields are ignored.
    const { held, requestDigest, nonce, approver, surface, at, signature, decision } = value
    const copy = { held, requestDigest, nonce, approver, surface, at, signature, decision: copyDecision(decision) }
    return isWellFormed(copy) ? Object.freeze(copy) : null
  } catch {
    return null
  }
}

/** A decision from the store's text, which is not trusted. */
export function parseSigned(text: string | null): SignedDecision | null {
  if (text === null) return null
  try {
    return readSigned(JSON.parse(text))
  } catch {
    return null
  }
}

/** Unknown fields are left out; if they were signed, the signature then does not fit. */
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
  const { held, requestDigest, nonce, approver, surface, signature, at, decision } = signed
  return (
    [held, requestDigest, nonce, approver, surface].every((field) => isText(field, MAX_FIELD)) &&
    isText(signature, MAX_SIGNATURE) &&
    Number.isSafeInteger(at) &&
    isDecision(decision)
  )
}

function isDecision(decision: unknown): decision is Decision {
  if (!isJsonObject(decision)) return false
  const { kind, reason, code, edited, grant } = decision
  if (kind !== 'approve' && kind !== 'reject') return false
  if (reason !== undefined && !isText(reason, MAX_REASON)) return false
  if (code !== undefined && !isText(code, MAX_CODE)) return false
  if (edited !== undefined && !isJsonObject(edited)) return false
  return grant === undefined || isGiven(grant)
}

function isGiven(grant: unknown): boolean {
  if (!isJsonObject(grant)) return false
  const { scope, lifetime, bounds } = grant
  return isJsonObject(scope) && isJsonObject(lifetime) && (bounds === undefined || isJsonObject(bounds))
}

function isText(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.length <= most && value.isWellFormed()
}
