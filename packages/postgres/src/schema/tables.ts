/**
 * Version 1. Columns have the names of the store port, so that a row is the data. `n` rises with the time a row was
 * inserted: all writers hold the lock of `head`. Text is compared byte by byte, as SQLite does.
 */
const VERSION_1 = `
CREATE TABLE head (
  one integer PRIMARY KEY CHECK (one = 1),
  version integer NOT NULL,
  size bigint NOT NULL,
  frontier text NOT NULL,
  revision bigint NOT NULL,
  gates bigint NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE call (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  session text COLLATE "C",
  state text NOT NULL CHECK (state IN ('held', 'ready', 'decided', 'started', 'closed')),
  owner text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('ask', 'submit')),
  tool text NOT NULL,
  agent text NOT NULL,
  risk text NOT NULL,
  supervision text NOT NULL,
  rule text NOT NULL,
  "callDigest" text NOT NULL,
  "requestDigest" text,
  summary text NOT NULL,
  sealed bytea,
  "openedAt" bigint NOT NULL,
  "expiresAt" bigint,
  decision text,
  outcome text,
  "closedAt" bigint,
  contain text,
  approver text,
  "openedAfter" bigint NOT NULL,
  CHECK (state <> 'closed' OR sealed IS NULL)
) WITH (fillfactor = 70);
ALTER TABLE call ALTER COLUMN sealed SET STORAGE EXTERNAL;
CREATE INDEX call_open ON call (state, n) WHERE state <> 'closed';

-- How many calls wait and how many bytes they seal, in all ('t') and per session ('s…', 'n' for none).
CREATE TABLE held (key text COLLATE "C" PRIMARY KEY, n bigint NOT NULL, bytes bigint NOT NULL) WITH (fillfactor = 50);

CREATE TABLE standing (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  session text,
  body text NOT NULL,
  decision text NOT NULL,
  uses bigint NOT NULL,
  "maxUses" bigint,
  "expiresAt" bigint,
  "revokedAt" bigint
);

CREATE TABLE counter (
  session text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  amount double precision NOT NULL,
  PRIMARY KEY (session, name, at)
);

CREATE TABLE entry (
  seq bigint PRIMARY KEY,
  call text COLLATE "C",
  line text NOT NULL,
  leaf text NOT NULL
);
CREATE INDEX entry_call ON entry (call, seq) WHERE call IS NOT NULL;

CREATE TABLE span ("from" bigint PRIMARY KEY, "to" bigint NOT NULL, nodes text NOT NULL);

CREATE TABLE checkpoint (size bigint PRIMARY KEY, note text NOT NULL);

CREATE TABLE changed_file (
  workspace text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('written', 'deleted', 'moved')),
  content text NOT NULL,
  mark text NOT NULL,
  seen text,
  backup text,
  call text NOT NULL,
  agent text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (workspace, path)
);

CREATE TABLE unrecorded (
  workspace text COLLATE "C" NOT NULL,
  call text COLLATE "C" NOT NULL,
  agent text NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (workspace, call)
);

CREATE TABLE unseen_scope (
  workspace text COLLATE "C" PRIMARY KEY,
  everything text,
  "installedSince" bigint
);

-- Commits of the last hours by their own id: whoever lost the connection finds out here what became of one.
CREATE TABLE applied (id text PRIMARY KEY, at timestamptz NOT NULL);
CREATE INDEX applied_at ON applied (at);

-- Machines with gates on this store, each with a lease on the server's clock.
CREATE TABLE machine (id text PRIMARY KEY, name text NOT NULL, until timestamptz NOT NULL);

-- The gates that share this store: each version of the list is signed by a gate of the one before.
CREATE TABLE gate_list (version bigint PRIMARY KEY, body text NOT NULL);

-- Gates that ask to join, and the answer to each.
CREATE TABLE gate_request (
  id text PRIMARY KEY,
  request text NOT NULL,
  answer text,
  until timestamptz NOT NULL
);

INSERT INTO head VALUES (1, 1, 0, '', 0, 0);
`

/** Version 2: rows that services share, each for a while. Their values are sealed. */
const VERSION_2 = `
CREATE TABLE shared (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, until timestamptz NOT NULL);
CREATE INDEX shared_until ON shared (until);
`

/**
 * What each version adds to the one before. A new store goes through all of them too. INVARIANT: a step that was released
 * never changes; a test pins its hash.
 */
export const SCHEMA_STEPS: readonly string[] = [VERSION_1, VERSION_2]

/** The version this program reads and writes. A newer store is refused, an older one migrated. */
export const SCHEMA_VERSION = SCHEMA_STEPS.length
