import type { PolicyFile } from '../../ports/policy-files.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { PolicySet } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'

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
export function lowestDemand(levels: readonly (RiskLevel | null | undefined)[]): RiskLevel | undefined {
  return levels.flatMap((level) => level ?? []).toSorted((a, b) => riskRank(a) - riskRank(b))[0]
}

/**
 * What a file that did not load may have demanded. A project's cannot demand anything; one that could not be read, or
 * that speaks of passkeys, counts as if it did from high on.
 */
export function suspectedDemand({ layer, text, unreadable }: PolicyFile): RiskLevel | undefined {
  if (layer === 'project') return undefined
  return unreadable !== undefined || text.includes('passkey') ? 'high' : undefined
}
