import type { Grant } from '../../policy/model/grant.ts'
import type { Ports } from '../../ports/ports.ts'
import { isUpheld, type OpenedGrant, openGrant } from './signed-grant.ts'
import { createGrantLedger } from './usage-ledger.ts'

/** Grants that may count now. Rows are read again only after something was written. */
export interface ActiveGrants {
  of(session: string | null): Promise<readonly Grant[]>
  /** This process wrote a grant, used one, or revoked one. */
  invalidate(): void
}

export function createActiveGrants(ports: Ports): ActiveGrants {
  const { clock, owners, store } = ports
  const ledger = createGrantLedger(store)
  /** When a grant for minutes ends, by the clock that cannot be set back. */
  const ends = new Map<string, number>()
  let seen = Number.NaN
  let asked = 0
  let opened: readonly OpenedGrant[] = []

  async function read(): Promise<void> {
    const version = store.version()
    if (version === seen) return
    const before = asked
    const now = clock.now()
    const rows = await store.grants()
    // What was given in sessions of other processes, who knows how long ago, speaks for nobody here.
    opened = rows
      .flatMap((row) => openGrant(row, now, ports) ?? [])
      .filter(({ grant, owner }) => grant.session === null || owner === owners.self)
    if (opened.length > 0) await ledger.catchUp(Math.min(...opened.map(({ after }) => after)))
    if (asked === before) seen = version // else what was asked for meanwhile may not be in it
  }

  function isAlive({ grant, after }: OpenedGrant): boolean {
    const { id, lifetime, givenAt } = grant
    if (!ledger.knows(after) || ledger.isRevoked(id)) return false
    if (lifetime.kind === 'uses') return ledger.used(id) < lifetime.uses
    if (lifetime.kind === 'session') return true
    const now = clock.now()
    // SECURITY: A33 a wall clock that was set back extends nothing.
    if (now < givenAt || now >= lifetime.at) return false
    const end = ends.get(id) ?? clock.monotonic() + (lifetime.at - now)
    ends.set(id, end)
    return clock.monotonic() < end
  }

  return {
    invalidate() {
      seen = Number.NaN
      asked += 1
    },
    async of(session) {
      await read()
      if (opened.length === 0) return NONE
      const alive = opened.filter((one) => one.grant.session === session && isAlive(one))
      const upheld = await Promise.all(alive.map((one) => isUpheld(one, ports)))
      return alive.flatMap(({ grant }, at) => (upheld[at] === true ? [grant] : []))
    },
  }
}

const NONE: readonly Grant[] = []
