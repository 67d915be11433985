import { objectsIn } from '../../call/describe/guess.ts'
import { hasLookAlikes } from '../../call/names/lookalikes.ts'
import { nameWords } from '../../call/names/words.ts'
import { type LocatedPath, locate, type RiskCircumstances } from '../path/located-path.ts'
import { callUses } from '../path/paths-to-resolve.ts'
import { ratePath } from '../path/rate-path.ts'
import { requestOf } from '../query/http-request.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { asksForDryRun } from './environment-and-flags.ts'
import { rateScale } from './magnitude.ts'
import { rateSmallMark } from './minor-effects.ts'
import { rateKind } from './rate-kind.ts'
import { rateGuess } from './undescribed-tool.ts'

/**
 * Whether a server that a person trusts says that a tool nobody described only reads. Nothing else that a server says
 * lowers a level.
 */
function isTrustedRead({ tool, annotations, descriptor, source }: RatedCall, now: RiskCircumstances): boolean {
  if (source !== 'mcp' || tool.server === null || descriptor.source !== 'nobody') return false
  return annotations?.readOnlyHint === true && now.trustedServers?.has(tool.server) === true
}

const LOOK_ALIKE = finding(
  'high',
  'tool.look-alike',
  'the name of the tool or of its server has letters that pass for others',
  'unknown',
)
const NO_PATHS: readonly LocatedPath[] = []
const NOTHING: readonly RiskFinding[] = []

/** The path of a request, which is none of a file; only of a tool that is named after requests. */
function routeOf(call: RatedCall): string | undefined {
  if (call.descriptor.source !== 'guessed' && call.descriptor.source !== 'nobody') return undefined
  const named = nameWords(call.tool.name).some((word) => /^(?:https?|request|api|rest|curl|rpc|endpoint)$/.test(word))
  return named ? requestOf(call)?.urls[0] : undefined
}

/** Locates the paths a call names itself, outside of a command. */
export function callPaths(call: RatedCall, now: RiskCircumstances): readonly LocatedPath[] {
  if (call.descriptor.paths === undefined) return NO_PATHS
  const kind = isTrustedRead(call, now) ? 'read' : call.descriptor.kind
  const route = routeOf(call)
  return callUses(call, kind).flatMap(({ given, use }) =>
    given === route ? [] : [locate({ given, lookup: given, glob: false, use, soft: false }, '', call.cwd, now)],
  )
}

/**
 * Rates a call by its tool: by the kind that a registration or the table of known tools gives, otherwise by its name,
 * its arguments and what they hold; then by its paths and its scale. `runs` says that its command is rated apart.
 */
export function rateTool(
  call: RatedCall,
  paths: readonly LocatedPath[],
  now: RiskCircumstances,
  runs: boolean,
  depth = 0,
): readonly RiskFinding[] {
  const { source } = call.descriptor
  const isGuess = source === 'guessed' || source === 'nobody'
  // A shell that is known by its name is its command and nothing more.
  if (runs && !isGuess) return NOTHING
  const objects = objectsIn(call.args)
  const dry = isGuess && asksForDryRun(objects)
  const rateInner = (inner: RatedCall, innerRuns: boolean) =>
    rateTool(inner, callPaths(inner, now), now, innerRuns, depth + 1)
  const trusted = isTrustedRead(call, now)
  const found: RiskFinding[] = isGuess
    ? [...rateGuess({ call, objects, paths, now, runs, dry, depth, trusted, rateInner })]
    : [...rateKind(call, paths)]
  if (isGuess && (hasLookAlikes(call.tool.name) || hasLookAlikes(call.tool.server ?? ''))) found.push(LOOK_ALIKE)
  const spare = isGuess || source === 'known' ? rateSmallMark(call, paths) : null
  if (spare !== null) return found.includes(LOOK_ALIKE) ? [spare, LOOK_ALIKE] : [spare]
  for (const path of paths) {
    const one = ratePath(path, now.places)
    if (one !== null) found.push(one)
    if (path.place === 'credentials' && call.descriptor.kind === 'send')
      found.push(finding('critical', 'path.send-credentials', `sends credentials at \`${path.given}\` to others`))
  }
  if (!dry) found.push(...rateScale(call, objects, found, now))
  return found
}

/**
 * What an MCP server says of its tool may only raise, and silence counts as the worst it could mean.
 */
export function rateAnnotations(call: RatedCall, rated: readonly RiskFinding[]): RiskFinding | null {
  const hints = call.annotations
  if (hints?.destructiveHint === true && hints.readOnlyHint !== true) {
    if (isPlainWrite(rated) || asksForDryRun(objectsIn(call.args)))
      return finding('medium', 'tool.destructive', 'its server says that it may overwrite')
    return finding('high', 'tool.destructive', 'its server says that it destroys')
  }
  if (hints?.readOnlyHint === false && call.descriptor.kind === 'read')
    return finding('medium', 'tool.not-read-only', 'its server says that it does more than read')
  if (call.source !== 'mcp' || hints?.readOnlyHint === true) return null
  const seen = call.descriptor.kind === 'read' || call.descriptor.command !== undefined || rated.some(isSeenRead)
  const reads = seen && rated.every(({ level }) => riskRank(level) <= riskRank('low'))
  return reads ? null : finding('medium', 'tool.unannotated', 'its server does not say what it does')
}

/** What it does was seen and only reads: by its name, or SQL, GraphQL, requests or calls inside it. */
function isSeenRead({ rule }: RiskFinding): boolean {
  return SEEN_READS.has(rule)
}

const SEEN_READS: ReadonlySet<string> = new Set(
  'sql.read cypher.read graphql.query store.read tool.read tool.scratch tool.folder network.fetch network.search'.split(
    ' ',
  ),
)

/** Everything found is a write to a named place in the workspace: overwriting is what `destructive` means there. */
function isPlainWrite(rated: readonly RiskFinding[]): boolean {
  const named = rated.some(({ rule }) => rule === 'path.write-workspace' || rule === 'path.write-temporary')
  return named && rated.every(({ level }) => riskRank(level) <= riskRank('medium'))
}
