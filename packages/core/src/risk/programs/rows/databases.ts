import { assessMongo, assessRedis, assessSqlClient } from '../databases.ts'
import { fixed, type ProgramRow, SMALL } from './row.ts'

/** Programs for databases. */
export const DATABASES: readonly ProgramRow[] = [
  ['psql mysql mariadb sqlite3 duckdb clickhouse-client sqlcmd cockroach', assessSqlClient],
  ['redis-cli valkey-cli', assessRedis],
  ['mongosh mongo', assessMongo],
  ['pg_dump mysqldump pg_dumpall mongodump', SMALL],
  ['pg_restore mongorestore createdb dropuser createuser', fixed('high', 'database.change', 'changes a database')],
  ['dropdb', fixed('critical', 'database.drop', 'drops a database')],
]
