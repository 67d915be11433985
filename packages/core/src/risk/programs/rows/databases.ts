import {
  assessBq,
  assessCreateDrop,
  assessDump,
  assessImport,
  assessKafka,
  assessPgRestore,
  assessQueue,
  assessServerTool,
} from '../databases/administration.ts'
import { assessAlembic, assessFlyway, assessMigrator, assessNodeMigrations } from '../databases/migrations.ts'
import { assessMongo, assessRedis } from '../databases/nosql-clients.ts'
import { assessSqlClient } from '../databases/sql-clients.ts'
import { assessArtisan, assessDjango, assessFlask, assessRails } from '../interpreters/framework-commands.ts'
import { fixed, type ProgramRow, READS, SMALL } from './program-row.ts'

const KAFKA =
  'topics console-consumer console-producer consumer-groups configs acls delete-records dump-log get-offsets broker-api-versions ' +
  'log-dirs reassign-partitions leader-election server-start server-stop storage metadata-quorum verifiable-producer'

/** Programs for databases and queues. */
export const DATABASES: readonly ProgramRow[] = [
  [
    'psql pgcli usql mysql mariadb mycli sqlite3 sqlite litecli duckdb clickhouse-client clickhouse sqlcmd osql snowsql cockroach ' +
      'cqlsh trino presto',
    assessSqlClient,
  ],
  ['redis-cli valkey-cli keydb-cli', assessRedis],
  ['mongosh mongo', assessMongo],
  ['pg_dump mysqldump mariadb-dump pg_dumpall mongodump mongoexport pg_basebackup sqldiff', assessDump],
  ['pg_restore', assessPgRestore],
  ['mongorestore mongoimport mysqlimport', assessImport],
  ['createdb dropdb createuser dropuser', assessCreateDrop],
  [
    'mysqladmin mariadb-admin pg_ctl pg_ctlcluster initdb vacuumdb reindexdb clusterdb mysqlcheck pgbench',
    assessServerTool,
  ],
  [
    'pg_isready pg_config pg_controldata pg_lsclusters pg_verifybackup pgbadger pg_top mongostat mongotop redis-benchmark',
    READS,
  ],
  ['postgres mysqld mongod redis-server valkey-server', SMALL],
  ['pg_resetwal pg_rewind', fixed('critical', 'database.server', 'rewrites a database server’s own files')],
  [
    'pg_upgrade pg_createcluster pg_dropcluster mysql_upgrade mysql_secure_installation',
    fixed('high', 'database.server', 'changes a database server'),
  ],
  ['bq', assessBq],
  [
    `${KAFKA.split(' ')
      .flatMap((name) => [`kafka-${name}`, `kafka-${name}.sh`])
      .join(' ')}`,
    assessKafka,
  ],
  ['rabbitmqctl rabbitmqadmin rabbitmq-plugins rabbitmq-diagnostics nats rpk etcdctl pulsar-admin', assessQueue],
  [
    'prisma knex sequelize sequelize-cli typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm drizzle-kit mikro-orm',
    assessNodeMigrations,
  ],
  ['alembic aerich yoyo', assessAlembic],
  ['flask', assessFlask],
  ['flyway liquibase', assessFlyway],
  ['dbmate goose migrate sqlx diesel sea-orm-cli sqitch phinx hasura atlasgo', assessMigrator],
  ['rails', assessRails],
  ['django-admin manage.py', assessDjango],
  ['artisan console', assessArtisan],
]
