import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import type { Desk, HeldCallView, Json, PastCall, Receipt, SignedDecision, StoredCall } from '@countersign/core'
import type { OpenedGate } from '@countersign/node'
import type { Workspaces } from '../../gates/workspace-gates.ts'
import { type HeldLine, MAX_LIST_BYTES, MAX_WHOLE_BYTES, type WrittenHeld, writeHeld } from './held-call-json.ts'

/** Calls shown at once: as many as the store holds at most. */
const MOST = 10_000
/** Calls opened side by side, until one of them is large: a distant store reads their rows together. INVARIANT: L10. */
const OPENED_AT_ONCE = 8

/** What is held on the store, by any process, and the way to decide it. */
export interface HeldBoard {
  /** Soonest deadline first: whole while they are small and few, then in short. */
  list(): Promise<readonly HeldLine[]>
  view(id: string): Promise<HeldCallView | undefined>
  /** The definition of a held call's tool, with its schema; null when there is none to show. */
  definition(id: string): Promise<Json | null>
  past(id: string): Promise<PastCall | undefined>
  decide(id: string, signed: SignedDecision, isRecorded?: () => boolean): Promise<Receipt>
  /** The name behind an approver's id, or the word itself. */
  nameOf(by: string | null): Promise<string | null>
}

/**
 * The board over a desk that belongs to no workspace. A call that an asker of this process waits for is decided through
 * the gate that holds it, which wakes the asker at once; any other through the store.
 */
export function createHeldBoard(
  { desk, ports }: Pick<OpenedGate, 'desk' | 'ports'>,
  workspaces: Pick<Workspaces, 'deskOf'>,
): HeldBoard {
  /** Opened once per request: its digests were computed again, and never change. INVARIANT: L10, as much as a list carries. */
  let known = new Map<string, WrittenHeld>()

  /** The gate that holds a call spares opening its row; where it cannot be read, the store tells the same. */
  async function nearest<T>(id: string, read: (desk: Desk) => Promise<T>): Promise<T> {
    const near = workspaces.deskOf(id)
    return near === undefined ? read(desk) : read(near).catch(() => read(desk))
  }

  const view = (id: string) => nearest(id, (one) => one.view(id))

  /** One call that cannot be read is left out: the others are shown all the same. */
  async function open(id: string): Promise<WrittenHeld | undefined> {
    const found = await view(id).catch(() => undefined)
    if (found === undefined) return undefined
    const written = writeHeld(found)
    if (written.whole === null) await turnOfTheLoop() // large ones take their time, and others wait for theirs
    return written
  }

  /** `left` bytes of the list are not taken yet. */
  async function openUnlessKnown({ id, requestDigest }: StoredCall, left: number): Promise<WrittenHeld | undefined> {
    if (requestDigest === null) return undefined
    const before = known.get(requestDigest)
    const isWanted = before === undefined || (before.whole === null && fits(before, left))
    return isWanted ? open(id) : before
  }

  return {
    view,
    definition: (id) => nearest(id, (one) => one.definition(id)),
    past: (id) => desk.past(id),
    async list() {
      const rows = await ports.store.calls({ state: 'held', limit: MOST, unsealed: true })
      const next = new Map<string, WrittenHeld>()
      const lines: HeldLine[] = []
      let left = MAX_LIST_BYTES
      const sorted = rows.toSorted(byDeadline)
      let together = OPENED_AT_ONCE
      for (let at = 0, end = 0; at < sorted.length; at = end) {
        end = at + together
        const written = await Promise.all(sorted.slice(at, end).map((row) => openUnlessKnown(row, left)))
        for (const one of written) {
          if (one === undefined || next.has(one.requestDigest)) continue
          if (one.bytes > MAX_WHOLE_BYTES) together = 1
          const whole = fits(one, left) ? one.whole : null
          if (whole !== null) left -= one.bytes
          next.set(one.requestDigest, { ...one, whole })
          lines.push({ session: one.session, json: whole ?? one.short })
        }
      }
      known = next
      return lines
    },
    async decide(id, signed, isRecorded) {
      const receipt = await (workspaces.deskOf(id) ?? desk).decide(id, signed, isRecorded)
      if (receipt.accepted) return receipt // it has the name already, and the caller it let go of is not to wait for a look
      return { ...receipt, by: await nameOf(receipt.by) }
    },
    nameOf,
  }

  async function nameOf(by: string | null): Promise<string | null> {
    if (by === null) return null
    try {
      return (await ports.approvers.find(by))?.name ?? by
    } catch {
      return by
    }
  }
}

function fits({ bytes }: WrittenHeld, left: number): boolean {
  return bytes <= MAX_WHOLE_BYTES && bytes <= left
}

function byDeadline(a: StoredCall, b: StoredCall): number {
  return (a.expiresAt ?? 0) - (b.expiresAt ?? 0)
}
