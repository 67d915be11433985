/** Says "a Countersign store" in the file's header. */
export const APPLICATION_ID = 0x43_53_47_4e

/**
 * Version 1. Columns carry the names of the store port, so that a row is the data.
 * A call's rowid rises with the time it was opened: history is paged by it and needs no index of its own.
 */
const VERSION_1 = `
CREATE TABLE call (
  rowid INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  session TEXT,
  state TEXT NOT NULL CHECK (state IN ('held', 'ready', 'decided', 'started', 'closed')),
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
`

/** Version 2: the bounds a call ran with, as canonical JSON; null if it was not contained. */
const VERSION_2 = 'ALTER TABLE call ADD COLUMN contain TEXT;'

/**
 * Version 3: files of a workspace that gated calls changed. `seen` is the content that a person saw last, `backup` the copy
 * that has it. A row of `unrecorded` is a call that may have changed files, until they are recorded.
 */
const VERSION_3 = `
CREATE TABLE changed_file (
  workspace TEXT NOT NULL,
  path TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('written', 'deleted', 'moved')),
  content TEXT NOT NULL,
  mark TEXT NOT NULL,
  seen TEXT,
  backup TEXT,
  call TEXT NOT NULL,
  agent TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE unrecorded (
  workspace TEXT NOT NULL,
  call TEXT NOT NULL,
  agent TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (workspace, call)
) STRICT, WITHOUT ROWID;

-- What counts as unseen besides single files: everything, and installed code that changed since a time.
CREATE TABLE unseen_scope (
  workspace TEXT PRIMARY KEY,
  everything TEXT,
  installedSince INTEGER
) STRICT, WITHOUT ROWID;
`

/**
 * What each version adds to the one before. A new store goes through all of them too, so that it cannot differ from one
 * that was updated. INVARIANT: a step that was released never changes; a test pins its hash.
 */
export const SCHEMA_STEPS: readonly string[] = [VERSION_1, VERSION_2, VERSION_3]

/** The version this program writes. A newer store is refused, an older one updated. */
export const SCHEMA_VERSION = SCHEMA_STEPS.length

/** The SQL from one version to another; from 0 it makes an empty database a store. */
export function schemaFrom(version: number, to = SCHEMA_VERSION): string {
  const header = version === 0 ? `PRAGMA application_id = ${APPLICATION_ID};\n` : ''
  return `${SCHEMA_STEPS.slice(version, to).join('\n')}\n${header}PRAGMA user_version = ${to};`
}
