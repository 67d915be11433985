import { gateEntry } from '../../journal/entry.ts'
import type { StoredGrant } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { openGrant, ownerOf } from './signed-grant.ts'

type Ender = Pick<GateContext, 'ports' | 'commit'>

const BY_END = 'the end of its session'

/** Ends what was given in a session that is over: nobody can use it again, and lists and stores are to be rid of it. */
export function endSessionGrants(session: string, context: Ender): Promise<number> {
  return endGrants((row) => row.session === session, BY_END, context)
}

/** The same for sessions whose process is gone. */
export function sweepGrants(context: Ender): Promise<number> {
  const { owners } = context.ports
  return endGrants((row) => row.session !== null && !owners.isAlive(ownerOf(row)), BY_END, context)
}

/** Ends every grant that this holds for. One that can still be used leaves an entry. */
export async function endGrants(
  isMeant: (row: StoredGrant) => boolean,
  by: string,
  { ports, commit }: Ender,
): Promise<number> {
  const at = ports.clock.now()
  let ended = 0
  for (const row of await ports.store.grants()) {
    if (row.revokedAt !== null || !isMeant(row)) continue
    const isLiving = openGrant(row, at, ports) !== null
    const entries = isLiving ? [gateEntry('grant-revoked', at, { grant: row.id, by })] : []
    const committed = await commit({ entries, revokeGrant: { id: row.id, at }, durable: isLiving })
    if (isLiving && committed.kind === 'committed') ended += 1
  }
  return ended
}
