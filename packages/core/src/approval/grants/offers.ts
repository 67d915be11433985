import { isThisMachine } from '../../call/address/classify.ts'
import { hostText, readHostPattern } from '../../call/address/host-pattern.ts'
import { inSession, insideSandbox } from '../../call/freeze/freeze-call.ts'
import { toolLabel } from '../../call/tool.ts'
import {
  NO_BOUNDS,
  type RuleBounds,
  type SandboxException,
  type SandboxRefusal,
} from '../../policy/model/containment.ts'
import type { Grant, OfferedLifetime } from '../../policy/model/grant.ts'
import { supervisionRank } from '../../policy/model/supervision.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Judgement } from '../request/judgement.ts'
import type { GrantOffer } from '../request/view.ts'
import { commandOffers } from './command-offers.ts'
import { exceptionText, repeatWords } from './exception-words.ts'
import { networkWords } from './grant-words.ts'
import { narrowOffers } from './narrow-offers.ts'
import { neededBounds } from './needed-bounds.ts'
import { withRule } from './rule-offers.ts'
import { makeGrant } from './signed-grant.ts'

/**
 * The grants worth offering for a held call: each is tried, and one that would change nothing is left out.
 * INVARIANT: a shell is never granted by tool name, and without a session only exact arguments and hosts for minutes are;
 * the rules of other scopes are offered all the same.
 */
export function offerGrants(
  judgement: Judgement,
  refused: readonly SandboxRefusal[],
  judgeWith: (judgement: Judgement, grant: Grant) => Verdict,
): readonly GrantOffer[] {
  const { call, safety } = judgement
  if (supervisionRank(safety.raise) >= supervisionRank('confirm')) return []
  const offers = candidates(judgement).flatMap((offer) => {
    const isRuleOnly = offer.lifetimes.length === 0
    const tried = isRuleOnly ? { ...judgement, call: inSession(call, 'trial') } : judgement
    const verdict = judgeWith(tried, trialOf(offer, tried))
    if (!isUnasked(verdict) || !isWorking(offer, verdict, judgement)) return []
    const shown = withRule(
      { ...offer, words: `${offer.words}${call.containable ? repeatWords(verdict) : ''}` },
      judgement,
    )
    return isRuleOnly && shown.always === undefined ? [] : [shown]
  })
  // An exception is tried on the same call inside the sandbox, where it would run.
  const inside = { ...judgement, call: insideSandbox(call) }
  const exceptions = exceptionOffers(judgement, refused).flatMap((offer) => {
    const verdict = judgeWith(inside, trialOf(offer, judgement))
    return isUnasked(verdict) && verdict.contain != null ? [{ ...offer, contain: verdict.contain }] : []
  })
  return [...exceptions, ...offers]
}

function isUnasked({ supervision }: Verdict): boolean {
  return supervisionRank(supervision) < supervisionRank('confirm')
}

/** A pattern whose repeats would fail in the sandbox is worse than none. */
function isWorking({ scope }: GrantOffer, { contain }: Verdict, judgement: Judgement): boolean {
  return scope.kind !== 'pattern' || contain == null || neededBy(judgement) !== null
}

function neededBy({ risk, circumstances }: Judgement): RuleBounds | null {
  const [only] = risk.parts
  return only === undefined ? null : neededBounds(only, circumstances.places)
}

function trialOf(offer: GrantOffer, { call, circumstances, verdict }: Judgement): Grant {
  const shown = { call, contain: verdict.contain ?? null }
  return makeGrant(offer, { kind: 'uses', uses: 1 }, shown, { id: 'trial', by: 'trial', at: circumstances.now })
}

function candidates(judgement: Judgement): readonly GrantOffer[] {
  const { call, risk } = judgement
  const minutes: OfferedLifetime = { kind: 'minutes', minutes: 10 }
  const session: readonly OfferedLifetime[] = call.session === null ? [] : [{ kind: 'session' }]
  const during = (...lifetimes: readonly OfferedLifetime[]) => (call.session === null ? [] : lifetimes)
  const uses: OfferedLifetime = { kind: 'uses', uses: 5 }
  const label = toolLabel(call.tool)
  const agent = [...call.agent.parents, call.agent.name].join(' › ')
  const exact: GrantOffer = {
    scope: { kind: 'exact', grantKey: call.grantKey },
    lifetimes: call.session === null ? [minutes] : [uses, minutes, ...session],
    words: `\`${label}\` with exactly these arguments`,
  }
  const hosts = hostOffers(risk.hosts, [...session, minutes])
  if (risk.parts.length > 0 || call.descriptor.kind === 'execute')
    return [
      exact,
      ...hosts,
      ...commandOffers(call, risk.parts, during(minutes, ...session), neededBy(judgement) ?? undefined),
    ]
  return [
    exact,
    ...hosts,
    ...narrowOffers(call, risk, during(uses, minutes, ...session)),
    {
      scope: { kind: 'tool', server: call.tool.server, tool: call.tool.name, definition: call.tool.definition },
      lifetimes: during(minutes, ...session),
      // The grant belongs to this agent: a sub-agent of the same session asks for itself.
      words: `everything \`${label}\` does for \`${agent}\` in this session`,
    },
  ]
}

/**
 * What the last run in the sandbox lacked: a host for everything in this session, a folder for this command only. Without
 * a session they last for minutes.
 */
function exceptionOffers({ call, risk }: Judgement, refused: readonly SandboxRefusal[]): readonly GrantOffer[] {
  const minutes: OfferedLifetime = { kind: 'minutes', minutes: 10 }
  const lifetimes: readonly OfferedLifetime[] = call.session === null ? [minutes] : [{ kind: 'session' }, minutes]
  const exact = { kind: 'exact', grantKey: call.grantKey } as const
  const patterns = call.session === null ? [] : commandOffers(call, risk.parts, lifetimes)
  return exceptionsIn(refused).flatMap(({ use, name }): readonly GrantOffer[] => {
    const bounds = { ...NO_BOUNDS, [use]: [name] }
    if (use === 'network') {
      const scope = hostScope(name)
      if (scope === null) return []
      const words = `${networkWords(scope)} from the sandbox, where this command then runs`
      return [{ scope, lifetimes, words, bounds }]
    }
    const where = exceptionText(bounds)
    return [
      { scope: exact, lifetimes, words: `\`${toolLabel(call.tool)}\` with exactly these arguments, ${where}`, bounds },
      ...patterns.map((offer) => ({ ...offer, words: `${offer.words}, ${where}`, bounds })),
    ]
  })
}

/** Each exception once: several files may be in one folder. */
function exceptionsIn(refused: readonly SandboxRefusal[]): readonly SandboxException[] {
  const found = refused.flatMap(({ exception }) => exception ?? [])
  return [...new Map(found.map((one) => [`${one.use} ${one.name}`, one])).values()]
}

function hostScope(text: string): NetworkScope | null {
  const pattern = readHostPattern(text)
  if (pattern === null || pattern.host.includes('*') || isThisMachine(pattern.host)) return null
  return { kind: 'network', host: pattern.host, ...(pattern.port === null ? {} : { port: pattern.port }) }
}

/** The hosts of the call, one by one: those that a grant alone would not let through are left out later. */
function hostOffers(hosts: Judgement['risk']['hosts'], lifetimes: readonly OfferedLifetime[]): readonly GrantOffer[] {
  const scopes = new Map<string, NetworkScope>()
  for (const { host, port } of hosts) {
    if (host === null || isThisMachine(host)) continue
    const isUsual = port === null || hostText(host, port) === hostText(host)
    scopes.set(hostText(host, port), { kind: 'network', host, ...(isUsual ? {} : { port }) })
  }
  return [...scopes.values()].slice(0, MOST_HOSTS).map((scope) => ({ scope, lifetimes, words: networkWords(scope) }))
}

type NetworkScope = Extract<GrantOffer['scope'], { readonly kind: 'network' }>

const MOST_HOSTS = 8
