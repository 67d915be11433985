import { type Arity, hasOption, type Reading, readArgs } from '../../arguments/argument-parser.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { rateSql } from '../../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import type { Assess, PartFacts } from '../assessor/assessor.ts'
import { type DatabasePlace, databasePlace } from '../assessor/host-location.ts'

/** How a client takes its SQL. */
interface Client extends Arity {
  /** Options whose value is SQL. */
  readonly code: ReadonlySet<string>
  readonly file: ReadonlySet<string>
  /** From which plain word on there is SQL; none when absent. */
  readonly plain?: number
  /** Options that only look. */
  readonly looks?: ReadonlySet<string>
  /** The verb before the SQL: `cockroach sql`. */
  readonly verb?: string
}

const LONG =
  '--host --port --username --user --dbname --database --password --set --variable --socket --server --protocol --format ' +
  '--hostname --url --uri --warehouse --schema --account --catalog'

/** A client by its options for SQL and for files, and by its short options with a value. */
const client = (code: string, file: string, short: string, more: Partial<Client> = {}): Client => ({
  code: wordSet(code),
  file: wordSet(file),
  flags: new Set(),
  valued: wordSet(`${LONG} ${code} ${file} ${short}`),
  ...more,
})

const LISTS = { looks: wordSet('-l --list') }

const CLIENTS: ReadonlyMap<string, Client> = new Map([
  ['psql', client('-c --command', '-f --file', '-d -F -h -L -o -p -P -R -T -U -v', LISTS)],
  ['pgcli', client('-c', '-f', '-h -p -U -u -d', LISTS)],
  ['usql', client('-c --command', '-f --file', '-o -v -P')],
  ['mysql', client('-e --execute', '', '-h -P -u -D -S', { attached: new Set(['-p']) })],
  ['sqlite3', client('-cmd', '-init', '-separator -newline -nullvalue -maxsize', { plain: 1, oneDash: true })],
  ['duckdb', client('-c -s -cmd', '-f -init', '-separator -newline -nullvalue', { plain: 1, oneDash: true })],
  ['sqlcmd', client('-Q -q', '-i', '-S -U -P -d -o -s -t -l -h -w -v')],
  ['snowsql', client('-q --query', '-f --filename', '-a -u -d -s -r -w -c -o -D')],
  ['clickhouse-client', client('-q --query', '--queries-file', '-h -u -d -m')],
  ['clickhouse', client('-q --query', '--queries-file', '-h -u -d -m', { verb: 'client' })],
  ['cockroach', client('-e --execute', '-f --file', '-d -u -p', { verb: 'sql' })],
  ['cqlsh', client('-e --execute', '-f --file', '-u -p -k')],
  ['trino', client('--execute', '-f --file', '')],
])
const OTHER = client('-c -e', '-f', '')
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['mariadb', 'mysql'],
  ['mycli', 'mysql'],
  ['litecli', 'sqlite3'],
  ['sqlite', 'sqlite3'],
  ['presto', 'trino'],
  ['osql', 'sqlcmd'],
])

/** Changes that are smaller in a database for work than in one that others use. */
const SMALL_CHANGES = new Set([
  'sql.insert',
  'sql.update',
  'sql.replace',
  'sql.create',
  'sql.alter',
  'sql.merge',
  'sql.comment',
])

/** `psql`, `mysql`, `sqlite3` and their like: rated by the SQL they are given and by where the database lies. */
export const assessSqlClient: Assess = (facts) => {
  const { part, program } = facts
  const known = CLIENTS.get(ALIASES.get(program) ?? program) ?? OTHER
  const reading = readArgs(part, known)
  if (known.verb !== undefined && reading.words[0]?.value !== known.verb) return rateEngine(program, reading)
  const place = known.oneDash === true ? 'dev' : databasePlace(part, reading)
  const found = inlineSql(facts, known, reading).map((text) =>
    text === null
      ? finding('high', 'database.unknown', 'runs SQL that is not known', 'unknown')
      : softened(rateSql(text), place),
  )
  const fed = part.stdin.kind === 'piped' || part.redirections.some((one) => one.operator === '<')
  if (hasOption(reading, known.file) || (fed && found.length === 0))
    found.push(
      finding(place === 'dev' ? 'medium' : 'high', 'database.script', 'runs SQL from a file or a pipe', 'unknown', {
        reach: 'unknown',
      }),
    )
  if (found.length === 0) {
    const looks = known.looks !== undefined && hasOption(reading, known.looks)
    found.push(
      looks
        ? finding('none', 'database.list', 'only lists databases')
        : finding(place === 'remote' ? 'medium' : 'low', 'database.session', 'opens a session', 'yes'),
    )
  }
  const worst = found.reduce((one, other) => (riskRank(other.level) > riskRank(one.level) ? other : one))
  return { ...worst, text: `${program}: ${worst.text}` }
}

/** SQL given as an option's value, as a plain word or on standard input. */
function inlineSql({ part }: PartFacts, known: Client, reading: Reading): (string | null)[] {
  const found: (string | null)[] = []
  for (const { name, value } of reading.options) if (known.code.has(name)) found.push(value ?? null)
  if (known.plain !== undefined) for (const { value } of reading.words.slice(known.plain)) found.push(value)
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
    return finding('low', 'database.run', `${program} runs here`)
  if (verb === '') return finding('low', 'database.session', `${program} opens a session`)
  return finding('high', 'database.engine', `${program} changes a database server`, 'partly')
}
