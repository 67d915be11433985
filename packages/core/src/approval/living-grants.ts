import type { Grant } from '../policy/grant.ts'
import type { Ports } from '../ports/ports.ts'
import { openGrant } from './grants.ts'

/** Grants that may count now. Rows are read again only after something was written. */
export interface LivingGrants {
  of(session: string | null): Promise<readonly Grant[]>
  /** This process wrote a grant, used one, or revoked one. */
  stale(): void
}

export function createLivingGrants(ports: Ports): LivingGrants {
  let seen = Number.NaN
  let grants: readonly Grant[] = []
  return {
    stale() {
      seen = Number.NaN
    },
    async of(session) {
      const version = ports.store.version()
      if (version !== seen) {
        const now = ports.clock.now()
        const rows = await ports.store.grants()
        grants = rows.flatMap((row) => openGrant(row, now, ports.crypto, ports.signer) ?? [])
        seen = version
      }
      if (grants.length === 0) return NONE
      const now = ports.clock.now()
      return grants.filter(
        (grant) => grant.session === session && !(grant.lifetime.kind === 'until' && grant.lifetime.at <= now),
      )
    },
  }
}

const NONE: readonly Grant[] = []
