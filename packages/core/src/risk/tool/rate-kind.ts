import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { methodOf, rateRequest } from '../query/http-request.ts'
import { rateSql } from '../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { RatedCall } from '../report/rating-input.ts'

/** Rates a call by its kind, from its registration or the table of host tools. */
export function rateKind(call: RatedCall, located: readonly LocatedPath[]): readonly RiskFinding[] {
  const { kind, sql, url, urls } = call.descriptor
  const named = located.length > 0
  switch (kind) {
    case 'read':
      return [finding('none', 'tool.read', 'only reads')]
    case 'write':
      return [
        named
          ? finding('medium', 'tool.write', 'writes files')
          : finding('high', 'tool.write-unknown', 'writes to an unknown location'),
      ]
    case 'delete':
      return [
        named
          ? rateDeletion(located, false)
          : finding('high', 'tool.delete-unknown', 'deletes something unknown', 'no'),
      ]
    case 'move':
      return [finding(named ? 'medium' : 'high', 'tool.move', 'moves or renames files')]
    case 'execute':
      return [finding('high', 'tool.execute', 'runs code that is not shown', 'unknown')]
    case 'fetch':
      if (url === undefined && ARGUMENT_NAMES.webSearches.some((name) => typeof call.args[name] === 'string'))
        return [finding('low', 'network.search', 'searches the web')]
      return rateRequest(methodOf('', call.args), urls ?? (url === undefined ? [] : [url]))
    case 'query':
      return [sql === undefined ? finding('medium', 'tool.query', 'queries a store') : rateSql(sql)]
    case 'send':
      return url !== undefined && methodOf('', call.args) !== 'get'
        ? rateRequest(methodOf('', call.args), urls ?? [url])
        : [finding('high', 'tool.send', 'sends something to others', 'no')]
    case 'other':
      return [finding('medium', 'tool.other', 'has an unknown effect', 'unknown')]
  }
}

/** Deleting one file is medium, deleting more is high; files that can be recreated stay medium. */
export function rateDeletion(located: readonly LocatedPath[], saysFile: boolean): RiskFinding {
  const gone = located.filter(({ use }) => use === 'delete')
  if (gone.length > 0 && gone.length < located.length) return rateDeletion(gone, saysFile)
  if (located.every(({ created }) => created === true))
    return finding('low', 'tool.delete-created', 'deletes a file that an agent’s call created', 'yes')
  const spare = located.every(({ place }) => place === 'regenerable' || place === 'temp')
  if (spare) return finding('medium', 'tool.delete-spare', 'deletes files that can be recreated', 'yes')
  const folder = located.some(({ given }) => given.endsWith('/') || (!saysFile && !/\.[^./]+$/.test(given)))
  if (located.length > 1 || folder) {
    return finding('high', 'tool.delete-many', 'deletes a folder or several files', 'no')
  }
  return finding('medium', 'tool.delete', 'deletes a file')
}
