import { type RulesAnswer, rulesMessage, type SignedRules } from '@countersign/core'
import { sha256 } from '../call/verified-view.ts'
import type { BrowserKey } from './browser-key.ts'
import type { PasskeySigner } from './submit-decision.ts'

/** How a change of the rules is signed. */
interface RulesSigner {
  /** Null if this browser's key is not enrolled. */
  readonly key: () => Promise<BrowserKey | null>
  readonly passkey: PasskeySigner
  readonly at: number
}

/** Signs a change of the rules exactly as it was shown. A passkey signs where the change needs one, or without a key. */
export async function signRules(
  { proposal, code, reason }: RulesAnswer,
  { key, passkey, at }: RulesSigner,
): Promise<SignedRules> {
  const { change, rules, act } = proposal
  if (sha256(rules) !== change.content)
    throw new Error('the service sent other rules than it describes; nothing was signed')
  const said = { code: act.typed ? (code ?? null) : null, reason: reason ?? null, surface: 'web', at }
  const claimBy = (approver: string) => ({ ...change, ...said, approver })
  const own = act.passkey ? null : await key()
  if (own !== null) {
    const claim = claimBy(own.keyId)
    return { ...claim, signature: await own.sign(rulesMessage(claim)) }
  }
  const { approver, signature } = await passkey((id) => sha256(rulesMessage(claimBy(id))))
  return { ...claimBy(approver), signature }
}
