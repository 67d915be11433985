import type { CommandPart } from '../../../command/model/decomposition.ts'
import { lastValue, type Reading } from '../../arguments/argument-parser.ts'
import { isProduction } from './production-target.ts'

/** Where a database is: for development, on this machine, or shared with others. */
export type DatabasePlace = 'dev' | 'local' | 'remote'

const HOST = new Set(['-h', '--host', '--hostname', '-H', '-S', '--server', '--url', '--uri', '-u'])
const NAMES = new Set(['-d', '--dbname', '--database', '-D', '--db'])
const HOST_VARIABLES = new Set(['PGHOST', 'MYSQL_HOST', 'DATABASE_URL', 'REDIS_HOST', 'PGDATABASE'])

const LOCAL_HOST =
  /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\]|0\.0\.0\.0|host\.docker\.internal|db|postgres|postgresql|mysql|mariadb|redis|mongo|mongodb|database|cockroach|clickhouse|elasticsearch|\/.*|[\w-]+\.(?:local|localhost|test))$/i
const DEV = /(?:^|[^a-z])(?:dev|devel|development|test|tests|testing|local|sandbox|scratch|tmp|demo|ci)(?:[^a-z]|$)/i

/** Whether a host is this machine or a service of the project's own Compose file. */
export function isLocalHost(host: string): boolean {
  return host.length <= 255 && (LOCAL_HOST.test(host) || (!host.includes('.') && DEV.test(host)))
}

/** The host of a URL such as `postgres://user@host:5432/name`. */
export function hostOf(address: string): string | null {
  const rest = /^[a-z][a-z0-9+.-]{0,20}:\/\/([^/?#]*)/i.exec(address.slice(0, 2048))?.[1]
  if (rest === undefined) return null
  const host = rest.slice(rest.lastIndexOf('@') + 1)
  return (host.startsWith('[') ? /^\[[^\]]*\]/.exec(host)?.[0] : host.split(':')[0]) ?? null
}

/** Where the database of a client's command is. Unknown counts as remote. */
export function databasePlace(part: CommandPart, reading: Reading): DatabasePlace {
  let place: DatabasePlace = 'local'
  const dev = (name: string) => {
    if (place === 'local' && DEV.test(name)) place = 'dev'
  }
  for (const { name, value } of part.assignments) {
    if (!HOST_VARIABLES.has(name)) continue
    if (value === null || isProduction(value) || !isLocalHost(hostOf(value) ?? value)) return 'remote'
    dev(value)
  }
  const host = lastValue(reading, HOST)
  if (host === null) return 'remote'
  for (const word of reading.words) {
    if (word.value === null)
      return /DATABASE|_UR[IL]|DSN|CONN|PROD/i.test(part.args[word.at]?.text ?? '') ? 'remote' : place
    const inside = hostOf(word.value)
    if (inside !== null) {
      if (!isLocalHost(inside)) return 'remote'
      place = 'dev'
    }
    if (word.value.length < 200 && !/\s/.test(word.value)) {
      if (isProduction(word.value)) return 'remote'
      dev(word.value)
    }
  }
  if (host !== undefined && host !== '' && !/^-/.test(host)) {
    const name = hostOf(host) ?? host
    // `-u` is the user for some clients: a plain word does not show the place.
    const isName =
      lastValue(reading, new Set(['-h', '--host', '--hostname', '-H', '-S', '--server', '--url', '--uri'])) !==
        undefined || host.includes('://')
    if (isName && !isLocalHost(name)) return 'remote'
    if (isName) place = 'dev'
  }
  const database = lastValue(reading, NAMES)
  if (typeof database === 'string') {
    if (isProduction(database)) return 'remote'
    const inside = hostOf(database)
    if (inside !== null && !isLocalHost(inside)) return 'remote'
    dev(database)
  }
  return place
}
