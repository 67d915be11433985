import {
  appendLeaf,
  type CallMove,
  type Change,
  type Committed,
  CountersignError,
  type CounterUse,
  type Crypto,
  leafHash,
  type Span,
  type StoredCall,
  type StoredGrant,
} from '@countersign/core'
import { stored } from '../read/values.ts'
import { finite, timesOf, whole, wholeOrNull } from './checked-numbers.ts'
import { ALL, isWaiting, type Known, sessionKey, sumKey } from './known.ts'
import { GateListMoved, setRow, type Written, withoutUndefined } from './planned-rows.ts'
import type {
  CallRow,
  CounterRow,
  EntryRow,
  FileNote,
  GateListRow,
  RowsToWrite,
  SharedChange,
} from './rows-to-write.ts'

type Conflict = (Committed & { readonly kind: 'conflict' })['what']

/** One in so many places is kept for sessions without a waiting call: one asker with several sessions can't take them all. */
const NEWCOMERS = 10

/** Calls of up to this size are bounded by their number alone. */
const LIGHT_BYTES = 16 * 1024

const WHOLE_COLUMNS = ['openedAt', 'expiresAt', 'closedAt'] as const

/**
 * Plans changes in memory, in their order, from what was read under the lock. Each is atomic: one that conflicts or fails
 * leaves nothing behind, and the next ones see those before.
 */
export class Plan {
  readonly #known: Known
  readonly #crypto: Crypto
  readonly #undo: (() => void)[] = []
  readonly #entries: EntryRow[] = []
  readonly #opened = new Set<string>()
  readonly #moved = new Set<string>()
  readonly #held = new Map<string, { n: number; bytes: number }>()
  readonly #grantsAdded = new Set<string>()
  readonly #grantsChanged = new Set<string>()
  readonly #counters: CounterRow[] = []
  readonly #files: FileNote[] = []
  readonly #spans: Span[] = []
  readonly #gateLists: GateListRow[] = []
  #gates: number
  #size: number
  #frontier: string
  #archived: number
  #durable = false

  constructor(known: Known, crypto: Crypto) {
    this.#known = known
    this.#crypto = crypto
    this.#size = known.head.size
    this.#frontier = known.head.frontier
    this.#archived = known.archived
    this.#gates = known.head.gates
  }

  add(change: SharedChange): Written {
    this.#undo.length = 0
    try {
      const what = this.#apply(change)
      if (what === undefined) {
        this.#durable ||= change.durable
        return { committed: { kind: 'committed', size: this.#size } }
      }
      this.#rollBack()
      return { committed: { kind: 'conflict', what } }
    } catch (error) {
      this.#rollBack()
      return { error }
    }
  }

  rows(): RowsToWrite {
    const calls = (ids: Iterable<string>) => [...ids].flatMap((id) => this.#known.calls.get(id) ?? [])
    const grants = (ids: Iterable<string>) => [...ids].flatMap((id) => this.#known.grants.get(id) ?? [])
    return {
      size: this.#size,
      frontier: this.#frontier,
      entries: this.#entries,
      opened: calls(this.#opened),
      moved: calls([...this.#moved].filter((id) => !this.#opened.has(id))),
      held: this.#held,
      grantsAdded: grants(this.#grantsAdded),
      grantsChanged: grants([...this.#grantsChanged].filter((id) => !this.#grantsAdded.has(id))),
      counters: this.#counters,
      files: this.#files,
      spans: this.#spans,
      gateLists: this.#gateLists,
      gates: this.#gates,
      durable: this.#durable,
    }
  }

  #apply(change: SharedChange): Conflict | undefined {
    const before = this.#size
    this.#append(change)
    const conflict =
      (change.open && this.#open(change.open, before)) ??
      (change.move && this.#move(change.move)) ??
      (change.useGrant && this.#useGrant(change.useGrant)) ??
      (change.revokeGrant && this.#revokeGrant(change.revokeGrant))
    if (conflict !== undefined) return conflict
    if (change.addGrant) this.#addGrant(change.addGrant)
    if (change.gateList) this.#addGateList(change.gateList)
    for (const use of change.count ?? []) {
      if (this.#isOver(use)) return 'over-limit'
      const { session, name, at, amount } = use
      whole(at, 'at')
      finite(amount, 'amount')
      this.#push(this.#counters, { session, name, at, amount })
    }
    if (change.unrecorded) this.#note({ kind: 'unrecorded', note: change.unrecorded })
    if (change.changed) this.#note({ kind: 'changed', note: change.changed })
    if (change.seen) this.#note({ kind: 'seen', note: change.seen })
    for (const span of change.archive ?? []) this.#archive(span, before)
    return undefined
  }

  #append({ entries }: Change): void {
    const [size, frontier] = [this.#size, this.#frontier]
    this.#undo.push(() => {
      this.#size = size
      this.#frontier = frontier
    })
    for (const draft of entries) {
      const line = draft.line(this.#size + 1)
      const leaf = leafHash(line, this.#crypto)
      this.#frontier = appendLeaf(this.#frontier, this.#size, leaf, this.#crypto)
      this.#size += 1
      this.#push(this.#entries, { seq: this.#size, call: draft.callId, line, leaf })
    }
  }

  #open(open: NonNullable<Change['open']>, openedAfter: number): Conflict | undefined {
    const { maxHeldInSession, maxHeld, maxBytesInSession = Infinity, maxBytes = Infinity } = open
    const id = stored(open.call.id)
    if (this.#known.calls.has(id)) return 'call-exists'
    const sealed = open.call.state === 'closed' ? null : open.call.sealed
    const call = { ...open.call, sealed }
    for (const column of WHOLE_COLUMNS) wholeOrNull(call[column], column)
    const weight = sealed?.byteLength ?? 0
    if (isWaiting(call.state)) {
      const key = sessionKey(call.session)
      const [own, all] = [this.#heldOf(key), this.#heldOf(ALL)]
      if (own.n >= maxHeldInSession) return 'full-session'
      if (all.n >= maxHeld) return 'full-store'
      const kept = maxHeldInSession < maxHeld ? Math.floor(maxHeld / NEWCOMERS) : 0
      if (own.n > 0 && all.n >= maxHeld - kept) return 'last-places'
      if (weight > LIGHT_BYTES && own.bytes + weight > maxBytesInSession) return 'heavy-session'
      if (weight > LIGHT_BYTES && all.bytes + weight > maxBytes) return 'heavy-store'
      this.#countHeld(call.session, 1, weight)
    }
    this.#setCall(id, { call, weight, openedAfter, sealed: 'given' })
    this.#addTo(this.#opened, id)
    return undefined
  }

  #move({ id: wanted, from, to, requestDigest, set = {} }: CallMove): Conflict | undefined {
    const id = stored(wanted)
    const row = this.#known.calls.get(id)
    const isFrom =
      row !== undefined && (typeof from === 'string' ? row.call.state === from : from.includes(row.call.state))
    if (!isFrom || (requestDigest !== undefined && row.call.requestDigest !== requestDigest)) return 'call-moved'
    const columns: Partial<StoredCall> = withoutUndefined(set)
    for (const column of WHOLE_COLUMNS.slice(1)) wholeOrNull(columns[column] ?? null, column)
    // INVARIANT: arguments are erased when a call closes, whatever the caller passes.
    const isGiven = to === 'closed' || columns.sealed !== undefined
    const sealed = to === 'closed' ? null : (columns.sealed ?? row.call.sealed)
    const weight = isGiven ? (sealed?.byteLength ?? 0) : row.weight
    const call = { ...row.call, ...columns, sealed, state: to }
    const [was, is] = [isWaiting(row.call.state), isWaiting(to)]
    if (was || is) this.#countHeld(call.session, Number(is) - Number(was), (is ? weight : 0) - (was ? row.weight : 0))
    this.#setCall(id, { ...row, call, weight, sealed: isGiven ? 'given' : row.sealed })
    this.#addTo(this.#moved, id)
    return undefined
  }

  #addGrant(grant: StoredGrant): void {
    const id = stored(grant.id)
    if (this.#known.grants.has(id))
      throw new CountersignError('CS_STORE_WRITE', 'a grant with this id exists already; give the grant again')
    wholeOrNull(grant.expiresAt, 'expiresAt')
    wholeOrNull(grant.maxUses, 'maxUses')
    wholeOrNull(grant.revokedAt, 'revokedAt')
    whole(grant.uses, 'uses')
    this.#setGrant(id, { ...grant })
    this.#addTo(this.#grantsAdded, id)
  }

  #useGrant({ id: wanted, at }: NonNullable<Change['useGrant']>): Conflict | undefined {
    const id = stored(wanted)
    const row = this.#known.grants.get(id)
    if (row === undefined || row.revokedAt !== null) return 'grant-gone'
    if (row.maxUses !== null && row.uses >= row.maxUses) return 'grant-gone'
    if (row.expiresAt !== null && row.expiresAt <= at) return 'grant-gone'
    this.#setGrant(id, { ...row, uses: row.uses + 1 })
    this.#addTo(this.#grantsChanged, id)
    return undefined
  }

  #revokeGrant({ id: wanted, at }: NonNullable<Change['revokeGrant']>): Conflict | undefined {
    const id = stored(wanted)
    const row = this.#known.grants.get(id)
    if (row === undefined || row.revokedAt !== null) return 'grant-gone'
    whole(at, 'revokedAt')
    this.#setGrant(id, { ...row, revokedAt: at })
    this.#addTo(this.#grantsChanged, id)
    return undefined
  }

  /** INVARIANT: a limit is compared under the lock, so that calls side by side, in any gate, cannot pass it. */
  #isOver({ session, name, amount, bounds = [] }: CounterUse): boolean {
    return bounds.some(({ from, most }) => {
      const planned = this.#counters.reduce(
        (sum, one) => (one.session === session && one.name === name && one.at >= from ? sum + one.amount : sum),
        0,
      )
      return (this.#known.sums.get(sumKey(session, name, from)) ?? 0) + planned + amount > most
    })
  }

  #archive(span: Span, size: number): void {
    if (span.from !== this.#archived || span.to <= span.from || span.to > size)
      throw new CountersignError(
        'CS_STORE_WRITE',
        'another process rotated the journal at the same time; run the rotation again',
      )
    const archived = this.#archived
    this.#undo.push(() => {
      this.#archived = archived
    })
    this.#archived = span.to
    this.#push(this.#spans, span)
  }

  #addGateList(list: GateListRow): void {
    const before = this.#gates
    if (list.version !== before + 1) throw new GateListMoved()
    this.#undo.push(() => {
      this.#gates = before
    })
    this.#gates = list.version
    this.#push(this.#gateLists, list)
  }

  #note(note: FileNote): void {
    for (const at of timesOf(note)) whole(at, 'at')
    this.#push(this.#files, note)
  }

  #heldOf(key: string): { readonly n: number; readonly bytes: number } {
    const [before, planned] = [this.#known.held.get(key), this.#held.get(key)]
    return { n: (before?.n ?? 0) + (planned?.n ?? 0), bytes: (before?.bytes ?? 0) + (planned?.bytes ?? 0) }
  }

  #countHeld(session: string | null, n: number, bytes: number): void {
    for (const key of [ALL, sessionKey(session)]) {
      const planned = this.#held.get(key) ?? { n: 0, bytes: 0 }
      this.#held.set(key, { n: planned.n + n, bytes: planned.bytes + bytes })
      this.#undo.push(() => this.#held.set(key, planned))
    }
  }

  #setCall(id: string, row: CallRow): void {
    setRow(this.#known.calls, id, row, this.#undo)
  }

  #setGrant(id: string, row: StoredGrant): void {
    setRow(this.#known.grants, id, row, this.#undo)
  }

  #addTo(names: Set<string>, id: string): void {
    if (names.has(id)) return
    names.add(id)
    this.#undo.push(() => names.delete(id))
  }

  #push<T>(list: T[], one: T): void {
    list.push(one)
    this.#undo.push(() => list.pop())
  }

  #rollBack(): void {
    for (const undo of this.#undo.reverse()) undo()
  }
}
