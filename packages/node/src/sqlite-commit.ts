import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  appendLeaf,
  type CallMove,
  type Change,
  type Committed,
  CountersignError,
  type Crypto,
  leafHash,
  type Span,
  type StoredCall,
} from '@countersign/core'
import { count, text } from './sqlite-row.ts'

type Value = string | number | null | Uint8Array

type Conflict = (Committed & { readonly kind: 'conflict' })['what']

/** Columns a move may set. */
const SETTABLE = [
  'owner',
  'requestDigest',
  'sealed',
  'supervision',
  'risk',
  'rule',
  'expiresAt',
  'decision',
  'outcome',
  'closedAt',
] as const

/** Applies changes inside a transaction that the caller began and will end. */
export class ChangeWriter {
  readonly #db: DatabaseSync
  readonly #crypto: Crypto
  readonly #statements = new Map<string, StatementSync>()
  readonly #readHead: StatementSync
  readonly #writeHead: StatementSync
  readonly #addEntry: StatementSync
  readonly #addCall: StatementSync
  readonly #findCall: StatementSync

  constructor(db: DatabaseSync, crypto: Crypto) {
    this.#db = db
    this.#crypto = crypto
    this.#readHead = db.prepare('SELECT size, frontier FROM head')
    this.#writeHead = db.prepare('UPDATE head SET size = ?, frontier = ?')
    this.#addEntry = db.prepare('INSERT INTO entry VALUES (?, ?, ?, ?)')
    this.#addCall = db.prepare(`INSERT INTO call VALUES (NULL${', ?'.repeat(20)}) ON CONFLICT (id) DO NOTHING`)
    this.#findCall = db.prepare('SELECT state, session FROM call WHERE id = ?')
  }

  /** A conflict means that the caller must roll back; a throw does too. */
  apply(change: Change): Committed {
    const head = this.#readHead.get() ?? {}
    const size = count(head, 'size')
    const conflict =
      (change.open && this.#open(change.open, size)) ??
      (change.move && this.#move(change.move)) ??
      (change.useGrant && this.#useGrant(change.useGrant)) ??
      (change.revokeGrant && this.#revokeGrant(change.revokeGrant))
    if (conflict !== undefined) return { kind: 'conflict', what: conflict }
    if (change.addGrant) this.#addGrant(change.addGrant)
    for (const use of change.count ?? []) {
      this.#run(
        'INSERT INTO counter VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount',
        use.session,
        use.name,
        use.at,
        use.amount,
      )
    }
    if (change.archive) this.#archive(change.archive, size)
    return { kind: 'committed', size: this.#append(change, size, text(head, 'frontier')) }
  }

  #append(change: Change, from: number, before: string): number {
    let size = from
    let frontier = before
    for (const draft of change.entries) {
      const line = draft.line(size + 1)
      const leaf = leafHash(line, this.#crypto)
      frontier = appendLeaf(frontier, size, leaf, this.#crypto)
      size += 1
      if (this.#addEntry.run(size, draft.callId, line, leaf).changes !== 1)
        throw new CountersignError('CS_STORE_WRITE', 'the journal did not take an entry; restore a backup')
    }
    if (size !== from) this.#writeHead.run(size, frontier)
    return size
  }

  #open({ call, maxHeldInSession, maxHeld }: NonNullable<Change['open']>, size: number): Conflict | undefined {
    if (this.#insert(call, size) === 0) return 'call-exists'
    if (call.state !== 'held') return undefined
    if (this.#held(sessionKey(call.session)) >= maxHeldInSession) return 'full-session'
    if (this.#held('t') >= maxHeld) return 'full-store'
    this.#countHeld(call.session, 1)
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
    const { openedAt, expiresAt, decision, outcome, closedAt } = call
    const sealed = state === 'closed' ? null : call.sealed
    // biome-ignore format: in the order of the table's columns
    return this.#addCall.run(
      id, session, state, owner, mode, tool, agent, risk, supervision, rule, callDigest, requestDigest, summary,
      sealed, openedAt, expiresAt, decision, outcome, closedAt, size,
    ).changes
  }

  #move(move: CallMove): Conflict | undefined {
    const from: readonly string[] = typeof move.from === 'string' ? [move.from] : move.from
    // Only a call that was or will be held changes a count; every other move is one statement.
    const counted = move.to === 'held' || from.includes('held')
    const row = counted ? this.#findCall.get(move.id) : undefined
    if (this.#update(move, from) === 0) return 'call-moved'
    if (row === undefined) return undefined
    const delta = Number(move.to === 'held') - Number(row['state'] === 'held')
    if (delta !== 0) this.#countHeld(row['session'] === null ? null : text(row, 'session'), delta)
    return undefined
  }

  #update({ id, to, requestDigest, set = {} }: CallMove, from: readonly string[]): number {
    let sql = 'UPDATE call SET state = ?'
    const values: Value[] = [to]
    for (const column of SETTABLE) {
      const value = set[column]
      if (value === undefined || (column === 'sealed' && to === 'closed')) continue
      sql += `, ${column} = ?`
      values.push(value)
    }
    if (to === 'closed') sql += ', sealed = NULL'
    sql += ` WHERE id = ? AND state IN (?${', ?'.repeat(from.length - 1)})`
    values.push(id, ...from)
    if (requestDigest === undefined) return this.#run(sql, ...values)
    return this.#run(`${sql} AND requestDigest = ?`, ...values, requestDigest)
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

  #archive(spans: readonly Span[], size: number): void {
    let base = count(this.#statement('SELECT coalesce(max("to"), 0) AS base FROM span').get() ?? {}, 'base')
    for (const { from, to, nodes } of spans) {
      if (from !== base || to <= from || to > size) {
        throw new CountersignError(
          'CS_STORE_WRITE',
          'another process rotated the journal meanwhile; run the rotation again',
        )
      }
      this.#run('INSERT INTO span VALUES (?, ?, ?)', from, to, nodes)
      base = to
    }
  }

  #held(key: string): number {
    const row = this.#statement('SELECT n FROM held WHERE key = ?').get(key)
    return row === undefined ? 0 : count(row, 'n')
  }

  #countHeld(session: string | null, delta: number): void {
    for (const key of ['t', sessionKey(session)]) {
      this.#run('INSERT INTO held VALUES (?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n', key, delta)
    }
    if (delta < 0) this.#run('DELETE FROM held WHERE key = ? AND n <= 0', sessionKey(session))
  }

  #run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes)
  }

  /** Statements by their text: there are as many as there are shapes of a change. */
  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const made = this.#db.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

function sessionKey(session: string | null): string {
  return session === null ? 'n' : `s${session}`
}
