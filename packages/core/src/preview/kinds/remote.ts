import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import { guessNotes, type Preview } from '../model/preview.ts'

const NAMES = ['method', 'http_method', 'httpMethod', 'verb']
const VERBS: ReadonlySet<string> = new Set('GET HEAD OPTIONS POST PUT PATCH DELETE CONNECT TRACE QUERY'.split(' '))

/** A request by its verb and where it goes; what is sent along stands below. Undefined for what is no web request. */
export function httpPreview(call: FrozenCall, url: string): Preview | undefined {
  const { kind } = call.descriptor
  const given = methodOf(call.args)
  const parsed = kind === 'fetch' || kind === 'send' || given !== undefined ? parse(url) : undefined
  if (parsed === undefined) return undefined
  // What only fetches does so with GET; what sends may use any verb.
  const method = given?.toUpperCase() ?? (kind === 'fetch' ? 'GET' : null)
  const notes = [...guessNotes(call)]
  if (parsed.protocol === 'http:' && !isLocal(parsed.hostname))
    notes.push('not encrypted: others on the way can read and change it')
  if (parsed.username !== '' || parsed.password !== '') notes.push('the address carries a name or a password')
  if (parsed.hostname.includes('xn--')) notes.push('the host’s name has letters of other scripts')
  const more = (call.descriptor.urls?.length ?? 1) - 1
  if (more > 0) notes.push(`${more} more ${more === 1 ? 'address stands' : 'addresses stand'} in the arguments`)
  return { kind: 'http', method, url, host: parsed.host, args: without(call.args, url, given), notes }
}

function methodOf(args: JsonObject): string | undefined {
  for (const name of NAMES) {
    const value = args[name]
    if (typeof value === 'string' && VERBS.has(value.toUpperCase())) return value
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

function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\./.test(host)
}

/** Arguments that name the store a query goes to. */
const STORES = ['database', 'db', 'database_name', 'databaseName', 'connection', 'connection_name', 'catalog', 'schema']

/** A query by where it goes, what it does there, and its full text. */
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

/** The arguments that the picture is not made of. */
export function without(args: JsonObject, ...shown: readonly unknown[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value === undefined || !shown.includes(value)))
}
