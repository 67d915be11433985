import {
  appendLeaf,
  type CallMove,
  type Change,
  type Committed,
  CountersignError,
  type CounterUse,
  type Crypto,
  type EntryDraft,
  type JournalHead,
  leafHash,
  type Span,
  type StoredGrant,
} from '@countersign/core'
import { answerOf } from './database.ts'
import { type CallRow, type EntryRow, isWaiting, waitingKey } from './rows.ts'

/** One in so many places is kept for sessions without a waiting call: one asker with several sessions can't take them all. */
const NEWCOMERS = 10

/** Calls of up to this size are bounded by their number alone. */
const LIGHT_BYTES = 16 * 1024

type Conflict = (Committed & { readonly kind: 'conflict' })['what']

/** Applies a change in an open transaction. After a conflict or an exception the caller must abort it. */
export async function applyChange(tx: IDBTransaction, change: Change, crypto: Crypto): Promise<Committed> {
  const size = await append(tx, change.entries, crypto)
  const before = size - change.entries.length
  const what =
    (change.open && (await openCall(tx, change.open, before))) ??
    (change.move && (await moveCall(tx, change.move))) ??
    (change.useGrant && (await spendGrant(tx, change.useGrant))) ??
    (change.revokeGrant && (await revokeGrant(tx, change.revokeGrant))) ??
    (await countUses(tx, change.count ?? []))
  if (what !== undefined) return { kind: 'conflict', what }
  if (change.addGrant) await answerOf(tx.objectStore('grant').add({ ...change.addGrant }))
  await recordFiles(tx, change)
  if (change.archive) await archive(tx, change.archive, before)
  return { kind: 'committed', size }
}

/** Appends entries to the journal and returns its new size. */
async function append(tx: IDBTransaction, entries: readonly EntryDraft[], crypto: Crypto): Promise<number> {
  let { size, frontier } = await readHead(tx)
  for (const draft of entries) {
    const line = draft.line(size + 1)
    const leaf = leafHash(line, crypto)
    frontier = appendLeaf(frontier, size, leaf, crypto)
    size += 1
    const row: EntryRow = { seq: size, line, leaf, ...(draft.callId === null ? {} : { call: draft.callId }) }
    await answerOf(tx.objectStore('entry').add(row))
  }
  if (entries.length > 0) await answerOf(tx.objectStore('head').put({ size, frontier } satisfies JournalHead, 'head'))
  return size
}

export async function readHead(tx: IDBTransaction): Promise<JournalHead> {
  const head: JournalHead | undefined = await answerOf(tx.objectStore('head').get('head'))
  return head ?? { size: 0, frontier: '' }
}

async function openCall(
  tx: IDBTransaction,
  { call, maxHeldInSession, maxHeld, maxBytesInSession, maxBytes }: NonNullable<Change['open']>,
  openedAfter: number,
): Promise<Conflict | undefined> {
  const calls = tx.objectStore('call')
  if ((await answerOf(calls.index('id').count(call.id))) > 0) return 'call-exists'
  const { sealed: given, ...row } = call
  const sealed = call.state === 'closed' ? null : given
  const weight = sealed?.byteLength ?? 0
  const key = waitingKey(call.session)
  if (isWaiting(call.state)) {
    const index = calls.index('waiting')
    const own = await answerOf(index.count(key))
    const all = await answerOf(index.count())
    if (own >= maxHeldInSession) return 'full-session'
    if (all >= maxHeld) return 'full-store'
    const kept = maxHeldInSession < maxHeld ? Math.floor(maxHeld / NEWCOMERS) : 0
    if (own > 0 && all >= maxHeld - kept) return 'last-places'
    if (weight > LIGHT_BYTES) {
      if (weight + weightOf(await answerOf(index.getAll(key))) > (maxBytesInSession ?? Infinity)) return 'heavy-session'
      if (weight + weightOf(await answerOf(index.getAll())) > (maxBytes ?? Infinity)) return 'heavy-store'
    }
  }
  const stored = { ...row, openedAfter, weight, ...(isWaiting(call.state) ? { waiting: key } : {}) }
  const n = await answerOf(calls.add(stored))
  if (sealed !== null) await answerOf(tx.objectStore('sealed').put(sealed, n))
  return undefined
}

function weightOf(rows: readonly CallRow[]): number {
  return rows.reduce((sum, { weight }) => sum + weight, 0)
}

async function moveCall(
  tx: IDBTransaction,
  { id, from, to, requestDigest, set = {} }: CallMove,
): Promise<Conflict | undefined> {
  const calls = tx.objectStore('call')
  const row: CallRow | undefined = await answerOf(calls.index('id').get(id))
  const isFrom = row !== undefined && (typeof from === 'string' ? row.state === from : from.includes(row.state))
  if (!isFrom || (requestDigest !== undefined && row.requestDigest !== requestDigest)) return 'call-moved'
  const { sealed, ...columns } = set
  const { waiting: _, ...kept } = row
  const key = isWaiting(to) ? { waiting: waitingKey(row.session) } : {}
  // Arguments are erased when a call closes.
  const weight = to === 'closed' ? 0 : sealed === undefined ? row.weight : (sealed?.byteLength ?? 0)
  await answerOf(calls.put({ ...kept, ...columns, state: to, weight, ...key }))
  const erased = to === 'closed' || sealed === null
  if (erased) await answerOf(tx.objectStore('sealed').delete(row.n))
  else if (sealed !== undefined) await answerOf(tx.objectStore('sealed').put(sealed, row.n))
  return undefined
}

type GrantRow = StoredGrant & { readonly n: number }

function findGrant(tx: IDBTransaction, id: string): Promise<GrantRow | undefined> {
  return answerOf(tx.objectStore('grant').index('id').get(id))
}

async function spendGrant(
  tx: IDBTransaction,
  { id, at }: NonNullable<Change['useGrant']>,
): Promise<Conflict | undefined> {
  const row = await findGrant(tx, id)
  if (row === undefined || row.revokedAt !== null) return 'grant-gone'
  if (row.maxUses !== null && row.uses >= row.maxUses) return 'grant-gone'
  if (row.expiresAt !== null && row.expiresAt <= at) return 'grant-gone'
  await answerOf(tx.objectStore('grant').put({ ...row, uses: row.uses + 1 }))
  return undefined
}

async function revokeGrant(
  tx: IDBTransaction,
  { id, at }: NonNullable<Change['revokeGrant']>,
): Promise<Conflict | undefined> {
  const row = await findGrant(tx, id)
  if (row === undefined || row.revokedAt !== null) return 'grant-gone'
  await answerOf(tx.objectStore('grant').put({ ...row, revokedAt: at }))
  return undefined
}

/** INVARIANT: a limit is compared inside the transaction that counts, so that calls side by side cannot pass it. */
async function countUses(tx: IDBTransaction, uses: readonly CounterUse[]): Promise<Conflict | undefined> {
  const counters = tx.objectStore('counter')
  for (const { session, name, at, amount, bounds = [] } of uses) {
    for (const { from, most } of bounds)
      if ((await sumCounter(tx, session, name, from)) + amount > most) return 'over-limit'
    const row: { readonly amount: number } | undefined = await answerOf(counters.get([session, name, at]))
    await answerOf(counters.put({ session, name, at, amount: amount + (row?.amount ?? 0) }))
  }
  return undefined
}

/** The sum of a counter since `from`. */
export async function sumCounter(tx: IDBTransaction, session: string, name: string, from: number): Promise<number> {
  const range = IDBKeyRange.bound([session, name, from], [session, name, Infinity])
  const rows: readonly { readonly amount: number }[] = await answerOf(tx.objectStore('counter').getAll(range))
  return rows.reduce((sum, { amount }) => sum + amount, 0)
}

/** A page has no workspace: of files only the calls that could change some are noted, while they run. */
async function recordFiles(tx: IDBTransaction, { unrecorded, changed, seen }: Change): Promise<void> {
  const files = (changed?.files.length ?? 0) + (seen?.files.length ?? 0)
  if (files > 0)
    throw new CountersignError(
      'CS_STORE_WRITE',
      'the store of a page keeps no files; open a gate on the machine instead',
    )
  const notes = tx.objectStore('unrecorded')
  if (changed && changed.continues !== true) await answerOf(notes.delete([changed.workspace, changed.call]))
  if (unrecorded) await answerOf(notes.put({ ...unrecorded }))
}

async function archive(tx: IDBTransaction, spans: readonly Span[], size: number): Promise<void> {
  const known = await readSpans(tx)
  let base = known.at(-1)?.to ?? 0
  for (const span of spans) {
    if (span.from !== base || span.to <= span.from || span.to > size)
      throw new CountersignError('CS_STORE_WRITE', 'another tab rotated the journal at the same time; rotate it again')
    await answerOf(tx.objectStore('span').add({ ...span }))
    base = span.to
  }
  await answerOf(tx.objectStore('entry').delete(IDBKeyRange.upperBound(base)))
}

export function readSpans(tx: IDBTransaction): Promise<readonly Span[]> {
  return answerOf(tx.objectStore('span').getAll())
}
