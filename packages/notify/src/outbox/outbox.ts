import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { asCountersignError } from '@countersign/core'
import { type Home, openOwnFolder } from '@countersign/node'
import { MESSAGE_STATES, type Message, type MessageChange, type MessageState } from './message.ts'

/** A channel whose receiver has unsubscribed. A changed configuration counts as a new channel. */
export interface Disabled {
  readonly channel: string
  readonly config: string
  readonly why: string
  readonly at: number
}

/**
 * The messages that are being sent. On disk before the first attempt: after a crash a message is sent again under its id,
 * never forgotten, and a call is announced once per channel and kind.
 */
export interface Outbox {
  /** Messages about calls that may still be held, or that still need to be replaced. */
  open(): readonly Message[]
  find(id: string): Message | undefined
  add(messages: readonly Message[]): void
  change(id: string, change: MessageChange): void
  /** Marks messages as finished. */
  settle(ids: readonly string[]): void
  disable(disabled: Disabled): void
  enable(channel: string): void
  disabled(): readonly Disabled[]
  /** The newest messages in a state. */
  latest(state: MessageState, limit: number): readonly Message[]
  count(channel: string, state: MessageState): number
  /** Forgets settled messages from before a time. */
  forget(before: number): void
  close(): void
}

const BUSY_MS = 2_000

/** Opens the outbox of a home, and makes it on first use. */
export function openOutbox({ outbox: path }: Pick<Home, 'outbox'>): Outbox {
  try {
    openOwnFolder(dirname(path), 'CS_NOTIFY')
    const before = process.umask(0o177)
    const db = new DatabaseSync(path, { timeout: BUSY_MS, defensive: true })
    try {
      db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF; ${SCHEMA}`)
    } finally {
      process.umask(before)
    }
    return outboxOf(db)
  } catch (error) {
    throw asCountersignError(error, 'CS_NOTIFY', `cannot use \`${path}\`; move it away; a new one will be created`)
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS message (
    id TEXT PRIMARY KEY, channel TEXT NOT NULL, notification TEXT NOT NULL, calls TEXT NOT NULL, state TEXT NOT NULL,
    attempts INTEGER NOT NULL, nextAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL, error TEXT, at INTEGER NOT NULL,
    isOpen INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS message_open ON message (isOpen) WHERE isOpen = 1;
  CREATE INDEX IF NOT EXISTS message_state ON message (channel, state);
  CREATE TABLE IF NOT EXISTS disabled (
    channel TEXT PRIMARY KEY, config TEXT NOT NULL, why TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT;
`

type Row = Readonly<Record<string, string | number | null>>

function outboxOf(db: DatabaseSync): Outbox {
  const columns = 'id, channel, notification, calls, state, attempts, nextAt, expiresAt, error, at'
  const rows = (sql: string, ...values: (string | number)[]): readonly Message[] =>
    (db.prepare(`SELECT ${columns} FROM message ${sql}`).all(...values) as Row[]).map(messageOf)

  function all(work: () => void): void {
    db.exec('BEGIN IMMEDIATE')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }

  return {
    open: () => rows('WHERE isOpen = 1 ORDER BY rowid'),
    find: (id) => rows('WHERE id = ?', id)[0],
    add(messages) {
      const insert = db.prepare(`INSERT OR IGNORE INTO message (${columns}, isOpen) VALUES (?,?,?,?,?,?,?,?,?,?,1)`)
      all(() => {
        for (const { id, channel, notification, calls, state, attempts, nextAt, expiresAt, error, at } of messages) {
          const texts = [JSON.stringify(notification), JSON.stringify(calls)] as const
          insert.run(id, channel, ...texts, state, attempts, nextAt, expiresAt, error, at)
        }
      })
    },
    change(id, { state, attempts, nextAt, error, at }) {
      db.prepare('UPDATE message SET state = ?, attempts = ?, nextAt = ?, error = ?, at = ? WHERE id = ?').run(
        state,
        attempts,
        nextAt,
        error,
        at,
        id,
      )
    },
    settle(ids) {
      const update = db.prepare('UPDATE message SET isOpen = 0 WHERE id = ?')
      all(() => ids.forEach((id) => void update.run(id)))
    },
    disable({ channel, config, why, at }) {
      db.prepare('INSERT OR REPLACE INTO disabled (channel, config, why, at) VALUES (?,?,?,?)').run(
        channel,
        config,
        why,
        at,
      )
    },
    enable: (channel) => void db.prepare('DELETE FROM disabled WHERE channel = ?').run(channel),
    disabled: () => db.prepare('SELECT channel, config, why, at FROM disabled').all() as unknown as Disabled[],
    latest: (state, limit) => rows('WHERE state = ? ORDER BY at DESC LIMIT ?', state, limit),
    count(channel, state) {
      const row = db
        .prepare('SELECT count(*) AS count FROM message WHERE channel = ? AND state = ?')
        .get(channel, state)
      return Number(row?.['count'] ?? 0)
    },
    forget: (before) => void db.prepare('DELETE FROM message WHERE isOpen = 0 AND at < ?').run(before),
    close: () => db.close(),
  }
}

function messageOf(row: Row): Message {
  return {
    id: String(row['id']),
    channel: String(row['channel']),
    notification: JSON.parse(String(row['notification'])) as Message['notification'],
    calls: JSON.parse(String(row['calls'])) as Message['calls'],
    state: MESSAGE_STATES.find((state) => state === row['state']) ?? 'dead',
    attempts: Number(row['attempts']),
    nextAt: Number(row['nextAt']),
    expiresAt: Number(row['expiresAt']),
    error: row['error'] === null ? null : String(row['error']),
    at: Number(row['at']),
  }
}
