import { arityOfRow, hasOption, type Reading, readArgs } from '../../arguments/argument-parser.ts'
import { rateSql } from '../../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import type { Assess, PartFacts } from '../assessor/assessor.ts'
import { type DatabasePlace, databasePlace } from '../assessor/host-location.ts'

/** The verb before the SQL: `cockroach sql`. Without it they manage servers. */
const CLIENT_VERBS: ReadonlyMap<string, string> = new Map([
  ['clickhouse', 'client'],
  ['cockroach', 'sql'],
])

/** Changes that weigh less in a development database. */
const SMALL_CHANGES = new Set([
  'sql.insert',
  'sql.update',
  'sql.replace',
  'sql.create',
  'sql.alter',
  'sql.merge',
  'sql.comment',
])

/** `psql`, `mysql`, `sqlite3` and similar: rated by their SQL and by where the database is. */
export const assessSqlClient: Assess = (facts) => {
  const { part, program, row } = facts
  const { flag = [], reads = [] } = row.options ?? {}
  const reading = readArgs(part, arityOfRow(row))
  const verb = CLIENT_VERBS.get(program)
  if (verb !== undefined && reading.words[0]?.value !== verb) return rateEngine(program, reading)
  // Clients of a database in a file have options with one dash.
  const place = row.single_dash === true ? 'dev' : databasePlace(part, reading)
  const found = inlineSql(facts, reading).map((text) =>
    text === null ? finding('high', 'database.unknown', 'runs unknown SQL', 'unknown') : softened(rateSql(text), place),
  )
  const fed = part.stdin.kind === 'piped' || part.redirections.some((one) => one.operator === '<')
  if (hasOption(reading, new Set(reads)) || (fed && found.length === 0))
    found.push(
      finding(place === 'dev' ? 'medium' : 'high', 'database.script', 'runs SQL from a file or a pipe', 'unknown', {
        reach: 'unknown',
      }),
    )
  if (found.length === 0) {
    found.push(
      hasOption(reading, new Set(flag))
        ? finding('none', 'database.list', 'only lists databases')
        : finding(place === 'remote' ? 'medium' : 'low', 'database.session', 'opens a session', 'yes'),
    )
  }
  const worst = found.reduce((one, other) => (riskRank(other.level) > riskRank(one.level) ? other : one))
  return { ...worst, text: `${program}: ${worst.text}` }
}

/** SQL given as an option's value, as a plain word or on standard input. */
function inlineSql({ part, row }: PartFacts, reading: Reading): (string | null)[] {
  const found: (string | null)[] = []
  const runs = row.options?.runs ?? []
  for (const { name, value } of reading.options) if (runs.includes(name)) found.push(value ?? null)
  // `sqlite3 app.db 'SELECT 1'`
  if (row.single_dash === true) for (const { value } of reading.words.slice(1)) found.push(value)
  if (part.stdin.kind === 'literal') found.push(part.stdin.text)
  return found
}

function softened(found: RiskFinding, place: DatabasePlace): RiskFinding {
  if (place === 'remote' || found.level !== 'high' || !SMALL_CHANGES.has(found.rule)) return found
  return { ...found, level: 'medium' }
}

/** Verbs of `cockroach` and `clickhouse` other than the client. */
function rateEngine(program: string, reading: Reading): RiskFinding {
  const verb = reading.words[0]?.value ?? ''
  if (
    /^(?:version|help|statement-diag|debug|gen|doctor|local|format|compressor|benchmark|extract-from-config|obfuscator)$/.test(
      verb,
    ) ||
    (verb === 'node' && reading.words[1]?.value === 'status')
  )
    return finding('none', 'database.read', `${program} only reads`)
  if (/^(?:start-single-node|demo|workload|server|cert|auth-session)$/.test(verb))
    return finding('low', 'database.run', `${program} runs locally`)
  if (verb === '') return finding('low', 'database.session', `${program} opens a session`)
  return finding('high', 'database.engine', `${program} changes a database server`, 'partly')
}
