import type { FrozenCall } from '../../call/call.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Preview } from '../model/preview.ts'

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
