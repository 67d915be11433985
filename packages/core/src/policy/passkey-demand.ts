import { type RiskLevel, riskRank } from '../risk/level.ts'
import type { PolicySet } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** A verdict that asks for a passkey where policy demands one at this risk. INVARIANT: L9, it only ever adds. */
export function withPasskey(verdict: Verdict, { passkeyFrom }: PolicySet, level: RiskLevel): Verdict {
  if (passkeyFrom === undefined || riskRank(level) < riskRank(passkeyFrom)) return verdict
  return {
    ...verdict,
    passkey: true,
    reasons: [...verdict.reasons, `from risk ${passkeyFrom} on only a passkey approves`],
  }
}

/** Where several files demand one, the lowest level counts. */
export function passkeyFrom(files: readonly { readonly passkeyFrom: RiskLevel | null }[]): RiskLevel | undefined {
  const levels = files.flatMap((file) => file.passkeyFrom ?? [])
  return levels.toSorted((a, b) => riskRank(a) - riskRank(b))[0]
}
