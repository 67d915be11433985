import type { IntentSign, SignKind } from '../intent/model/intent.ts'
import { readIntent } from '../intent/read-intent.ts'
import { finding, type RiskFinding } from './report/finding.ts'
import { riskRank } from './report/level.ts'

const WORDS: Readonly<Record<SignKind, string>> = {
  ask: 'the agent itself asks for leave',
  announcement: 'the agent announces something risky',
  doubt: 'the agent doubts that this is safe',
  warning: 'the agent warns that this cannot be undone or may do harm',
  claim: 'claims that a permission was already given',
  tag: 'the agent marked this for confirmation',
  harmless: '',
}

/**
 * What an agent's own words add to a call's risk; null when they add nothing. INVARIANT: L9 it can only raise. The words
 * themselves are not repeated: they are untrusted, and shown where they belong.
 *
 * Words do not say which call they are about: an agent may announce a deletion and look at `git status` first. So a call
 * is raised to the level of the worst thing its agent asks, announces or doubts, and never beyond that; were only calls
 * of the same kind raised, an agent's description of itself would decide who is asked. It does not nag, since what
 * needs no confirmation by itself (a temporary file, a part of a program, reading, explaining, a report of what is done)
 * adds nothing at all, whatever level it was given.
 */
export function rateSaid(said: string | null): RiskFinding | null {
  if (said === null || said === '') return null
  const { confirmation_required, signs } = readIntent(said)
  if (!confirmation_required) return null
  const [worst] = signs
    .filter(({ required }) => required)
    .toSorted((one, other) => riskRank(other.level) - riskRank(one.level))
  if (worst === undefined) return null
  const rule = worst.kind === 'claim' ? 'said.claims-approval' : `said.${worst.kind}`
  return finding(worst.level, rule, textOf(worst), 'yes') // words tell nothing of what can be undone
}

function textOf({ kind, action, scope }: IntentSign): string {
  const what = action === 'other' || action === 'none' ? '' : `: ${action.replaceAll('_', ' ')}`
  const count = scope.records === undefined ? '' : ` of ${scope.records}`
  const where = scope.environment === 'production' ? ' in production' : ''
  return `${WORDS[kind]}${what}${what === '' ? '' : count}${where}`
}
