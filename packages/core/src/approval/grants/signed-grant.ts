import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'
import type { Grant, GrantLifetime, GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'
import { supervisionRank } from '../../policy/model/supervision.ts'
import type { Verdict } from '../../policy/model/verdict.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Ports } from '../../ports/ports.ts'
import type { StoredGrant } from '../../ports/store.ts'
import type { SignedDecision } from '../decision/decision.ts'
import type { Judgement } from '../request/judgement.ts'
import type { GrantOffer } from '../request/view.ts'
import { patternWords } from './pattern-words.ts'

/**
 * The grants worth offering for a held call: each is tried, and one that would change nothing is not offered.
 * INVARIANT: a shell is never granted by tool name, and without a session only exact arguments for minutes.
 */
export function offerGrants(judgement: Judgement, judgeWith: (grant: Grant) => Verdict): readonly GrantOffer[] {
  const { call, safety } = judgement
  if (supervisionRank(safety.raise) >= supervisionRank('confirm')) return []
  return candidates(judgement).filter((offer) => {
    const trial = makeGrant(offer.scope, { kind: 'uses', uses: 1 }, call, {
      id: 'trial',
      by: 'trial',
      at: judgement.circumstances.now,
    })
    return supervisionRank(judgeWith(trial).supervision) < supervisionRank('confirm')
  })
}

function candidates({ call, risk }: Judgement): readonly GrantOffer[] {
  const minutes: OfferedLifetime = { kind: 'minutes', minutes: 10 }
  const session: readonly OfferedLifetime[] = call.session === null ? [] : [{ kind: 'session' }]
  const label = toolLabel(call.tool)
  const agent = [...call.agent.parents, call.agent.name].join(' › ')
  const exact: GrantOffer = {
    scope: { kind: 'exact', grantKey: call.grantKey },
    lifetimes: call.session === null ? [minutes] : [{ kind: 'uses', uses: 5 }, minutes, ...session],
    words: `\`${label}\` with exactly these arguments`,
  }
  if (call.session === null) return [exact]
  if (risk.parts.length > 0 || call.descriptor.kind === 'execute')
    return [exact, ...commandOffers(call, risk.parts, [minutes, ...session])]
  return [
    exact,
    {
      scope: { kind: 'tool', server: call.tool.server, tool: call.tool.name, definition: call.tool.definition },
      lifetimes: [minutes, ...session],
      // The grant is this agent's: a sub-agent of the same session asks for itself.
      words: `everything \`${label}\` does for \`${agent}\` in this session`,
    },
  ]
}

/** Only a program with verbs gives a pattern narrow enough to agree to: `git add …`, never `curl …`. */
function commandOffers(
  { tool, around }: FrozenCall,
  parts: Judgement['risk']['parts'],
  lifetimes: readonly OfferedLifetime[],
): readonly GrantOffer[] {
  const [only] = parts
  if (only === undefined || parts.length > 1 || around === null) return []
  const { program } = only.command
  const verb = wholeVerb(only.command)
  const options = program === null ? undefined : grantableOptions(program)
  if (program === null || options === undefined || verb === null) return []
  // SECURITY: A11 `git -C other add` and `kubectl --context prod get` are not what was shown.
  const leading = [...options.valued]
  const elsewhere = leading.length === 0 ? {} : { not: { command: { flags: leading } } }
  const when = { tool: [toolLabel(tool)], command: { program: [program], verb: [verb] }, ...elsewhere }
  const scope = { kind: 'pattern', when, around } as const
  return [{ scope, lifetimes, words: patternWords(scope) }]
}

/** The grant a signed decision gives, bound to the session and agent of the call it was given for. */
export function grantFrom(
  signed: SignedDecision,
  call: FrozenCall,
  by: string,
  at: number,
  crypto: Crypto,
): Grant | null {
  const given = signed.decision.grant
  if (given === undefined) return null
  const lifetime: GrantLifetime =
    given.lifetime.kind === 'minutes' ? { kind: 'until', at: at + given.lifetime.minutes * 60_000 } : given.lifetime
  return makeGrant(given.scope, lifetime, call, { id: crypto.randomId(), by, at })
}

function makeGrant(
  scope: GrantScope,
  lifetime: GrantLifetime,
  call: FrozenCall,
  given: { readonly id: string; readonly by: string; readonly at: number },
): Grant {
  const agent = [...call.agent.parents, call.agent.name]
  return { id: given.id, scope, lifetime, session: call.session, agent, givenBy: given.by, givenAt: given.at }
}

/** A grant as its row gives it. */
export interface OpenedGrant {
  readonly grant: Grant
  /** How long the journal was before it was given. */
  readonly after: number
  /** Id of the approver's key that gave it. */
  readonly key: string
  /** The process of its session: the grant ends with it. */
  readonly owner: string
}

type Keeper = Pick<Ports, 'crypto' | 'signer'>

/** SECURITY: A3 the gate signs the whole grant, so that a row written or widened in the database is no grant. */
export function storeGrant(given: OpenedGrant, signed: SignedDecision, signer: Ports['signer']): StoredGrant {
  const { grant, after, key, owner } = given
  const body = canonicalJson(grant as unknown as Json)
  const seal = signer.sign(grantMessage(body, given))
  return {
    id: grant.id,
    session: grant.session,
    body,
    decision: canonicalJson({ signed, after, key, owner, seal } as unknown as Json),
    uses: 0,
    maxUses: grant.lifetime.kind === 'uses' ? grant.lifetime.uses : null,
    expiresAt: grant.lifetime.kind === 'until' ? grant.lifetime.at : null,
    revokedAt: null,
  }
}

/** The grant in a stored row, or null when the row was not written by this gate or is used up. */
export function openGrant(row: StoredGrant, now: number, { crypto, signer }: Keeper): OpenedGrant | null {
  if (row.revokedAt !== null) return null
  if (row.maxUses !== null && row.uses >= row.maxUses) return null
  try {
    const { after, key, owner, seal } = JSON.parse(row.decision) as Omit<OpenedGrant, 'grant'> & { seal: string }
    if (!crypto.verify(signer.publicKey, grantMessage(row.body, { after, key, owner }), seal)) return null
    const grant = JSON.parse(row.body) as Grant
    if (grant.id !== row.id || (grant.lifetime.kind === 'uses' && row.maxUses !== grant.lifetime.uses)) return null
    return grant.lifetime.kind === 'until' && grant.lifetime.at <= now ? null : { grant, after, key, owner }
  } catch {
    return null
  }
}

/**
 * Whether those still stand whom a grant rests on: the process of its session, and the approver who gave it. SECURITY: A2,
 * what a key signed that is no longer enrolled counts for nothing, and a list that cannot be read enrols nobody.
 */
export async function isUpheld(
  { grant, key, owner }: OpenedGrant,
  { owners, approvers }: Pick<Ports, 'owners' | 'approvers'>,
): Promise<boolean> {
  if (grant.session !== null && !owners.isAlive(owner)) return false
  try {
    return (await approvers.find(key))?.id === key
  } catch {
    return false
  }
}

/** The process that a row names. Only for what ends a grant: who edits it gains nothing. */
export function ownerOf(row: StoredGrant): string {
  return fieldOf(row, 'owner')
}

/** The key that a row names, with the same reserve. */
export function keyOf(row: StoredGrant): string {
  return fieldOf(row, 'key')
}

function fieldOf({ decision }: StoredGrant, name: 'owner' | 'key'): string {
  try {
    const value = (JSON.parse(decision) as { readonly [field: string]: unknown })[name]
    return typeof value === 'string' ? value : ''
  } catch {
    return ''
  }
}

function grantMessage(body: string, { after, key, owner }: Omit<OpenedGrant, 'grant'>): string {
  return `countersign/grant/v2\n${canonicalJson({ after, key, owner })}\n${body}`
}
