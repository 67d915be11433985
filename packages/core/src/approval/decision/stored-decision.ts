import { fromBase64, toBase64 } from '../../call/base64.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { callRedactor } from '../../secrets/redact.ts'
import type { SignedDecision } from './decision.ts'
import { parseSigned } from './decision.ts'
import { signedText } from './sign.ts'

/** What a row keeps of a decision once its call is over. The reason is redacted. */
export interface DecisionTrace {
  readonly kind: 'approve' | 'reject'
  readonly approver: string
  readonly surface: string
  readonly at: number
  readonly reason: string | null
  /** The approver edited the arguments. */
  readonly edited: boolean
}

/** A decision, and when the gate took it by its own clock. `signed.at` is the surface's clock. */
export interface TakenDecision {
  readonly signed: SignedDecision
  readonly at: number
}

const SEALED = 'sealed:'

/** A decision for an open row, sealed if it has edited arguments or a person's words. */
export function sealDecision({ signed, at }: TakenDecision, crypto: Crypto): string {
  const text = `${signedText(signed).slice(0, -1)},"taken":${at}}`
  const { edited, reason } = signed.decision
  return edited === undefined && reason === undefined ? text : SEALED + toBase64(crypto.seal(text))
}

/** The decision in an open row; null when there is none. It counts only once its signature is verified. */
export function openDecision(text: string | null, crypto: Crypto): TakenDecision | null {
  try {
    const open = unsealed(text, crypto)
    const signed = parseSigned(open)
    if (open === null || signed === null) return null
    const { taken } = JSON.parse(open) as { readonly taken?: unknown }
    return { signed, at: typeof taken === 'number' && Number.isSafeInteger(taken) ? taken : signed.at }
  } catch {
    return null
  }
}

function unsealed(text: string | null, crypto: Crypto): string | null {
  if (text === null || !text.startsWith(SEALED)) return text
  const sealed = fromBase64(text.slice(SEALED.length))
  return sealed === undefined ? null : crypto.unseal(sealed)
}

const NO_ARGUMENTS: JsonObject = {}

/** The trace of a decision, for the row of a call that starts or closes. Its arguments tell which words are secrets. */
export function traceOf(taken: TakenDecision | null, crypto: Crypto, args: JsonObject = NO_ARGUMENTS): string | null {
  if (taken === null) return null
  const { at } = taken
  const { decision, approver, surface } = taken.signed
  const reason = decision.reason === undefined ? null : callRedactor(args, crypto).text(decision.reason)
  return canonicalJson({ kind: decision.kind, approver, surface, at, reason, edited: decision.edited !== undefined })
}

/** The trace in an open or closed row. The row is not trusted. */
export function readTrace(text: string | null, crypto: Crypto): DecisionTrace | null {
  const open = openDecision(text, crypto)
  const kept = open === null ? text : traceOf(open, crypto)
  if (kept === null) return null
  try {
    const { kind, approver, surface, at, reason, edited } = JSON.parse(kept) as DecisionTrace
    if ((kind !== 'approve' && kind !== 'reject') || typeof approver !== 'string' || !Number.isSafeInteger(at))
      return null
    const words = typeof reason === 'string' ? reason : null
    return { kind, approver, surface: String(surface), at, reason: words, edited: edited === true }
  } catch {
    return null
  }
}
