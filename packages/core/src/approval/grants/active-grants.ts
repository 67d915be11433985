import { parseEntry } from '../../journal/entry.ts'
import type { Grant } from '../../policy/model/grant.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Store } from '../../ports/store.ts'
import { isUpheld, type OpenedGrant, openGrant } from './signed-grant.ts'

/** The grants that count now. Rows are read again only after something was written. */
export interface ActiveGrants {
  of(session: string | null): Promise<readonly Grant[]>
  /** Must be called after this process added, used or revoked a grant. */
  invalidate(): void
}

const NONE: readonly Grant[] = []

/** `ownerOf` is the owner of a session that lives here; undefined for any other. */
export function createActiveGrants(ports: Ports, ownerOf: (session: string) => string | undefined): ActiveGrants {
  const { clock, store } = ports
  const ledger = createGrantLedger(store)
  /** When a grant for minutes ends, by the monotonic clock. */
  const ends = new Map<string, number>()
  let seen = Number.NaN
  let invalidations = 0
  let opened: readonly OpenedGrant[] = []

  async function read(): Promise<void> {
    const version = store.version()
    if (version === seen) return
    const before = invalidations
    const now = clock.now()
    const rows = await store.grants()
    // Grants of sessions that live elsewhere do not count here.
    opened = rows
      .flatMap((row) => openGrant(row, now, ports) ?? [])
      .filter(({ grant, owner }) => grant.session === null || owner === ownerOf(grant.session))
    if (opened.length > 0) await ledger.catchUp(Math.min(...opened.map(({ after }) => after)))
    if (invalidations === before) seen = version // otherwise a grant written meanwhile may be missing
  }

  function isActive({ grant, after }: OpenedGrant): boolean {
    const { id, lifetime, givenAt } = grant
    if (!ledger.knows(after) || ledger.isRevoked(id)) return false
    if (lifetime.kind === 'uses') return ledger.used(id) < lifetime.uses
    if (lifetime.kind === 'session') return true
    const now = clock.now()
    // SECURITY: A33 setting the wall clock back extends nothing.
    if (now < givenAt || now >= lifetime.at) return false
    const end = ends.get(id) ?? clock.monotonic() + (lifetime.at - now)
    ends.set(id, end)
    return clock.monotonic() < end
  }

  return {
    invalidate() {
      seen = Number.NaN
      invalidations += 1
    },
    async of(session) {
      await read()
      if (opened.length === 0) return NONE
      const active = opened.filter((one) => one.grant.session === session && isActive(one))
      const upheld = await Promise.all(active.map((one) => isUpheld(one, ports)))
      return active.flatMap(({ grant }, at) => (upheld[at] === true ? [grant] : []))
    },
  }
}

/**
 * Uses and revocations of grants according to the journal. Rows can be edited: uses set back, a revocation removed. The
 * journal cannot, without showing. SECURITY: A11, a grant counts only as far as both agree.
 */
interface GrantLedger {
  /** Reads on to the end of the journal, so that everything after entry `after` is known. */
  catchUp(after: number): Promise<void>
  /** Whether everything written after entry `after` is known. */
  knows(after: number): boolean
  used(id: string): number
  isRevoked(id: string): boolean
}

const PAGE = 1000

function createGrantLedger(store: Store): GrantLedger {
  const uses = new Map<string, number>()
  const revoked = new Set<string>()
  /** Entries from+1..to were read. */
  let from = Number.POSITIVE_INFINITY
  let to = 0

  function note(line: string): void {
    if (!line.includes('"kind":"grant-')) return
    const entry = parseEntry(line)
    const grant = entry?.['grant']
    if (typeof grant !== 'string') return
    if (entry?.kind === 'grant-used') uses.set(grant, (uses.get(grant) ?? 0) + 1)
    if (entry?.kind === 'grant-revoked') revoked.add(grant)
  }

  async function readOn(after: number): Promise<void> {
    const { size } = await store.head()
    const archived = (await store.spans()).at(-1)?.to ?? 0
    if (after < from) {
      uses.clear()
      revoked.clear()
      from = to = after
    }
    if (archived > to) from = to = archived
    while (to < size) {
      const page = await store.entries(to + 1, Math.min(size, to + PAGE))
      for (const entry of page) {
        if (entry.seq !== to + 1) break
        note(entry.line)
        to += 1
      }
      if (page.at(-1)?.seq !== to) from = Number.POSITIVE_INFINITY // a gap: nothing is certain any more
      if (from === Number.POSITIVE_INFINITY) return
    }
  }

  /** One reader at a time: two would count the same use twice. */
  let turn = Promise.resolve()

  return {
    catchUp(after) {
      const mine = turn.then(() => readOn(after))
      turn = mine.catch(() => {}) // reported to this caller; the next one reads again
      return mine
    },
    knows: (after) => after >= from,
    used: (id) => uses.get(id) ?? 0,
    isRevoked: (id) => revoked.has(id),
  }
}
