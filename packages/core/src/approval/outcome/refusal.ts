import type { ErrorCode } from '../../errors.ts'
import type { RuleRef } from '../../policy/model/verdict.ts'

/** The call did not run, and why, in words a model can act on. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly callId: string
  readonly outcome: 'denied' | 'rejected' | 'expired' | 'withdrawn' | 'stale' | 'refused' | 'unknown'
  readonly code: ErrorCode
  /** One line for people and models alike. */
  readonly message: string
  /** The approver's words, when a person rejected. */
  readonly reason: string | null
  readonly rule: RuleRef | null
}

export function refusal(
  callId: string,
  outcome: Refusal['outcome'],
  code: ErrorCode,
  message: string,
  more: { readonly reason?: string | null; readonly rule?: RuleRef | null } = {},
): Refusal {
  return { kind: 'refusal', callId, outcome, code, message, reason: more.reason ?? null, rule: more.rule ?? null }
}

/** The refusal as a tool result: an error the model reads, with what to do instead of trying again. */
export function refusalText(refusal: Refusal): string {
  const said = refusal.reason === null ? '' : ` The person said: “${refusal.reason}”.`
  return `NOT EXECUTED (${refusal.outcome}): ${refusal.message}.${said} Do not retry this call unchanged.`
}
