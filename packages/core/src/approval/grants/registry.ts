import { CountersignError } from '../../errors.ts'
import { gateEntry } from '../../journal/entry.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { StoredGrant } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { isUpheld, keyOf, openGrant, ownerOf } from './signed-grant.ts'

/** A grant as the desk lists it, with how often it was used. */
export interface GivenGrant extends Grant {
  readonly uses: number
  /** The call it was given for; what that call was is in the journal. */
  readonly call: string | null
}

/** Standing permissions: listed and revoked. */
export interface Grants {
  list(): Promise<readonly GivenGrant[]>
  /** Ends a grant at once. Throws CS_GRANT_UNKNOWN when there is none. */
  revoke(id: string, by: string): Promise<void>
  /** Ends every grant that this approver’s key gave. Returns how many could still be used. */
  revokeOf(key: string, by: string): Promise<number>
}

type Registry = Pick<GateContext, 'ports' | 'commit'>

/** The grants of one gate's store. */
export function givenGrants(context: Registry): Grants {
  return {
    list: () => listGrants(context),
    revoke: (id, by) => revokeGrant(id, by, context),
    revokeOf: (key, by) => endGrants((row) => keyOf(row) === key, by, context),
  }
}

async function listGrants({ ports }: Registry): Promise<readonly GivenGrant[]> {
  const given: GivenGrant[] = []
  for (const row of await ports.store.grants()) {
    const opened = openGrant(row, ports.clock.now(), ports)
    if (opened !== null && (await isUpheld(opened, ports)))
      given.push({ ...opened.grant, uses: row.uses, call: callOf(row) })
  }
  return given
}

function callOf({ decision }: StoredGrant): string | null {
  const { signed } = JSON.parse(decision) as { readonly signed?: { readonly held?: unknown } }
  return typeof signed?.held === 'string' ? signed.held : null
}

async function revokeGrant(id: string, by: string, { ports, commit }: Registry): Promise<void> {
  const now = ports.clock.now()
  const entries = [gateEntry('grant-revoked', now, { grant: id, by })]
  const committed = await commit({ entries, revokeGrant: { id, at: now }, durable: true })
  if (committed.kind === 'committed') return
  const message = `no active grant \`${id}\`; list them with \`countersign grants list\``
  throw new CountersignError('CS_GRANT_UNKNOWN', message)
}

const SESSION_ENDED = 'the end of its session'

/** Ends the grants of a session that is over. */
export function endSessionGrants(session: string, context: Registry): Promise<number> {
  return endGrants((row) => row.session === session, SESSION_ENDED, context)
}

/** Ends the grants of sessions whose process is gone. */
export function sweepGrants(context: Registry): Promise<number> {
  const { owners } = context.ports
  return endGrants((row) => row.session !== null && !owners.isAlive(ownerOf(row)), SESSION_ENDED, context)
}

/** Ends every matching grant. Only one that could still be used gets an entry. */
async function endGrants(
  matches: (row: StoredGrant) => boolean,
  by: string,
  { ports, commit }: Registry,
): Promise<number> {
  const at = ports.clock.now()
  let ended = 0
  for (const row of await ports.store.grants()) {
    if (row.revokedAt !== null || !matches(row)) continue
    const isUsable = openGrant(row, at, ports) !== null
    const entries = isUsable ? [gateEntry('grant-revoked', at, { grant: row.id, by })] : []
    const committed = await commit({ entries, revokeGrant: { id: row.id, at }, durable: isUsable })
    if (isUsable && committed.kind === 'committed') ended += 1
  }
  return ended
}
