import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { CountersignError, safeText } from '@countersign/core'
import { isLocal, isSocket, readServers, type StoreServer, serversAt, shownServer } from './servers.ts'

/** Where the store is, and how to connect to it. */
export interface StoreAddress {
  /** With several, the one that takes writes is used: the primary server. */
  readonly servers: readonly StoreServer[]
  readonly user: string
  readonly password: string | null
  readonly database: string
  /** The schema of this tenant. */
  readonly schema: string
  /** False: without TLS. */
  readonly tls: ConnectionOptions | false
  /** Whether statements may be prepared by name; some poolers lose them. */
  readonly prepare: boolean
  /** The address without the password, for messages. */
  readonly shown: string
}

const FORM = 'postgres://user:password@host/database'
const PARAMETERS = ['host', 'target_session_attrs', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'prepare']
const PORT = 5432
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/

/** Whether a text names a PostgreSQL store. */
export function isStoreAddress(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text)
}

/**
 * Reads `postgres://user:password@host:port,host:port/database?schema=…&sslmode=…`. A folder as `host=` is a Unix socket.
 * Nothing comes from the environment or from files of the account. SECURITY: A3
 */
export function parseStoreAddress(text: string): StoreAddress {
  if (!isStoreAddress(text)) throw unusable(`it must look like \`${FORM}\``)
  const url = readUrl(text)
  const parameters = new Map(url.searchParams)
  for (const name of parameters.keys())
    if (!PARAMETERS.includes(name))
      throw unusable(`unknown parameter \`${safeText(name)}\`; known are ${PARAMETERS.join(', ')}`)
  const database = decoded(url.pathname.slice(1))
  const user = decoded(url.username)
  if (user === '' || database === '') throw unusable(`it needs a user and a database, such as \`${FORM}\``)
  const servers = serversOf(text, parameters)
  const schema = parameters.get('schema') ?? 'countersign'
  if (!SCHEMA.test(schema))
    throw unusable(`\`schema\` must be lower-case letters, digits and underscores, not \`${safeText(schema)}\``)
  const prepare = parameters.get('prepare') ?? 'yes'
  if (prepare !== 'yes' && prepare !== 'no') throw unusable('`prepare` must be yes or no')
  return {
    servers,
    user,
    password: url.password === '' ? null : decoded(url.password),
    database,
    schema,
    tls: tlsOf(servers, parameters),
    prepare: prepare === 'yes',
    shown: safeText(`postgres://${user}@${servers.map(shownServer).join()}/${database}?schema=${schema}`),
  }
}

/** Stands in for the servers, of which URLs can have only one. */
const NO_HOST = 'no-host.invalid'
const AUTHORITY = /^postgres:\/\/([^/?#]*@)?([^/?#]*)/

function readUrl(text: string): URL {
  try {
    return new URL(
      text
        .replace(/^postgres(ql)?:\/\//, 'postgres://')
        .replace(AUTHORITY, (_, user = '') => `postgres://${user}${NO_HOST}`),
    )
  } catch (error) {
    throw unusable(
      `it must look like \`${FORM}\`; encode special characters of the password, such as \`%40\` for @`,
      error,
    )
  }
}

/** The servers that the address names. Only one that takes writes is of use, whether or not the address asks for it. */
function serversOf(text: string, parameters: ReadonlyMap<string, string>): readonly StoreServer[] {
  const wanted = parameters.get('target_session_attrs') ?? 'read-write'
  if (wanted !== 'read-write' && wanted !== 'primary') throw unusable('`target_session_attrs` must be read-write')
  const named = decoded(AUTHORITY.exec(text.replace(/^postgresql:/, 'postgres:'))?.[2] ?? '')
  const place = parameters.get('host')
  if (named === '' && place === undefined)
    throw unusable('it needs a host, or the folder of a socket as `?host=/run/postgresql`')
  const servers = named === '' ? undefined : readServers(named)
  if (named !== '' && servers === undefined)
    throw unusable(`\`${safeText(named)}\` is not a host; name up to five as \`db1.example:5432,db2.example\``)
  if (place === undefined) return servers ?? []
  const placed = serversAt(place, servers?.[0]?.port ?? PORT)
  if (placed === undefined) throw unusable('`host` must be up to five hosts or folders of sockets, separated by commas')
  return placed
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw unusable('it has an invalid `%` sequence; write % as `%25`', error)
  }
}

/** Another machine is verified unless the address asks for less; a socket or this machine needs no TLS. */
function tlsOf(servers: readonly StoreServer[], parameters: ReadonlyMap<string, string>): ConnectionOptions | false {
  const mode = parameters.get('sslmode') ?? (servers.every(isLocal) ? 'disable' : 'verify-full')
  const files = ['sslrootcert', 'sslcert', 'sslkey'].filter((name) => parameters.has(name))
  if (mode === 'disable') {
    if (files.length > 0) throw unusable(`\`${files[0]}\` needs \`sslmode=verify-full\``)
    return false
  }
  if (servers.some(isSocket)) throw unusable('a Unix socket has no TLS; remove `sslmode`')
  if (mode !== 'verify-full' && mode !== 'verify-ca' && mode !== 'require')
    throw unusable(`\`sslmode\` must be verify-full, verify-ca, require or disable, not \`${safeText(mode)}\``)
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => certificate(name, parameters.get(name)))
  return {
    rejectUnauthorized: mode !== 'require',
    minVersion: 'TLSv1.2',
    ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}),
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  }
}

function certificate(name: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw unusable(`the file of \`${name}\` can’t be read; check \`${safeText(path)}\``, error)
  }
}

function unusable(why: string, cause?: unknown): CountersignError {
  return new CountersignError('CS_STORE_OPEN', `the address of the store can’t be used: ${why}`, { cause })
}
