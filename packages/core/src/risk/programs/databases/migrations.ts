import { byRows, type VerbRow } from '../assessor/verb-table.ts'

const READS = 'only reads'
const MIGRATES = 'changes the shape of a database'
const EMPTIES = 'drops a database or all that is in it'

const NODE_ROWS: readonly VerbRow[] = [
  [
    'none',
    'yes',
    READS,
    'validate, format --check, migrate status, migrate diff, db:migrate:status, migrate:list, migrate:status, migrate:currentversion, migration:show, migration:pending, migration:list, query, schema:log, version, check, status, debug, db execute --help, help, introspect --print, migration:check, platform status',
  ],
  [
    'low',
    'yes',
    'writes files of the project',
    'generate, format, init, studio, db pull, introspect, migrate:make, seed:make, migration:generate, migration:create, model:generate, seed:generate, init:config, init:models, db:create, entity:create, pull, up --custom, migrate resolve --help, migration:init, cache:clear, export, dev',
  ],
  [
    'medium',
    'partly',
    MIGRATES,
    'migrate dev, db push, push, migrate, db seed, db:migrate, db:seed, db:seed:all, migrate:latest, migrate:up, migration:run, migration:up, seed:run, schema:sync, schema:update, schema:create, migrate resolve, migrate:unlock, up, seeder:run, database:seed, database:create, db:seed:undo',
  ],
  ['high', 'partly', 'changes the shape of a live database', 'migrate deploy, db execute'],
  [
    'high',
    'partly',
    'takes changes of a database back',
    'migrate:rollback, migrate:down, migration:revert, migration:down, db:migrate:undo, down, db:seed:undo:all',
  ],
  [
    'high',
    'no',
    'empties a database and makes it anew',
    'migrate reset, migration:fresh, schema:fresh, db:migrate:undo:all',
    'all',
  ],
  ['critical', 'no', EMPTIES, 'db:drop, schema:drop, drop, database:drop, migrate down --all', 'all'],
]

/** `prisma`, `knex`, `sequelize`, `typeorm`, `drizzle-kit`, `mikro-orm`. */
export const assessNodeMigrations = byRows({
  family: 'database',
  valued:
    '--name -n --schema --url --env --config --knexfile --cwd -d --dataSource --migrations-path --to --from --datasource --file --preview-feature --dialect',
  rows: NODE_ROWS,
  flags: [
    {
      verbs: 'db push, push',
      flags: '--accept-data-loss --force-reset --force',
      level: 'high',
      back: 'no',
      says: 'may drop columns or tables with their data',
      reach: 'all',
    },
    {
      verbs: 'migrate:rollback, migrate:down',
      flags: '--all',
      level: 'high',
      back: 'no',
      says: 'takes every change of a database back',
      reach: 'all',
    },
    { verbs: 'format', flags: '--check', level: 'none', back: 'yes', says: 'only checks' },
  ],
  otherwise: 'medium',
})

/** `alembic`, `flask db`, `aerich`, `yoyo`. */
export const assessAlembic = byRows({
  family: 'database',
  valued: '-c --config -x -n --name -m --message --rev-id --head -d --directory -b --batch',
  rows: [
    ['none', 'yes', READS, 'current, history, heads, branches, show, check, list_templates, list, inspectdb'],
    ['low', 'yes', 'writes files of the project', 'revision, init, merge, new, migrate, edit, init-db'],
    ['medium', 'partly', MIGRATES, 'upgrade, stamp, apply, develop'],
    ['high', 'no', 'takes changes of a database back', 'downgrade, rollback, reapply'],
  ],
  flags: [
    {
      verbs: 'upgrade, downgrade, stamp',
      flags: '--sql',
      level: 'none',
      back: 'yes',
      says: 'only prints what it would do',
    },
  ],
  otherwise: 'medium',
})

/** `flyway`, `liquibase`. */
export const assessFlyway = byRows({
  family: 'database',
  oneDash: true,
  valued:
    '-url -user -password -configFiles -locations -schemas --url --username --password --changelog-file --defaults-file --count --tag --contexts',
  rows: [
    [
      'none',
      'yes',
      READS,
      'info, validate, version, help, status, diff, history, check, list-locks, snapshot, update-sql, updatesql, rollback-sql, future-rollback-sql, changelog-sync-sql, db-doc, check-drift, list-engines',
    ],
    [
      'low',
      'yes',
      'writes files of the project',
      'generate-changelog, generatechangelog, init, diff-changelog, snapshot-reference, generate, add',
    ],
    [
      'medium',
      'partly',
      'changes the record of what was run',
      'baseline, repair, tag, changelog-sync, mark-next-changeset-ran, release-locks, clear-checksums, auth',
    ],
    [
      'high',
      'partly',
      MIGRATES,
      'migrate, update, update-count, update-to-tag, update-testing-rollback, deploy, execute-sql',
    ],
    [
      'high',
      'no',
      'takes changes of a database back',
      'undo, rollback, rollback-count, rollback-to-date, rollback-one-changeset',
    ],
    ['critical', 'no', EMPTIES, 'clean, drop-all, dropall', 'all'],
  ],
  otherwise: 'high',
})

/** `dbmate`, `goose`, `migrate`, `sqlx`, `diesel`, `sea-orm-cli`, `atlas`, `sqitch`, `phinx`, `hasura`. */
export const assessMigrator = byRows({
  family: 'database',
  valued:
    '-u --url -d --migrations-dir -e --env --env-var -path --path -database --database --database-url -dir --dir -seq -ext --source -c --configuration --admin-secret --endpoint --project --dev-url',
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, version, migrate status, migration list, migrate info, migrate list, schema inspect, schema diff, migrate lint, validate, log, plan, print-schema, migrate validate, metadata diff, metadata ic list, migration pending, wait, check, verify, prepare --check',
    ],
    [
      'low',
      'yes',
      'writes files of the project',
      'new, n, create, add, init, migrate add, migration generate, migrate generate, dump, prepare, seed:create, migrate diff, migrate new, migrate hash, fix, generate entity, migrate create, console, setup, database create, database setup, schema fmt, metadata export, generate',
    ],
    [
      'medium',
      'partly',
      MIGRATES,
      'up, up-by-one, up-to, migrate, migrate run, migration run, migrate up, migrate apply, migration apply, goto, force, load, seed:run, schema apply, metadata apply, deploy, metadata reload, migrate force, seed apply',
    ],
    [
      'high',
      'partly',
      'takes changes of a database back',
      'down, down-to, rollback, redo, migrate revert, migration revert, migration redo, migrate down, revert, migrate redo, migrate-redo, metadata clear, rebase',
    ],
    [
      'high',
      'no',
      'empties a database and makes it anew',
      'reset, migrate fresh, migrate refresh, migrate reset, database reset, fresh',
      'all',
    ],
    ['critical', 'no', EMPTIES, 'drop, database drop, migrate drop, schema clean', 'all'],
  ],
  otherwise: 'medium',
})
