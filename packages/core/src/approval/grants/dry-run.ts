import { freezeCall } from '../../call/freeze/freeze-call.ts'
import { isJsonObject } from '../../call/json/json.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import { CountersignError } from '../../errors.ts'
import { subjectOf } from '../../journal/call-story.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { areFieldsSame, findNamingGrant, grantCovers, isAt, isReadable } from '../../policy/match/grant.ts'
import type { Grant, GrantScope } from '../../policy/model/grant.ts'
import type { Ports } from '../../ports/ports.ts'
import { WAITING_STATES } from '../../ports/store.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import { pastJudged } from '../history/journal-scan.ts'
import { levelOf, partsOf } from '../history/used-tools.ts'

/** How many past calls a grant would have covered. */
export interface WouldMatch {
  /** Up to three of them, newest first: a redacted line each. */
  readonly examples: readonly string[]
  /** A similar call that it would not have covered; null if there was none. */
  readonly nearMiss: string | null
  readonly matched: number
  /** The number of calls examined. */
  readonly of: number
  /** Matched calls of high or critical risk: a person would have been asked about them anyway. */
  readonly high: number
}

/** Lower than for the history, since each command is rated again. */
const MAX_ENTRIES = 5_000
const PAST = 'past'

/**
 * Tries a scope on past calls of any session and agent. Arguments are redacted in the journal, so a pattern over a secret
 * may match fewer: the result informs a person and decides nothing.
 */
export async function wouldMatch(
  scope: GrantScope,
  { store, crypto }: Pick<Ports, 'store' | 'crypto'>,
): Promise<WouldMatch> {
  if (!isReadable(scope))
    throw new CountersignError(
      'CS_GRANT_SCOPE',
      'the `when` of this pattern is not a policy condition; use a scope that is offered',
    )
  let [matched, of, high] = [0, 0, 0]
  const examples = new Set<string>()
  const missed: { readonly line: string; readonly near: number }[] = []
  // A call that waits now is what the person decides about, not what happened before. One that was judged again counts once.
  const waiting = await store.calls({ state: WAITING_STATES, limit: MAX_ENTRIES, unsealed: true })
  const known = new Set<string | null>(waiting.map(({ id }) => id))
  for await (const entry of pastJudged(store, MAX_ENTRIES)) {
    if (known.has(entry.call)) continue
    known.add(entry.call)
    of += 1
    if (!isCovered(entry, scope, crypto)) {
      const near = nearness(entry, scope)
      if (near > (missed.at(-1)?.near ?? 0)) missed.push({ line: lineOf(entry), near })
      continue
    }
    matched += 1
    if (examples.size < MOST_EXAMPLES) examples.add(lineOf(entry))
    const level = levelOf(entry['risk'])
    if (level === 'high' || level === 'critical') high += 1
  }
  const nearest = missed.findLast(({ line }) => !examples.has(line))
  return { matched, of, high, examples: [...examples], nearMiss: nearest?.line ?? null }
}

const MOST_EXAMPLES = 3

/** How much a call that is not covered has in common with the scope; 0 for nothing that teaches its limit. */
function nearness(entry: JournalEntry, scope: GrantScope): number {
  if (scope.kind === 'exact' || scope.kind === 'network' || scope.kind === 'server') return 0
  const { server, name } = partsOf(String(entry['tool']))
  if (scope.kind === 'tool') return server !== null && server === scope.server ? 1 : 0
  if (scope.kind !== 'pattern') return server === scope.server && name === scope.tool ? 1 : 0
  const when = scope.when as { readonly command?: { readonly program?: unknown; readonly verb?: unknown } }
  const named = [when.command?.program, when.command?.verb].flatMap((one) => one ?? []).join(' ')
  const words = subjectOf(entry).split(' ')
  const wanted = named.split(' ')
  const same = wanted.findIndex((word, at) => word !== words[at])
  return named === '' ? 0 : same === -1 ? wanted.length : same
}

function lineOf(entry: JournalEntry): string {
  return entry['does'] === 'execute' ? subjectOf(entry) : `${String(entry['tool'])} ${subjectOf(entry)}`
}

function isCovered(entry: JournalEntry, scope: GrantScope, crypto: Ports['crypto']): boolean {
  const { server, name } = partsOf(String(entry['tool']))
  if (scope.kind === 'exact') return entry['grantKey'] === scope.grantKey
  if (scope.kind === 'network') return isInPattern(entry, scope, { server, name }, crypto)
  if (entry['does'] === 'execute' && scope.kind !== 'pattern') return false
  if (scope.kind === 'server') return server === scope.server
  if (scope.kind === 'pattern') return isInPattern(entry, scope, { server, name }, crypto)
  if (server !== scope.server || name !== scope.tool || entry['definition'] !== scope.definition) return false
  if (scope.kind === 'tool') return true
  if (scope.kind === 'fields') return isJsonObject(entry['args']) && areFieldsSame(scope, entry['args'])
  const paths = realPaths(entry)
  const places = { workspace: scope.path, home: '', gate: '', temp: '' }
  return paths.length > 0 && paths.every((real) => isAt(scope, real, places))
}

/** Where the paths of a judged call led; null for one that was not known. */
function realPaths({ circumstances }: JournalEntry): readonly (string | null)[] {
  const paths = isJsonObject(circumstances) ? circumstances['paths'] : undefined
  if (!Array.isArray(paths)) return []
  return paths.map((path) => (Array.isArray(path) && typeof path[1] === 'string' ? path[1] : null))
}

/** Rebuilds the call from its entry and matches it with the code for grants. A call that cannot be rebuilt is not covered. */
function isInPattern(
  entry: JournalEntry,
  scope: GrantScope,
  { server, name }: ReturnType<typeof partsOf>,
  crypto: Ports['crypto'],
): boolean {
  const cwd = String(entry['cwd'])
  const places = { workspace: cwd, home: cwd, gate: cwd, temp: cwd }
  try {
    const tool = server === null ? { name } : { name, server }
    const call = freezeCall(
      { tool, args: entry['args'], source: server === null ? 'builtin' : 'mcp' },
      { crypto, session: PAST, cwd, newId: () => PAST },
    )
    const risk = rateRisk(call, decomposeCall(call), { places, resolved: new Map() })
    const grant: Grant = {
      id: PAST,
      scope,
      lifetime: { kind: 'session' },
      session: PAST,
      agent: [...call.agent.parents, call.agent.name],
      givenBy: PAST,
      givenAt: 0,
    }
    const circumstances = { now: entry.at, places, resolved: new Map<string, string>(), counters: {}, grants: [] }
    if (scope.kind !== 'network') return grantCovers(grant, call, risk, circumstances)
    const about = { call, risk, circumstances: { ...circumstances, grants: [grant] } }
    return risk.hosts.some((use) => findNamingGrant(about, use) !== null)
  } catch {
    return false
  }
}
