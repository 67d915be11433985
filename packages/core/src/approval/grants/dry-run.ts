import { freezeCall } from '../../call/freeze/freeze-call.ts'
import { decomposeCall } from '../../command/decompose-call.ts'
import { CountersignError } from '../../errors.ts'
import type { JournalEntry } from '../../journal/entry.ts'
import { findNamingGrant, grantCovers, isReadable } from '../../policy/match/grant.ts'
import type { Grant, GrantScope } from '../../policy/model/grant.ts'
import type { Ports } from '../../ports/ports.ts'
import { rateRisk } from '../../risk/rate-risk.ts'
import { pastJudged } from '../history/journal-scan.ts'
import { levelOf, partsOf } from '../history/used-tools.ts'

/** How many past calls a grant would have covered. */
export interface WouldMatch {
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
  for await (const entry of pastJudged(store, MAX_ENTRIES)) {
    of += 1
    if (!isCovered(entry, scope, crypto)) continue
    matched += 1
    const level = levelOf(entry['risk'])
    if (level === 'high' || level === 'critical') high += 1
  }
  return { matched, of, high }
}

function isCovered(entry: JournalEntry, scope: GrantScope, crypto: Ports['crypto']): boolean {
  const { server, name } = partsOf(String(entry['tool']))
  if (scope.kind === 'exact') return entry['grantKey'] === scope.grantKey
  if (scope.kind === 'network') return isInPattern(entry, scope, { server, name }, crypto)
  if (entry['does'] === 'execute' && scope.kind !== 'pattern') return false
  if (scope.kind === 'server') return server === scope.server
  if (scope.kind === 'tool')
    return server === scope.server && name === scope.tool && entry['definition'] === scope.definition
  return isInPattern(entry, scope, { server, name }, crypto)
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
