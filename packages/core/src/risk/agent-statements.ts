import type { FrozenCall } from '../call/call.ts'
import type { Json } from '../call/json/json.ts'
import { intentThresholds } from '../intent/given-thresholds.ts'
import type { IntentSign, SignKind } from '../intent/model/intent.ts'
import { readIntent } from '../intent/read-intent.ts'
import { APPROVAL_CLAIMS } from '../knowledge/compiled/tools.ts'
import type { RiskCircumstances } from './path/located-path.ts'
import { finding, type RiskFinding } from './report/finding.ts'
import { riskRank } from './report/level.ts'

const CLAIM_REASON = 'claims that permission was already given'

const REASONS: Readonly<Record<SignKind, string>> = {
  ask: 'the agent itself asks for permission',
  announcement: 'the agent announces something risky',
  doubt: 'the agent doubts that this is safe',
  warning: 'the agent warns of harm, or that this can’t be undone',
  claim: CLAIM_REASON,
  tag: 'the agent marked this for confirmation',
  harmless: '',
}

/**
 * What an agent's own words add to a call's risk; null if nothing. INVARIANT: L9, words can only raise. The words
 * themselves are untrusted and not repeated.
 *
 * Words don't show which call they are about: an agent may announce a deletion and run `git status` first. So a call is
 * raised to the level of the worst thing its agent asks for, announces or doubts, and never further. Raising only calls
 * of the same kind would let an agent's own description decide who is asked. Statements that need no confirmation (about a
 * temporary file, part of a program, a read, an explanation, a report) add nothing, whatever their level.
 */
export function rateStatedIntent(
  said: string | null,
  now: Pick<RiskCircumstances, 'thresholds' | 'inProduction'> = {},
): RiskFinding | null {
  if (said === null || said === '') return null
  const { confirmation_required, signs } = readIntent(said, null, intentThresholds(now))
  if (!confirmation_required) return null
  const [worst] = signs
    .filter(({ required }) => required)
    .toSorted((one, other) => riskRank(other.level) - riskRank(one.level))
  if (worst === undefined) return null
  const rule = worst.kind === 'claim' ? 'said.claims-approval' : `said.${worst.kind}`
  return finding(worst.level, rule, reasonFor(worst), 'yes') // words don't show what can be undone
}

function reasonFor({ kind, action, scope }: IntentSign): string {
  const what = action === 'other' || action === 'none' ? '' : `: ${action.replaceAll('_', ' ')}`
  const count = scope.records === undefined ? '' : ` of ${scope.records}`
  const where = scope.environment === 'production' ? ' in production' : ''
  return `${REASONS[kind]}${what}${what === '' ? '' : count}${where}`
}

/** Characters of an agent's words that are searched for claims. */
const MAX_TEXT = 16 * 1024
const ASCII = /^[\0-\x7f]*$/

/** Rates a claim of a permission that an agent can't give itself. INVARIANT: L9, the claim can only raise. */
export function rateApprovalClaim(call: FrozenCall): RiskFinding | null {
  // The words of a command are rated as a command.
  const claims = isClaim(call.said ?? '') || (call.descriptor.command === undefined && textsIn(call.args).some(isClaim))
  return claims ? finding('medium', 'said.claims-approval', CLAIM_REASON) : null
}

interface ClaimIndex {
  /** Matches a word of every claim. A claim in plain ASCII contains it in some case. */
  readonly hint: RegExp
  /** Claims by the stem they contain; those without a stem are under the empty text. */
  readonly byStem: readonly { readonly stem: string; readonly claims: readonly string[] }[]
}

let claimIndex: ClaimIndex | undefined

function indexClaims(): ClaimIndex {
  const { claims, stems } = APPROVAL_CLAIMS
  const byStem = Map.groupBy(claims, (claim) => stems.find((stem) => claim.includes(stem)) ?? '')
  const hints = (byStem.get('') ?? []).map(longestWord)
  return {
    hint: new RegExp([...stems, ...hints].join('|'), 'i'),
    byStem: [...byStem].map(([stem, claims]) => ({ stem, claims })),
  }
}

function longestWord(claim: string): string {
  return claim.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest))
}

function isClaim(text: string): boolean {
  claimIndex ??= indexClaims()
  if (text === '' || (!claimIndex.hint.test(text) && ASCII.test(text))) return false
  const plain = text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .replaceAll('’', "'")
  return claimIndex.byStem.some(
    ({ stem, claims }) => plain.includes(stem) && claims.some((claim) => plain.includes(claim)),
  )
}

/** The texts among the arguments, up to a bound. */
function textsIn(args: Json): readonly string[] {
  const found: string[] = []
  const stack: Json[] = [args]
  let budget = MAX_TEXT
  for (let seen = 0; seen < 1000 && budget > 0; seen++) {
    const value = stack.pop()
    if (value === undefined) break
    if (typeof value === 'string') {
      found.push(value.slice(0, budget))
      budget -= value.length
    } else if (value !== null && typeof value === 'object') {
      for (const inner of Object.values(value)) stack.push(inner)
    }
  }
  return found
}
