import type { CommandPart } from '../../../command/model/decomposition.ts'
import { programRow, valuedOptionsOf } from '../../../knowledge/programs.ts'
import { arityOfRow, hasOption, lastValue, type Reading, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { rateSql } from '../../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { databasePlace } from '../assessor/host-location.ts'
import { matchVerb } from '../assessor/rate-verbs.ts'

/** How PostgreSQL's own programs read options. */
function readPostgres(part: CommandPart): Reading {
  return readArgs(part, {
    valued: valuedOptionsOf('pg_restore'),
    flags: new Set(programRow('pg_restore')?.options?.flag),
  })
}

/** `createdb`, `dropdb`, `createuser`, `dropuser`. */
export const assessCreateDrop: Assess = ({ part, program }) => {
  const reading = readPostgres(part)
  const name = reading.words[0]?.value
  const extent = { reach: 'one' as const, ...targetNamed(name) }
  switch (program) {
    case 'dropdb':
      return finding('critical', 'database.drop', 'dropdb drops a database', 'no', { ...extent, reach: 'all' })
    case 'createdb':
      return finding(
        databasePlace(part, reading) === 'remote' ? 'medium' : 'low',
        'database.create',
        'createdb creates a database',
        'yes',
        extent,
      )
    default:
      return finding('high', 'database.accounts', `${program} changes the accounts of a database`, 'partly', extent)
  }
}

/** `pg_restore`. */
export const assessPgRestore: Assess = ({ part, program }) => {
  // Unlike `psql -c`, this `-c` takes no value.
  const reading = readPostgres({ ...part, args: part.args.filter(({ value }) => value !== '-c') })
  if (part.args.some(({ value }) => value === '-l' || value === '--list'))
    return finding('none', 'database.list', `${program} only lists the contents of a dump`)
  const into = lastValue(reading, new Set(['-d', '--dbname']))
  const cleans = part.args.some(({ value }) => value === '--clean' || /^-[a-zA-Z]{0,4}c$/.test(value ?? ''))
  if (into === undefined && !cleans) return finding('low', 'database.script', `${program} writes a script`)
  return finding(
    'high',
    'database.restore',
    `${program} ${cleans ? 'overwrites' : 'loads data into'} a database`,
    cleans ? 'no' : 'partly',
    {
      reach: 'many',
      ...targetNamed(into ?? null),
    },
  )
}

/** `mongorestore`, `mongoimport`, `mysqlimport`. */
export const assessImport: Assess = ({ part, program }) => {
  if (part.args.some(({ value }) => value === '--dryRun'))
    return finding('none', 'database.dry-run', `${program} only shows what it would do`)
  const drops = part.args.some(({ value }) => value === '--drop' || value === '--delete')
  return finding(
    'high',
    'database.restore',
    `${program} ${drops ? 'drops collections and loads data' : 'loads data into a database'}`,
    drops ? 'no' : 'partly',
    { reach: 'many' },
  )
}

/** Kafka's own scripts: an option names the action. */
export const assessKafka: Assess = ({ part, program, row }) => {
  const reading = readArgs(part, arityOfRow(row))
  const has = (...names: readonly string[]) => hasOption(reading, new Set(names))
  const topic = lastValue(reading, new Set(['--topic', '--group', '--entity-name']))
  const extent = { reach: 'one' as const, ...targetNamed(topic) }
  if (has('--delete') || /delete-records|leader-election/.test(program)) {
    const wide = typeof topic === 'string' && /[*.+]/.test(topic)
    return finding(
      wide ? 'critical' : 'high',
      'messages.delete',
      `${program} deletes topics, groups or records`,
      'no',
      wide ? { ...extent, reach: 'many' } : extent,
    )
  }
  if (/consumer$|console-consumer|dump-log|get-offsets|broker-api|log-dirs|metadata/.test(program.replace(/\.sh$/, '')))
    return finding('none', 'messages.read', `${program} only reads`)
  if (has('--reset-offsets'))
    return has('--execute')
      ? finding('high', 'messages.offsets', `${program} changes the offsets of consumers`, 'partly', extent)
      : finding('none', 'messages.dry-run', `${program} only shows what it would do`)
  if (has('--list', '--describe', '--verify', '--version', '--generate'))
    return finding('none', 'messages.read', `${program} only reads`)
  if (has('--alter', '--add', '--remove', '--execute', '--delete-config', '--add-config'))
    return finding('high', 'messages.change', `${program} changes topics, settings or permissions`, 'partly', extent)
  if (/producer/.test(program))
    return finding('medium', 'messages.send', `${program} sends messages to a queue`, 'no', extent)
  if (/server-(?:start|stop)|zookeeper-server|storage/.test(program))
    return finding('medium', 'messages.server', `${program} starts or stops a server`, 'yes')
  return finding('medium', 'messages.change', `${program} changes a queue`, 'partly', extent)
}

/** `bq`: by verb, and by the SQL of a query. */
export const assessBq: Assess = (facts) => {
  const { finding: found, verb, reading } = matchVerb(facts)
  if (verb !== 'query') return found
  const rated: RiskFinding[] = reading.words
    .slice(1)
    .map(({ value }) =>
      value === null ? finding('high', 'database.unknown', 'runs unknown SQL', 'unknown') : rateSql(value),
    )
  const worst = rated.find(({ level }) => level === 'critical') ?? rated.find(({ level }) => level !== 'none')
  return worst === undefined ? found : { ...worst, text: `bq: ${worst.text}` }
}
