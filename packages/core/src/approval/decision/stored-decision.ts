import { fromBase64, toBase64 } from '../../call/base64.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { redactText } from '../../secrets/redact.ts'
import type { SignedDecision } from './decision.ts'
import { parseSigned } from './decision.ts'
import { signedText } from './sign.ts'

/** What is left of a decision once its call is over: who, what, where, when the gate took it, and the redacted reason. */
export interface DecisionTrace {
  readonly kind: 'approve' | 'reject'
  readonly approver: string
  readonly surface: string
  readonly at: number
  readonly reason: string | null
  /** It was given with other arguments than were asked for. */
  readonly edited: boolean
}

/** A decision, and when the gate took it: `signed.at` is the word of the surface's clock, and stays in the journal. */
export interface TakenDecision {
  readonly signed: SignedDecision
  readonly at: number
}

const SEALED = 'sealed:'

/** A decision as an open row keeps it: edited arguments and words of a person do not lie open in the store. */
export function sealDecision({ signed, at }: TakenDecision, crypto: Crypto): string {
  const text = `${signedText(signed).slice(0, -1)},"taken":${at}}`
  const { edited, reason } = signed.decision
  return edited === undefined && reason === undefined ? text : SEALED + toBase64(crypto.seal(text))
}

/** The decision in an open row; null when there is none. Whether it counts, only its signature says. */
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

/** What a row keeps of a decision when its call starts or closes. */
export function traceOf(taken: TakenDecision | null, crypto: Crypto): string | null {
  if (taken === null) return null
  const { at } = taken
  const { decision, approver, surface } = taken.signed
  const reason = decision.reason === undefined ? null : redactText(decision.reason, crypto)
  return canonicalJson({ kind: decision.kind, approver, surface, at, reason, edited: decision.edited !== undefined })
}

/** Who decided what, of an open or a closed row. Nothing in the file is trusted. */
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
