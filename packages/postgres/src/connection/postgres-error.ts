import { CountersignError, type ErrorCode, safeText } from '@countersign/core'
import pg from 'pg'

/** The code of an error when several servers are named and only standbys answer. */
export const NO_PRIMARY = 'NO_PRIMARY'

const UNTRUSTED =
  'the server’s certificate is not signed by a known authority; add `sslrootcert=` with the file of its authority to the address'

/** What a person can do, by SQLSTATE or by the code of a failed connection. */
const ADVICE: { readonly [code: string]: string } = {
  [NO_PRIMARY]: 'every server that answers is a standby; check the primary server, or promote a standby',
  ECONNREFUSED: 'the server refused the connection; check that PostgreSQL is running and the address is right',
  ENOENT: 'there is no socket at this address; check that PostgreSQL is running',
  ENOTFOUND: 'the host name is unknown; check the address',
  ETIMEDOUT: 'the server did not answer; check the network and the firewall',
  ECONNRESET: 'the connection was lost; check the server and the network',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_HAS_EXPIRED: 'the server’s certificate has expired; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the server’s certificate is for another host name; use that name in the address, or `sslmode=verify-ca`',
  EPIPE: 'the connection was lost; check the server and the network',
  '26000': 'a pooler loses prepared statements; add `prepare=no` to the address of the store',
  '42P05': 'a pooler loses prepared statements; add `prepare=no` to the address of the store',
  '25006': 'the server is read-only; use the address of the primary server',
  '28000': 'the server refused this user; check the user, `pg_hba.conf`, and whether it needs TLS (`sslmode=require`)',
  '28P01': 'the password is wrong; check the address of the store',
  '3D000': 'there is no such database; create it with `createdb`',
  '3F000': 'the schema is missing; run `countersign store migrate`',
  '42501': 'this user lacks a permission; grant it, or use the role that owns the schema',
  '42P01': 'the tables are missing; run `countersign store migrate`',
  '53100': 'the disk of the server is full; free some space and try again',
  '53200': 'the server is out of memory; check the server',
  '53300': 'the server has no free connection; raise `max_connections` or use a pooler',
  '55P03': 'another gate holds the journal for too long; find it in `pg_stat_activity` and end it',
  '57014': 'the server took too long; check its load and try again',
  '57P01': 'the server ended the connection; try again',
  '57P02': 'the server crashed; check its log and try again',
  '57P03': 'the server is starting or shutting down; try again',
  '25P03': 'this process was stopped for too long; try again',
}

/** Errors of the driver that have no code. */
const SAID: { readonly [message: string]: string } = {
  'timeout expired': 'ETIMEDOUT',
  'Connection terminated due to connection timeout': 'ETIMEDOUT',
  'Connection terminated unexpectedly': 'ECONNRESET',
  'Connection terminated': 'ECONNRESET',
}

/** What the driver threw, as one line that tells what to do. Ours stay as they are. */
export function storeError(error: unknown, code: ErrorCode, doing: string): CountersignError {
  if (error instanceof CountersignError) return error
  const said = error instanceof Error ? error.message : String(error)
  const advice = ADVICE[codeOf(error) || (SAID[said] ?? '')]
  const detail = safeText(said.replaceAll(/\s+/g, ' ').slice(0, 200))
  return new CountersignError(code, `${doing}: ${advice ?? `${detail}; check the server and its log`}`, {
    cause: error,
  })
}

/** SQLSTATE, or the system's code of a failed connection; empty if there is neither. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The server answered with an error, and the connection goes on. */
export function isAnswer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isEnding(error)
}

/** The connection is lost or the server ends it: what it was about to do may have happened. */
export function isEnding(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || error.severity === undefined || error.severity !== 'ERROR'
}

/** A value that the server can’t take: it concerns one change, not the store. */
export function isDataError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^2[1-3]/.test(codeOf(error))
}
