import type { FrozenCall } from '../call/call.ts'
import type { Json } from '../call/json/json.ts'
import { APPROVAL_CLAIMS } from '../knowledge/compiled/tools.ts'

/** How much of an agent's words is looked at. */
const MAX_TEXT = 16 * 1024

/** The claims by their first stem; those without one are looked for in every text. */
const CLAIMS_BY_STEM = [...APPROVAL_CLAIMS.stems, ''].map((stem) => ({
  stem,
  claims: APPROVAL_CLAIMS.claims.filter(
    (claim) => (APPROVAL_CLAIMS.stems.find((one) => claim.includes(one)) ?? '') === stem,
  ),
}))

/** Whether an agent's words claim a permission it cannot give itself. The claim raises; it never lowers. */
export function claimsApproval(call: FrozenCall): boolean {
  if (isClaim(call.said ?? '')) return true
  // A command's words are judged as a command.
  return call.descriptor.command === undefined && texts(call.args).some(isClaim)
}

/** One word of every claim. In plain ASCII it stands there as it is spelled, but for its case. */
const HINTS = new RegExp(
  [
    ...APPROVAL_CLAIMS.stems,
    ...APPROVAL_CLAIMS.claims
      .filter((claim) => !APPROVAL_CLAIMS.stems.some((stem) => claim.includes(stem)))
      .map(longestWord),
  ].join('|'),
  'i',
)
const ASCII = /^[\0-\x7f]*$/

function longestWord(claim: string): string {
  return claim.split(' ').reduce((longest, word) => (word.length > longest.length ? word : longest))
}

function isClaim(text: string): boolean {
  if (text === '' || (!HINTS.test(text) && ASCII.test(text))) return false
  const plain = text
    .slice(0, MAX_TEXT)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_]+/g, ' ')
    .replaceAll('’', "'")
  return CLAIMS_BY_STEM.some(
    ({ stem, claims }) => plain.includes(stem) && claims.some((claim) => plain.includes(claim)),
  )
}

/** Strings among the arguments, to a bound. */
function texts(args: Json): readonly string[] {
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
