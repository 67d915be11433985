import { parseEntry } from '../../journal/entry.ts'
import type { Store } from '../../ports/store.ts'

const PAGE = 1000

/**
 * What the journal says of standing grants. Their rows can be edited: uses set back, a revocation taken out. The journal
 * cannot, without showing. SECURITY: A11, a grant counts only as far as both agree.
 */
export interface GrantLedger {
  /** Reads on to the end of the journal, so that everything after entry `after` is known. */
  catchUp(after: number): Promise<void>
  /** False when something that was written after entry `after` is not known. */
  knows(after: number): boolean
  used(id: string): number
  isRevoked(id: string): boolean
}

export function createGrantLedger(store: Store): GrantLedger {
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

  /** One after the other: two readers at once would count the same use twice. */
  let turn = Promise.resolve()

  return {
    catchUp(after) {
      const mine = turn.then(() => readOn(after))
      turn = mine.catch(() => {}) // whoever asked hears of it; the next one reads again
      return mine
    },
    knows: (after) => after >= from,
    used: (id) => uses.get(id) ?? 0,
    isRevoked: (id) => revoked.has(id),
  }
}
