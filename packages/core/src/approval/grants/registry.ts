import { CountersignError } from '../../errors.ts'
import { gateEntry } from '../../journal/entry.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { StoredGrant } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { endGrants } from './revocation.ts'
import { isUpheld, keyOf, openGrant } from './signed-grant.ts'

/** A grant as the desk lists it, with how often it was used. */
export interface GivenGrant extends Grant {
  readonly uses: number
  /** The call it was given for. What it said is in the journal; the row alone proves nothing. */
  readonly call: string | null
}

/** Standing permissions: what was given, and how to take it back. */
export interface Grants {
  list(): Promise<readonly GivenGrant[]>
  /** Ends a grant at once. Throws CS_GRANT_UNKNOWN when there is none. */
  revoke(id: string, by: string): Promise<void>
  /** Ends every grant that this approver’s key gave, and tells how many could still be used. */
  revokeOf(key: string, by: string): Promise<number>
}

/** The grants of one gate's store. */
export function givenGrants(context: GateContext): Grants {
  return {
    list: () => listGrants(context),
    revoke: (id, by) => revokeGrant(id, by, context),
    revokeOf: (key, by) => endGrants((row) => keyOf(row) === key, by, context),
  }
}

async function listGrants(context: GateContext): Promise<readonly GivenGrant[]> {
  const { store, clock } = context.ports
  const given: GivenGrant[] = []
  for (const row of await store.grants()) {
    const opened = openGrant(row, clock.now(), context.ports)
    if (opened !== null && (await isUpheld(opened, context.ports)))
      given.push({ ...opened.grant, uses: row.uses, call: callOf(row) })
  }
  return given
}

function callOf({ decision }: StoredGrant): string | null {
  const { signed } = JSON.parse(decision) as { readonly signed?: { readonly held?: unknown } }
  return typeof signed?.held === 'string' ? signed.held : null
}

async function revokeGrant(id: string, by: string, context: GateContext): Promise<void> {
  const now = context.ports.clock.now()
  const committed = await context.commit({
    entries: [gateEntry('grant-revoked', now, { grant: id, by })],
    revokeGrant: { id, at: now },
    durable: true,
  })
  if (committed.kind === 'conflict') {
    throw new CountersignError(
      'CS_GRANT_UNKNOWN',
      `no living grant \`${id}\`; list them with \`countersign grants list\``,
    )
  }
}
