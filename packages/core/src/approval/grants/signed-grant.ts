import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { Bounds } from '../../policy/model/containment.ts'
import type { Grant, GrantLifetime } from '../../policy/model/grant.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Ports } from '../../ports/ports.ts'
import type { StoredGrant } from '../../ports/store.ts'
import type { SignedDecision } from '../decision/decision.ts'

/** The grant in a signed decision, bound to the session, agent and sandbox of its call; null when it gives none. */
export function grantFrom(
  signed: SignedDecision,
  shown: ShownCall,
  by: string,
  at: number,
  crypto: Crypto,
): Grant | null {
  const given = signed.decision.grant
  if (given === undefined) return null
  const lifetime: GrantLifetime =
    given.lifetime.kind === 'minutes' ? { kind: 'until', at: at + given.lifetime.minutes * 60_000 } : given.lifetime
  return makeGrant(given, lifetime, shown, { id: crypto.randomId(), by, at })
}

/** The call on the card, and where it was to run. */
interface ShownCall {
  readonly call: FrozenCall
  readonly contain: Bounds | null
}

/** A grant for the session and agent of a call. */
export function makeGrant(
  { scope, bounds }: Pick<Grant, 'scope' | 'bounds'>,
  lifetime: GrantLifetime,
  { call, contain }: ShownCall,
  given: { readonly id: string; readonly by: string; readonly at: number },
): Grant {
  const agent = [...call.agent.parents, call.agent.name]
  const covered = bounds === undefined ? { scope } : { scope, bounds }
  const shown = contain === null ? {} : { contain }
  return {
    id: given.id,
    ...covered,
    ...shown,
    lifetime,
    session: call.session,
    agent,
    givenBy: given.by,
    givenAt: given.at,
  }
}

/** A grant read from its row. */
export interface OpenedGrant {
  readonly grant: Grant
  /** The size of the journal before it was given. */
  readonly after: number
  /** The id of the approver's key. */
  readonly key: string
  /** The process of its session: the grant ends with it. */
  readonly owner: string
}

type Keeper = Pick<Ports, 'crypto' | 'signer' | 'gates'>

/** The row of a grant. SECURITY: A3 the gate signs all of it: a row added or widened in the database does not count. */
export function storeGrant(given: OpenedGrant, signed: SignedDecision, signer: Ports['signer']): StoredGrant {
  const { grant, after, key, owner } = given
  const body = canonicalJson(grant as unknown as Json)
  const seal = signer.sign(grantMessage(body, given))
  return {
    id: grant.id,
    session: grant.session,
    body,
    decision: canonicalJson({ signed: withoutWords(signed), after, key, owner, seal } as unknown as Json),
    uses: 0,
    maxUses: grant.lifetime.kind === 'uses' ? grant.lifetime.uses : null,
    expiresAt: grant.lifetime.kind === 'until' ? grant.lifetime.at : null,
    revokedAt: null,
  }
}

/** SECURITY: A32 the row outlives the call: edited arguments and the approver's words may contain secrets. */
function withoutWords({ decision, ...signed }: SignedDecision): Json {
  const { edited: _, reason: __, ...rest } = decision
  return { ...signed, decision: rest } as unknown as Json
}

/** The grant in a row; null when no gate of this store wrote it, or it is revoked, used up or expired. */
export function openGrant(row: StoredGrant, now: number, { crypto, signer, gates }: Keeper): OpenedGrant | null {
  if (row.revokedAt !== null) return null
  if (row.maxUses !== null && row.uses >= row.maxUses) return null
  try {
    const { after, key, owner, seal } = JSON.parse(row.decision) as Omit<OpenedGrant, 'grant'> & { seal: string }
    const message = grantMessage(row.body, { after, key, owner })
    const keys = gates?.active() ?? [signer.publicKey]
    if (!keys.some((one) => crypto.verify(one, message, seal))) return null
    const grant = JSON.parse(row.body) as Grant
    if (grant.id !== row.id || (grant.lifetime.kind === 'uses' && row.maxUses !== grant.lifetime.uses)) return null
    return grant.lifetime.kind === 'until' && grant.lifetime.at <= now ? null : { grant, after, key, owner }
  } catch {
    return null
  }
}

/**
 * Whether the grant's process is alive and its approver still enrolled. SECURITY: A2, a grant by a removed key does not
 * count, and a list of approvers that cannot be read enrols nobody.
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

/** The process a row names, unverified: only used to end grants, so editing it gains nothing. */
export function ownerOf(row: StoredGrant): string {
  return fieldOf(row, 'owner')
}

/** The approver's key a row names, unverified like `ownerOf`. */
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
