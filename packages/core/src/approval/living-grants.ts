import type { Grant } from '../policy/grant.ts'
import type { Ports } from '../ports/ports.ts'
import { createGrantLedger } from './grant-ledger.ts'
import { type OpenedGrant, openGrant } from './grants.ts'

/** Grants that may count now. Rows are read again only after something was written. */
export interface LivingGrants {
  of(session: string | null): Promise<readonly Grant[]>
  /** This process wrote a grant, used one, or revoked one. */
  stale(): void
}

export function createLivingGrants(ports: Ports): LivingGrants {
  const { clock, crypto, signer, store } = ports
  const ledger = createGrantLedger(store)
  /** When a grant for minutes ends, by the clock that cannot be set back. */
  const ends = new Map<string, number>()
  let seen = Number.NaN
  let opened: readonly OpenedGrant[] = []

  async function read(): Promise<void> {
    const version = store.version()
    if (version === seen) return
    const now = clock.now()
    const rows = await store.grants()
    opened = rows.flatMap((row) => openGrant(row, now, crypto, signer) ?? [])
    if (opened.length > 0) await ledger.catchUp(Math.min(...opened.map(({ after }) => after)))
    seen = version
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
    stale() {
      seen = Number.NaN
    },
    async of(session) {
      await read()
      if (opened.length === 0) return NONE
      return opened.flatMap((one) => (one.grant.session === session && isAlive(one) ? [one.grant] : []))
    },
  }
}

const NONE: readonly Grant[] = []
