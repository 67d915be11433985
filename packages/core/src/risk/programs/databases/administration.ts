import { hasOption, lastValue, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { rateSql } from '../../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { databasePlace } from '../assessor/host-location.ts'
import { byRows, verbRater } from '../assessor/verb-table.ts'

const READS = 'only reads'
const POSTGRES = {
  valued: wordSet(
    '-h --host -p --port -U --username -d --dbname --database -f --file -F --format -j --jobs -t --table -n --schema -N -T -O --owner -T --template -E --encoding -l -D --maintenance-db -c',
  ),
  flags: wordSet('--clean --if-exists --create -C -e --echo -i --interactive'),
}

/** `createdb`, `dropdb`, `createuser`, `dropuser`. */
export const assessCreateDrop: Assess = ({ part, program }) => {
  const reading = readArgs(part, POSTGRES)
  const name = reading.words[0]?.value
  const extent = { reach: 'one' as const, ...targetNamed(name) }
  switch (program) {
    case 'dropdb':
      return finding('critical', 'database.drop', 'dropdb drops a database', 'no', { ...extent, reach: 'all' })
    case 'createdb':
      return finding(
        databasePlace(part, reading) === 'remote' ? 'medium' : 'low',
        'database.create',
        'createdb makes a database',
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
  const reading = readArgs({ ...part, args: part.args.filter(({ value }) => value !== '-c') }, POSTGRES)
  if (part.args.some(({ value }) => value === '-l' || value === '--list'))
    return finding('none', 'database.list', `${program} only lists what a dump holds`)
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

/** `pg_dump`, `mysqldump`, `mongodump` and their like: a copy of the data. */
export const assessDump: Assess = ({ program }) =>
  finding('low', 'database.dump', `${program} writes a copy of the data`, 'yes')

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

/** `mysqladmin`, `pg_ctl`, `pg_ctlcluster`, `initdb`, `vacuumdb`, `reindexdb`. */
export const assessServerTool = byRows({
  family: 'database',
  shape: 'compound',
  valued: '-h --host -P --port -u --user -D --pgdata -l --log -o -m --mode -w -t -S --socket -d --dbname -U -p',
  bare: ['medium', 'works on a database server'],
  rows: [
    ['none', 'yes', READS, 'status, ping, version, processlist, variables, extended-status, proc, stat'],
    ['low', 'yes', 'starts a server or makes a database', 'start, create, init, initdb, reload'],
    [
      'medium',
      'yes',
      'stops or restarts a server',
      'stop, restart, flush-hosts, flush-logs, flush-status, flush-tables, refresh, promote, start-slave, start-replica, analyze',
    ],
    [
      'high',
      'partly',
      'changes a server',
      'shutdown, password, kill, flush-privileges, stop-slave, stop-replica, debug, register, unregister',
    ],
    ['critical', 'no', 'drops a database', 'drop', 'all'],
  ],
  flags: [{ flags: '--full', level: 'high', back: 'partly', says: 'rewrites and locks tables' }],
  otherwise: 'medium',
})

const KAFKA = {
  valued: wordSet(
    '--bootstrap-server --topic --group --zookeeper --broker-list --partitions --replication-factor --config --from-beginning --entity-type --entity-name --offset-json-file --consumer.config --command-config --property --max-messages --partition --offset --producer.config',
  ),
  flags: wordSet('--list --describe --delete --create --alter --execute --dry-run --from-beginning'),
}

/** Kafka's own scripts, which say what to do by an option. */
export const assessKafka: Assess = ({ part, program }) => {
  const reading = readArgs(part, KAFKA)
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
      ? finding('high', 'messages.offsets', `${program} changes where readers stand`, 'partly', extent)
      : finding('none', 'messages.dry-run', `${program} only shows what it would do`)
  if (has('--list', '--describe', '--verify', '--version', '--generate'))
    return finding('none', 'messages.read', `${program} only reads`)
  if (has('--alter', '--add', '--remove', '--execute', '--delete-config', '--add-config'))
    return finding('high', 'messages.change', `${program} changes topics, settings or rights`, 'partly', extent)
  if (/producer/.test(program))
    return finding('medium', 'messages.send', `${program} sends messages to a queue`, 'no', extent)
  if (/server-(?:start|stop)|zookeeper-server|storage/.test(program))
    return finding('medium', 'messages.server', `${program} starts or stops a server`, 'yes')
  return finding('medium', 'messages.change', `${program} changes a queue`, 'partly', extent)
}

/** `rabbitmqctl`, `rabbitmqadmin`, `rabbitmq-plugins`, `nats`, `rpk`, `kcat`, `etcdctl`, `pulsar-admin`. */
export const assessQueue = byRows({
  family: 'messages',
  shape: 'compound',
  valued:
    '-n --node -p --vhost -H --host -P --port -u --username --password -b -t -G -s --server --endpoints --cacert --cert --key -q --timeout -X --creds --context --brokers',
  bare: ['none', 'is given no command'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, ping, list_queues, list_exchanges, list_bindings, list_users, list_vhosts, list_permissions, list_connections, list_channels, list_consumers, list_policies, list_parameters, cluster_status, environment, report, node_health_check, version, list, show, get, stream ls, stream info, stream report, consumer ls, consumer info, server check, server list, account info, kv ls, kv get, topic list, topic describe, topic consume, group list, group describe, cluster info, cluster health, endpoint status, endpoint health, member list, alarm list, snapshot status, watch, help, context ls, sub, stream view, diagnostics, check_running, await_startup, list_operator_policies, list_user_permissions',
    ],
    [
      'low',
      'yes',
      'writes a copy or prepares something',
      'export, snapshot save, stream backup, export_definitions, context add, context save, context select, bench',
    ],
    [
      'medium',
      'partly',
      'sends a message or makes a queue',
      'publish, pub, request, req, declare, topic produce, topic create, stream add, consumer add, kv put, kv add, enable, put, reply, stream create',
    ],
    [
      'high',
      'partly',
      'changes a server, its queues or its accounts',
      'add_user, change_password, set_user_tags, set_permissions, clear_permissions, add_vhost, set_policy, clear_policy, set_parameter, stop, stop_app, start_app, shutdown, import, import_definitions, close_connection, close_all_connections, join_cluster, disable, stream edit, topic alter-config, topic add-partitions, user add, role add, auth enable, auth disable, member add, move-leader, defrag, compaction, rotate_logs, stream restore, txn, group seek, cluster config set, lock',
    ],
    [
      'high',
      'no',
      'deletes queues, keys or accounts',
      'delete, delete_user, delete_queue, purge_queue, purge, clear_password, stream rm, stream purge, consumer rm, kv del, kv rm, kv purge, topic delete, group delete, del, user delete, role delete, member remove, topic trim-prefix, object del, forget_cluster_node',
    ],
    ['critical', 'no', 'empties a whole server', 'reset, force_reset, delete_vhost, snapshot restore', 'all'],
  ],
  flags: [
    {
      verbs: 'del',
      flags: '--prefix --from-key',
      level: 'critical',
      back: 'no',
      says: 'deletes every key below a prefix',
      reach: 'all',
    },
  ],
  otherwise: 'medium',
})

const bq = verbRater({
  family: 'cloud',
  valued:
    '--project_id --dataset_id --location --format --destination_table --max_rows -n --schema --source_format --job_id --time_partitioning_field --expiration --description --label --parameter',
  plain: '-f --force -r --recursive --nouse_legacy_sql --quiet -q --replace --append_table',
  dry: '--dry_run',
  rows: [
    ['none', 'yes', READS, 'ls, show, head, version, help, info, wait, get-iam-policy'],
    ['low', 'yes', 'prepares something here', 'init, shell'],
    ['medium', 'partly', 'makes or loads tables', 'mk, load, insert, extract, cp, snapshot, partition'],
    [
      'high',
      'partly',
      'changes a dataset',
      'update, set-iam-policy, add-iam-policy-binding, remove-iam-policy-binding, undelete, cancel, mkdef',
    ],
    ['high', 'no', 'deletes a table or a dataset', 'rm, truncate'],
    ['none', 'yes', 'only asks', 'query'],
  ],
  flags: [
    {
      verbs: 'rm',
      flags: '-r --recursive',
      level: 'critical',
      back: 'no',
      says: 'deletes a dataset with all tables',
      reach: 'all',
    },
    { verbs: 'load', flags: '--replace', level: 'high', back: 'no', says: 'overwrites a table' },
  ],
  otherwise: 'high',
})

/** `bq`: by verb, and by the SQL of a query. */
export const assessBq: Assess = (facts) => {
  const { finding: found, verb, reading } = bq(facts)
  if (verb !== 'query') return found
  const rated: RiskFinding[] = reading.words
    .slice(1)
    .map(({ value }) =>
      value === null ? finding('high', 'database.unknown', 'runs SQL that is not known', 'unknown') : rateSql(value),
    )
  const worst = rated.find(({ level }) => level === 'critical') ?? rated.find(({ level }) => level !== 'none')
  return worst === undefined ? found : { ...worst, text: `bq: ${worst.text}` }
}
