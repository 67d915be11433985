import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type CallMove,
  type Change,
  type Committed,
  CountersignError,
  type CounterUse,
  type Crypto,
  type Span,
  type StoredCall,
  WAITING_STATES,
} from '@countersign/core'
import { createStatementCache, type StatementCache } from './database-file.ts'
import { FileChanges } from './file-changes.ts'
import { EntryWriter } from './journal-writer.ts'
import { count, type Row, text } from './row-mapping.ts'

type Value = string | number | null | Uint8Array

/** Open calls are what a bound counts: they wait for a person, or for their caller. */
function isOpen(state: unknown): boolean {
  return (WAITING_STATES as readonly unknown[]).includes(state)
}

const WAITING = WAITING_STATES.map((state) => `'${state}'`).join(', ')

/** One in so many places is kept for sessions without a waiting call: one asker with several sessions can't take them all. */
const NEWCOMERS = 10

/** What a call may weigh without all being weighed: these are bounded by their number. */
const LIGHT_BYTES = 16 * 1024

type Conflict = (Committed & { readonly kind: 'conflict' })['what']

/** Columns a move may set. */
const SETTABLE = [
  'owner',
  'mode',
  'requestDigest',
  'sealed',
  'supervision',
  'risk',
  'rule',
  'summary',
  'expiresAt',
  'decision',
  'outcome',
  'closedAt',
  'contain',
] as const

/** Applies changes inside a transaction that the caller began and will end. */
export class ChangeWriter {
  readonly #db: DatabaseSync
  readonly #statement: StatementCache
  readonly #journal: EntryWriter
  readonly #files: FileChanges
  readonly #addCall: StatementSync
  readonly #findState: StatementSync
  readonly #moves = new Map<number, StatementSync>()

  constructor(db: DatabaseSync, crypto: Crypto) {
    this.#db = db
    this.#statement = createStatementCache(db)
    this.#journal = new EntryWriter(db, crypto)
    this.#files = new FileChanges(db)
    this.#addCall = db.prepare(`INSERT INTO call VALUES (NULL${', ?'.repeat(21)}) ON CONFLICT (id) DO NOTHING`)
    this.#findState = db.prepare('SELECT state FROM call WHERE id = ?')
  }

  /** A conflict means that the caller must roll back; a throw does too. */
  apply(change: Change): Committed {
    return this.#applyRest(change, this.#journal.append(change.entries))
  }

  /** All of them with the head moved once; null at the first conflict, and then the caller must roll back. */
  applyAll(changes: readonly Change[]): readonly Committed[] | null {
    let size = this.#journal.append(changes.flatMap(({ entries }) => entries))
    for (const { entries } of changes) size -= entries.length
    const committed: Committed[] = []
    for (const change of changes) {
      size += change.entries.length
      const one = this.#applyRest(change, size)
      if (one.kind === 'conflict') return null
      committed.push(one)
    }
    return committed
  }

  /** What a change does besides its entries, of which the last has the number `size`. */
  #applyRest(change: Change, size: number): Committed {
    const before = size - change.entries.length
    const conflict =
      (change.open && this.#open(change.open, before)) ??
      (change.move && this.#move(change.move)) ??
      (change.useGrant && this.#useGrant(change.useGrant)) ??
      (change.revokeGrant && this.#revokeGrant(change.revokeGrant))
    if (conflict !== undefined) return { kind: 'conflict', what: conflict }
    if (change.addGrant) this.#addGrant(change.addGrant)
    for (const use of change.count ?? []) {
      if (this.#isOver(use)) return { kind: 'conflict', what: 'over-limit' }
      this.#run(
        'INSERT INTO counter VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount',
        use.session,
        use.name,
        use.at,
        use.amount,
      )
    }
    if (change.unrecorded) this.#files.expect(change.unrecorded)
    if (change.changed) this.#files.record(change.changed)
    if (change.seen) this.#files.see(change.seen)
    if (change.archive) this.#archive(change.archive, before)
    return { kind: 'committed', size }
  }

  #open(open: NonNullable<Change['open']>, size: number): Conflict | undefined {
    const { call, maxHeldInSession, maxHeld, maxBytesInSession, maxBytes } = open
    if (this.#insert(call, size) === 0) return 'call-exists'
    if (!isOpen(call.state)) return undefined
    const own = this.#openCalls(sessionKey(call.session))
    const all = this.#openCalls('t')
    if (own >= maxHeldInSession) return 'full-session'
    if (all >= maxHeld) return 'full-store'
    const kept = maxHeldInSession < maxHeld ? Math.floor(maxHeld / NEWCOMERS) : 0
    if (own > 0 && all >= maxHeld - kept) return 'last-places'
    if ((call.sealed?.byteLength ?? 0) > LIGHT_BYTES) {
      if (this.#openBytes('session IS ?', call.session) > (maxBytesInSession ?? Infinity)) return 'heavy-session'
      if (this.#openBytes('1') > (maxBytes ?? Infinity)) return 'heavy-store'
    }
    this.#countOpen(call.session, 1)
    return undefined
  }

  #insert(call: StoredCall, size: number): number | bigint {
    const {
      id,
      session,
      state,
      owner,
      mode,
      tool,
      agent,
      risk,
      supervision,
      rule,
      callDigest,
      requestDigest,
      summary,
    } = call
    const { openedAt, expiresAt, decision, outcome, closedAt, contain } = call
    const sealed = state === 'closed' ? null : call.sealed
    // biome-ignore format: in the order of the table's columns
    return this.#addCall.run(
      id, session, state, owner, mode, tool, agent, risk, supervision, rule, callDigest, requestDigest, summary,
      sealed, openedAt, expiresAt, decision, outcome, closedAt, size, contain,
    ).changes
  }

  #move(move: CallMove): Conflict | undefined {
    const from: readonly string[] = typeof move.from === 'string' ? [move.from] : move.from
    const mixed = from.some(isOpen) && !from.every(isOpen)
    const before = mixed ? this.#findState.get(move.id)?.['state'] : from[0]
    const delta = Number(isOpen(move.to)) - Number(isOpen(before))
    const row = this.#update(move, from, delta !== 0)
    if (row === undefined) return 'call-moved'
    if (delta !== 0) this.#countOpen(row['session'] === null ? null : text(row, 'session'), delta)
    return undefined
  }

  /** Gives the session of the call that was moved, where it is `asked` for; undefined when none was. */
  #update({ id, to, requestDigest, set = {} }: CallMove, from: readonly string[], asked: boolean): Row | undefined {
    let columns = 0
    const values: Value[] = [to]
    for (const [at, column] of SETTABLE.entries()) {
      const value = set[column]
      if (value === undefined || (column === 'sealed' && to === 'closed')) continue
      columns |= 1 << at
      values.push(value)
    }
    values.push(id, ...from)
    if (requestDigest !== undefined) values.push(requestDigest)
    const statement = this.#moveStatement(columns, to === 'closed', requestDigest !== undefined, asked, from.length)
    if (asked) return statement.get(...values)
    return statement.run(...values).changes === 0 ? undefined : {}
  }

  /** By shape, as a number: putting the SQL together each time costs as much as running it. */
  #moveStatement(columns: number, closes: boolean, digest: boolean, asked: boolean, states: number): StatementSync {
    const flags = Number(closes) + 2 * Number(digest) + 4 * Number(asked)
    const shape = columns * 64 + flags * 8 + states
    const known = this.#moves.get(shape)
    if (known !== undefined) return known
    const sets = SETTABLE.filter((_, at) => (columns & (1 << at)) !== 0).map((column) => `, ${column} = ?`)
    const made = this.#db.prepare(
      `UPDATE call SET state = ?${sets.join('')}${closes ? ', sealed = NULL' : ''} ` +
        `WHERE id = ? AND state IN (?${', ?'.repeat(states - 1)})${digest ? ' AND requestDigest = ?' : ''}` +
        (asked ? ' RETURNING session' : ''),
    )
    this.#moves.set(shape, made)
    return made
  }

  #addGrant(grant: NonNullable<Change['addGrant']>): void {
    const { id, session, body, decision, uses, maxUses, expiresAt, revokedAt } = grant
    this.#run(
      `INSERT INTO standing VALUES (NULL${', ?'.repeat(8)})`,
      id,
      session,
      body,
      decision,
      uses,
      maxUses,
      expiresAt,
      revokedAt,
    )
  }

  #useGrant({ id, at }: { readonly id: string; readonly at: number }): Conflict | undefined {
    const alive = 'revokedAt IS NULL AND (maxUses IS NULL OR uses < maxUses) AND (expiresAt IS NULL OR expiresAt > ?)'
    return this.#run(`UPDATE standing SET uses = uses + 1 WHERE id = ? AND ${alive}`, id, at) === 0
      ? 'grant-gone'
      : undefined
  }

  #revokeGrant({ id, at }: { readonly id: string; readonly at: number }): Conflict | undefined {
    return this.#run('UPDATE standing SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL', at, id) === 0
      ? 'grant-gone'
      : undefined
  }

  /** INVARIANT: a limit is compared inside the transaction that counts, so that calls side by side cannot pass it. */
  #isOver({ session, name, amount, bounds = [] }: CounterUse): boolean {
    const sum = 'SELECT coalesce(sum(amount), 0) AS n FROM counter WHERE session = ? AND name = ? AND at >= ?'
    return bounds.some(({ from, most }) => {
      const used = count(this.#statement(sum).get(session, name, from) ?? {}, 'n')
      return used + amount > most
    })
  }

  #archive(spans: readonly Span[], size: number): void {
    let base = count(this.#statement('SELECT coalesce(max("to"), 0) AS base FROM span').get() ?? {}, 'base')
    for (const { from, to, nodes } of spans) {
      if (from !== base || to <= from || to > size) {
        throw new CountersignError(
          'CS_STORE_WRITE',
          'another process rotated the journal at the same time; run the rotation again',
        )
      }
      this.#run('INSERT INTO span VALUES (?, ?, ?)', from, to, nodes)
      base = to
    }
  }

  #openCalls(key: string): number {
    const row = this.#statement('SELECT n FROM held WHERE key = ?').get(key)
    return row === undefined ? 0 : count(row, 'n')
  }

  /** SQLite knows a blob's length without reading it. */
  #openBytes(which: string, ...values: Value[]): number {
    const sql =
      "SELECT coalesce(sum(length(sealed)), 0) AS n FROM call WHERE state <> 'closed' " +
      `AND state IN (${WAITING}) AND ${which}`
    return count(this.#statement(sql).get(...values) ?? {}, 'n')
  }

  #countOpen(session: string | null, delta: number): void {
    for (const key of ['t', sessionKey(session)]) {
      this.#run('INSERT INTO held VALUES (?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n', key, delta)
    }
    if (delta < 0) this.#run('DELETE FROM held WHERE key = ? AND n <= 0', sessionKey(session))
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }
}

function sessionKey(session: string | null): string {
  return session === null ? 'n' : `s${session}`
}
