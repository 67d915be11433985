import { objectsIn } from '../../call/describe/guess.ts'
import type { Kind } from '../../call/descriptor.ts'
import { hasLookAlikes } from '../../call/names/lookalikes.ts'
import { nameWords } from '../../call/names/words.ts'
import { findHostTool } from '../../knowledge/tools.ts'
import { type LocatedPath, locate, type RiskCircumstances } from '../path/located-path.ts'
import { callUses } from '../path/paths-to-resolve.ts'
import { ratePath } from '../path/rate-path.ts'
import { requestOf } from '../query/http-request.ts'
import { finding, type RiskFinding, sourced } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rating-input.ts'
import { boundActs, isTestPayment } from './bounded-acts.ts'
import { asksForDryRun } from './environment-and-flags.ts'
import { rateExtraArguments } from './extra-arguments.ts'
import { rateHiddenEffects } from './hidden-effects.ts'
import { rateMagnitude } from './magnitude.ts'
import { rateMinorEffect } from './minor-effects.ts'
import { withOwnRows } from './own-tools.ts'
import { rateKind } from './rate-kind.ts'
import { rateSentSecret } from './secrets.ts'
import { rateUndescribedTool } from './undescribed-tool.ts'

/** Whether a trusted server declares an undescribed tool read-only. No other statement of a server lowers a level. */
function isTrustedRead({ tool, annotations, descriptor, source }: RatedCall, now: RiskCircumstances): boolean {
  if (source !== 'mcp' || tool.server === null || descriptor.source !== 'nobody') return false
  return annotations?.readOnlyHint === true && now.trustedServers?.has(tool.server) === true
}

const LOOK_ALIKE = finding(
  'high',
  'tool.look-alike',
  'the name of the tool or its server contains look-alike letters',
  'unknown',
)
/** Kinds of described tools whose arguments leave this machine. */
const SENDING: ReadonlySet<Kind> = new Set<Kind>(['fetch', 'send', 'other', 'query'])
const NO_PATHS: readonly LocatedPath[] = []

/** The path of a request, which is not a file; only in tools named after requests. */
function routeOf(call: RatedCall): string | undefined {
  if (call.descriptor.source !== 'guessed' && call.descriptor.source !== 'nobody') return undefined
  const named = nameWords(call.tool.name).some((word) => /^(?:https?|request|api|rest|curl|rpc|endpoint)$/.test(word))
  return named ? requestOf(call)?.urls[0] : undefined
}

/** The folder of the call. */
const HERE = { cwd: '' }

/** Locates the paths that a call names outside its command. */
export function callPaths(call: RatedCall, now: RiskCircumstances): readonly LocatedPath[] {
  if (call.descriptor.paths === undefined) return NO_PATHS
  const kind = isTrustedRead(call, now) ? 'read' : call.descriptor.kind
  const route = routeOf(call)
  return callUses(call, kind).flatMap(({ given, use }) =>
    given === route ? [] : [locate({ given, lookup: given, glob: false, use, soft: false }, HERE, call.cwd, now)],
  )
}

/**
 * Rates a call by its tool: by its kind if a registration or the table of host tools gives one, otherwise by its name and
 * arguments; then by its paths and magnitude. `runs` means that its command is rated separately.
 */
export function rateTool(
  call: RatedCall,
  paths: readonly LocatedPath[],
  now: RiskCircumstances,
  runs: boolean,
  depth = 0,
): readonly RiskFinding[] {
  const { source } = call.descriptor
  const isGuess = source === 'guessed' || source === 'nobody' || source === 'own'
  const extra = rateExtraArguments(call, runs)
  // A known shell does nothing but run its command.
  if (runs && !isGuess) return now.knowledge === undefined ? extra : withOwnRows(extra, call, now, depth)
  const objects = objectsIn(call.args)
  const dry = isGuess && asksForDryRun(objects)
  const rateInner = (inner: RatedCall, innerRuns: boolean) =>
    rateTool(inner, callPaths(inner, now), now, innerRuns, depth + 1)
  const trusted = isTrustedRead(call, now)
  const builtin: readonly RiskFinding[] = isGuess
    ? rateUndescribedTool({ call, objects, paths, now, runs, dry, depth, trusted, rateInner })
    : [...rateKind(call, paths).map((one) => withHostRow(one, call)), ...extra]
  const bounded = isGuess ? boundActs(builtin, call, objects, now) : builtin
  const found = withOwnRows(
    isGuess ? [...bounded, ...rateHiddenEffects(call, objects, bounded, now)] : bounded,
    call,
    now,
    depth,
  )
  if (!isGuess && SENDING.has(call.descriptor.kind)) {
    const sent = rateSentSecret(call)
    if (sent !== null) found.push(sent)
  }
  if (isGuess && (hasLookAlikes(call.tool.name) || hasLookAlikes(call.tool.server ?? ''))) found.push(LOOK_ALIKE)
  const isTaught = found.some(isOwn)
  const spare = (isGuess || source === 'known') && !isTaught ? rateMinorEffect(call, paths) : null
  // A minor effect explains away neither a deceptive name nor a credential among the arguments.
  if (spare !== null) return [spare, ...found.filter((one) => one === LOOK_ALIKE || one.rule.startsWith('secret.'))]
  for (const path of paths) {
    if (isGuess && isRepository(call, path.given)) continue
    const one = ratePath(path, now.places)
    if (one !== null) found.push(one)
    if (path.place === 'credentials' && call.descriptor.kind === 'send')
      found.push(finding('critical', 'path.send-credentials', `sends the credentials in \`${path.given}\` to others`))
  }
  if (!dry && !(isGuess && isTestPayment(found, objects))) found.push(...rateMagnitude(call, objects, found, now))
  return found
}

/** The repository that a tool of git works in: `git_reset { repo_path }` does not delete its folder. */
function isRepository({ tool, args }: RatedCall, given: string): boolean {
  if (!nameWords(tool.name).includes('git')) return false
  return [args['repo_path'], args['repoPath'], args['repository_path']].includes(given)
}

function isOwn({ source }: RiskFinding): boolean {
  return source?.layer !== undefined
}

/** Names the row of a host's tool. */
function withHostRow(found: RiskFinding, { tool, descriptor }: RatedCall): RiskFinding {
  const row = descriptor.source === 'known' ? findHostTool(tool.name) : undefined
  return row === undefined ? found : sourced(found, { file: 'knowledge/tools/host-tools.yaml', line: row.line })
}

/** Rates the annotations of an MCP server, which can only raise. A missing annotation counts as the worst value. */
export function rateAnnotations(call: RatedCall, rated: readonly RiskFinding[]): RiskFinding | null {
  const hints = call.annotations
  if (hints?.destructiveHint === true && hints.readOnlyHint !== true) {
    if (isPlainWrite(rated) || asksForDryRun(objectsIn(call.args)))
      return finding('medium', 'tool.destructive', 'its server declares that it may overwrite')
    return finding('high', 'tool.destructive', 'its server declares it destructive')
  }
  if (hints?.readOnlyHint === false && call.descriptor.kind === 'read')
    return finding('medium', 'tool.not-read-only', 'its server declares that it does more than read')
  if (call.source !== 'mcp' || hints?.readOnlyHint === true || call.descriptor.source === 'own') return null
  const seen = call.descriptor.kind === 'read' || call.descriptor.command !== undefined || rated.some(isSeenRead)
  const reads = seen && rated.every(({ level }) => riskRank(level) <= riskRank('low'))
  return reads ? null : finding('medium', 'tool.unannotated', 'its server doesn’t declare what it does')
}

/** A finding that shows a read, or a local effect of its own: by the name, SQL, GraphQL, a request or nested calls. */
function isSeenRead({ rule }: RiskFinding): boolean {
  return SEEN_READS.has(rule)
}

const SEEN_READS: ReadonlySet<string> = new Set(
  'sql.read cypher.read graphql.query store.read tool.read tool.scratch tool.folder tool.local-git tool.draft network.fetch network.search'.split(
    ' ',
  ),
)

/** Only writes to known places in the workspace, where `destructive` means overwriting. */
function isPlainWrite(rated: readonly RiskFinding[]): boolean {
  const named = rated.some(({ rule }) => rule === 'path.write-workspace' || rule === 'path.write-temporary')
  return named && rated.every(({ level }) => riskRank(level) <= riskRank('medium'))
}
