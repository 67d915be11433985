import { CALL_STATES } from '@countersign/core'

/** Says "a Countersign store" in the file's header. */
export const APPLICATION_ID = 0x43_53_47_4e

/** Raised with every change of the tables below; a newer file is refused. */
export const SCHEMA_VERSION = 1

/** Words as an SQL list. */
export function listed(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ')
}

/**
 * The tables. Columns carry the names of the store port, so that a row is the data.
 * A call's rowid rises with the time it was opened: history is paged by it and needs no index of its own.
 */
export const SCHEMA = `
CREATE TABLE call (
  rowid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session TEXT,
  state TEXT NOT NULL CHECK (state IN (${listed(CALL_STATES)})),
  owner TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('ask', 'submit')),
  tool TEXT NOT NULL,
  agent TEXT NOT NULL,
  risk TEXT NOT NULL,
  supervision TEXT NOT NULL,
  rule TEXT NOT NULL,
  callDigest TEXT NOT NULL,
  requestDigest TEXT,
  summary TEXT NOT NULL,
  sealed BLOB,
  openedAt INTEGER NOT NULL,
  expiresAt INTEGER,
  decision TEXT,
  outcome TEXT,
  closedAt INTEGER,
  openedAfter INTEGER NOT NULL,
  CHECK (state <> 'closed' OR sealed IS NULL)
) STRICT;
CREATE INDEX call_open ON call (state) WHERE state <> 'closed';

-- How many calls are open (held, ready or decided), in all ('t') and per session ('s…', 'n' for none): a bound is checked without counting.
CREATE TABLE held (key TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE standing (
  rowid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session TEXT,
  body TEXT NOT NULL,
  decision TEXT NOT NULL,
  uses INTEGER NOT NULL,
  maxUses INTEGER,
  expiresAt INTEGER,
  revokedAt INTEGER
) STRICT;

CREATE TABLE counter (
  session TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  amount REAL NOT NULL,
  PRIMARY KEY (session, name, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (seq INTEGER PRIMARY KEY, call TEXT, line TEXT NOT NULL, leaf TEXT NOT NULL) STRICT;

CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, frontier TEXT NOT NULL) STRICT;
INSERT INTO head VALUES (1, 0, '');

CREATE TABLE span ("from" INTEGER PRIMARY KEY, "to" INTEGER NOT NULL, nodes TEXT NOT NULL) STRICT;

CREATE TABLE checkpoint (size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;

PRAGMA application_id = ${APPLICATION_ID};
PRAGMA user_version = ${SCHEMA_VERSION};
`
