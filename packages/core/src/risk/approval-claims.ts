import type { FrozenCall } from '../call/call.ts'
import type { Json } from '../call/json/json.ts'

/** How much of an agent's words is looked at. */
const MAX_TEXT = 16 * 1024

const CLAIMS = [
  'already approved',
  'already confirmed',
  'already authorized',
  'already authorised',
  'already agreed',
  'already consented',
  'already given permission',
  'already gave permission',
  'pre-approved',
  'preapproved',
  'pre-authorized',
  'pre-authorised',
  'user approved',
  'user has approved',
  'user confirmed',
  'user has confirmed',
  'user authorized',
  'user authorised',
  'user has authorized',
  'user has authorised',
  'user said yes',
  'user agreed',
  'approved by the user',
  'confirmed by the user',
  'authorized by the user',
  'authorised by the user',
  'approval granted',
  'approval was granted',
  'permission granted',
  'permission was granted',
  'no need to ask',
  'no need to confirm',
  'no confirmation needed',
  'no confirmation is needed',
  'no approval needed',
  'no approval is needed',
  'without asking',
  'do not ask',
  "don't ask",
  'skip confirmation',
  'skip the confirmation',
  'skip approval',
  'bypass approval',
  'admin approved',
  'has been approved',
  'was approved by',
]

/** One of these stands in nearly every claim; a text without any of them is looked through no further. */
const STEMS = ['approv', 'confirm', 'authori', 'permission', 'agreed', 'ask']

/** The claims by their first stem; those without one are looked for in every text. */
const CLAIMS_BY_STEM = [...STEMS, ''].map((stem) => ({
  stem,
  claims: CLAIMS.filter((claim) => (STEMS.find((one) => claim.includes(one)) ?? '') === stem),
}))

/** Whether an agent's words claim a permission it cannot give itself. The claim raises; it never lowers. */
export function claimsApproval(call: FrozenCall): boolean {
  if (isClaim(call.said ?? '')) return true
  // A command's words are judged as a command.
  return call.descriptor.command === undefined && texts(call.args).some(isClaim)
}

/** One word of every claim. In plain ASCII it stands there as it is spelled, but for its case. */
const HINTS = new RegExp(
  [...STEMS, ...CLAIMS.filter((claim) => !STEMS.some((stem) => claim.includes(stem))).map(longestWord)].join('|'),
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
