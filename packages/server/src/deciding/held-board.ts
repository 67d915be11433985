import type { HeldCallView, PastCall, Receipt, SignedDecision } from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import type { Workspaces } from '../workspaces.ts'

/** Calls shown at once: as many as the store holds at most. */
const MOST = 10_000

/** What is held on the store, by any process, and the way to decide it. */
export interface HeldBoard {
  /** Soonest deadline first. */
  list(): Promise<readonly HeldCallView[]>
  view(id: string): Promise<HeldCallView | undefined>
  past(id: string): Promise<PastCall | undefined>
  decide(id: string, signed: SignedDecision): Promise<Receipt>
  /** The name behind an approver's id, or the word itself. */
  nameOf(by: string | null): Promise<string | null>
}

/**
 * The board over a desk that belongs to no workspace. A call that an asker of this process holds is decided through the
 * gate that holds it, which wakes the asker at once; any other through the store.
 */
export function createHeldBoard({ desk, ports }: OpenedGate, workspaces: Workspaces): HeldBoard {
  /** Opened once per request: its digests were computed again, and never change. Bounded by what is held. */
  let known = new Map<string, HeldCallView>()
  const deskOf = (id: string) => workspaces.deskOf(id) ?? desk

  async function view(id: string): Promise<HeldCallView | undefined> {
    return deskOf(id).view(id)
  }

  return {
    view,
    past: (id) => desk.past(id),
    async list() {
      const rows = await ports.store.calls({ state: 'held', limit: MOST })
      const next = new Map<string, HeldCallView>()
      const soonest = rows.toSorted((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0))
      for (const { id, requestDigest } of soonest) {
        const found = requestDigest === null ? undefined : (known.get(requestDigest) ?? (await view(id)))
        if (found !== undefined) next.set(found.requestDigest, found)
      }
      known = next
      return [...next.values()]
    },
    async decide(id, signed) {
      const receipt = await deskOf(id).decide(id, signed)
      return { ...receipt, by: await nameOf(receipt.by) }
    },
    nameOf,
  }

  async function nameOf(by: string | null): Promise<string | null> {
    if (by === null) return null
    return (await ports.approvers.find(by).catch(() => undefined))?.name ?? by
  }
}
