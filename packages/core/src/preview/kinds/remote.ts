import { isThisMachine } from '../../call/address/classify.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import { guessNotes, type Preview } from '../model/preview.ts'

const NAMES = ['method', 'http_method', 'httpMethod', 'verb']
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'CONNECT',
  'TRACE',
  'QUERY',
])

/** A request with its method, URL and remaining arguments; undefined for anything but a web request. */
export function httpPreview(call: FrozenCall, url: string): Preview | undefined {
  const { kind } = call.descriptor
  const given = methodOf(call.args)
  const parsed = kind === 'fetch' || kind === 'send' || given !== undefined ? parse(url) : undefined
  if (parsed === undefined) return undefined
  // A fetch uses GET; a send may use any method.
  const method = given?.toUpperCase() ?? (kind === 'fetch' ? 'GET' : null)
  const notes = [...guessNotes(call)]
  if (parsed.protocol === 'http:' && !isThisMachine(parsed.hostname))
    notes.push('not encrypted: anyone on the network path can read and change it')
  if (parsed.username !== '' || parsed.password !== '') notes.push('the URL contains a user name or password')
  if (parsed.hostname.includes('xn--')) notes.push('the host name has letters of other scripts')
  const more = (call.descriptor.urls?.length ?? 1) - 1
  if (more > 0) notes.push(`${more} more ${more === 1 ? 'URL' : 'URLs'} in the arguments`)
  return { kind: 'http', method, url, host: parsed.host, args: without(call.args, url, given), notes }
}

function methodOf(args: JsonObject): string | undefined {
  for (const name of NAMES) {
    const value = args[name]
    if (typeof value === 'string' && METHODS.has(value.toUpperCase())) return value
  }
  return undefined
}

function parse(url: string): URL | undefined {
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'http:' || parsed.protocol === 'https:' ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Arguments that name the store a query goes to. */
const STORES = ['database', 'db', 'database_name', 'databaseName', 'connection', 'connection_name', 'catalog', 'schema']

/** A query with its store, its effects and its full text. */
export function queryPreview(call: FrozenCall, sql: string, risk: RiskReport): Preview {
  const { server, name } = call.tool
  const named = STORES.map((key) => call.args[key]).find((value) => typeof value === 'string' && value !== '')
  const where = typeof named === 'string' ? named : (server ?? name)
  return {
    kind: 'query',
    store: where,
    sql,
    target: risk.target,
    effects: [...new Set(risk.reasons.map((reason) => reason.text))],
    args: without(call.args, sql),
  }
}

/** The arguments that are not shown otherwise. */
export function without(args: JsonObject, ...shown: readonly unknown[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value === undefined || !shown.includes(value)))
}
