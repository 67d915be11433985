import type { CommandPart } from '../../../command/model/decomposition.ts'
import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'
import { assessAlembic } from '../databases/migrations.ts'
import { assessMake } from '../packages/project-tools.ts'

const READS = 'only reads'
const MIGRATES = 'changes the shape of a database'
const EMPTIES = 'drops a database or all that is in it'

/** Tasks of `rails`, and of `rake` where a project is made with it. */
export const assessRails = byRows({
  family: 'database',
  shape: 'compound',
  valued: '-e --environment -b -p --port -u -n --name',
  plain: '-T --tasks -P -N',
  bare: ['none', 'lists its commands'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'routes, about, stats, notes, version, db:migrate:status, db:version, db:abort_if_pending_migrations, middleware, initializers, time:zones:all, -t, secret, zeitwerk:check, credentials:diff, db:prepare --help, test:list',
    ],
    [
      'low',
      'yes',
      'runs or builds the project',
      'server, s, test, t, test:all, test:system, spec, assets:precompile, assets:clobber, assets:clean, generate, g, new, db:create, db:schema:dump, db:structure:dump, tmp:clear, tmp:create, log:clear, dev:cache, db:test:prepare, webpacker:compile, default, rubocop, lint, build, plugin, app:update, encrypted:show --help, db:schema:cache:dump, jobs:work, restart, yarn:install, importmap, stimulus:manifest:update, tailwindcss:build, credentials:help',
    ],
    [
      'medium',
      'partly',
      'opens a session or changes files',
      'console, c, dbconsole, db, destroy, d, app:template, credentials:edit, encrypted:edit, install, action_text:install, active_storage:install',
    ],
    [
      'medium',
      'partly',
      MIGRATES,
      'db:migrate, db:migrate:up, db:seed, db:setup, db:prepare, db:migrate:with_data, data:migrate, db:fixtures:load, db:encryption:init, db:seed:replant --help',
    ],
    ['high', 'partly', 'takes changes of a database back', 'db:rollback, db:migrate:down, db:migrate:redo, db:forward'],
    ['high', 'unknown', 'runs code in the application', 'runner, r'],
    ['high', 'no', 'shows what is kept secret', 'credentials:show, encrypted:show, secrets:show'],
    ['high', 'no', 'loads a schema over a database', 'db:schema:load, db:structure:load', 'all'],
    [
      'critical',
      'no',
      EMPTIES,
      'db:drop, db:drop:all, db:reset, db:migrate:reset, db:truncate_all, db:purge, db:purge:all, db:seed:replant, db:drop:_unsafe',
      'all',
    ],
    ['high', 'partly', 'publishes or deploys', 'release, deploy, publish'],
  ],
  otherwise: 'low',
})

const RAILS_TASK = /^(?:db|data|credentials|encrypted|secrets):/

/** `rake`: the project's own tasks; those that Rails brings are what they are there. */
export const assessRake: Assess = (facts) =>
  facts.part.args.some(({ value }) => value !== null && RAILS_TASK.test(value)) ? assessRails(facts) : assessMake(facts)

/** Commands of Django's `manage.py`. */
export const assessDjango = byRows({
  family: 'database',
  shape: 'compound',
  valued: '--settings --pythonpath -v --verbosity --database --app --name -n -o --output --port -c --command',
  bare: ['none', 'lists its commands'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'showmigrations, check, sqlmigrate, diffsettings, help, version, inspectdb, findstatic, show_urls, sqlflush, sqlsequencereset, print_settings, list_signals, validate_templates',
    ],
    [
      'low',
      'yes',
      'runs or builds the project',
      'runserver, runserver_plus, test, makemigrations, collectstatic, startapp, startproject, compilemessages, makemessages, dumpdata, testserver, compress, compilescss, clear_cache, spectacular, graph_models, sendtestemail --help, squashmigrations, optimizemigration, qcluster, celery',
    ],
    [
      'medium',
      'partly',
      MIGRATES,
      'migrate, loaddata, createcachetable, clearsessions, update_index, rebuild_index, remove_stale_contenttypes, seed',
    ],
    ['medium', 'yes', 'opens a session', 'shell, shell_plus, dbshell'],
    ['high', 'yes', 'changes accounts', 'createsuperuser, changepassword, drf_create_token'],
    ['high', 'no', 'sends mail', 'sendtestemail'],
    ['critical', 'no', EMPTIES, 'flush, reset_db, sqlflush --run, reset_schema, delete_squashed_migrations', 'all'],
  ],
  flags: [
    { verbs: 'migrate', flags: '--plan --check', level: 'none', back: 'yes', says: 'only shows what it would do' },
    {
      verbs: 'shell, shell_plus, dbshell',
      flags: '-c --command',
      level: 'high',
      back: 'unknown',
      says: 'runs code in the application',
    },
    {
      verbs: 'makemigrations',
      flags: '--check --dry-run',
      level: 'none',
      back: 'yes',
      says: 'only shows what it would do',
    },
  ],
  otherwise: 'low',
})

/** Commands of Laravel's `artisan` and Symfony's `console`. */
export const assessArtisan = byRows({
  family: 'database',
  shape: 'compound',
  valued: '--env --path --database --class --host --port -e',
  bare: ['none', 'lists its commands'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, help, about, route:list, migrate:status, model:show, event:list, schedule:list, config:show, queue:monitor, db:show, db:table, db:monitor, env, channel:list, debug:router, debug:container, debug:config, debug:autowiring, doctrine:migrations:status, doctrine:migrations:list, doctrine:schema:validate, lint:yaml, lint:twig, lint:container, doctrine:mapping:info, router:match',
    ],
    [
      'low',
      'yes',
      'runs or builds the project',
      'serve, test, optimize, optimize:clear, config:cache, config:clear, cache:clear, route:cache, route:clear, view:clear, view:cache, event:cache, storage:link, key:generate, package:discover, queue:work, queue:listen, schedule:run, schedule:work, make:migration, make:model, make:controller, cache:warmup, assets:install, doctrine:migrations:generate, doctrine:migrations:diff, doctrine:database:create, horizon, pail, vendor:publish, stub:publish, schema:dump',
    ],
    [
      'medium',
      'partly',
      MIGRATES,
      'migrate, db:seed, migrate:install, doctrine:migrations:migrate, doctrine:schema:update, doctrine:fixtures:load, doctrine:schema:create, queue:retry, queue:restart',
    ],
    ['medium', 'yes', 'opens a session or changes how the app answers', 'tinker, db, down, up'],
    [
      'high',
      'partly',
      'takes changes of a database back',
      'migrate:rollback, doctrine:migrations:execute, doctrine:query:sql, dbal:run-sql, queue:clear, queue:flush, model:prune',
    ],
    ['high', 'no', 'empties a database and makes it anew', 'migrate:fresh, migrate:refresh, migrate:reset', 'all'],
    ['critical', 'no', EMPTIES, 'db:wipe, doctrine:database:drop, doctrine:schema:drop', 'all'],
  ],
  flags: [
    {
      verbs: 'migrate, migrate:fresh, migrate:rollback, migrate:refresh',
      flags: '--pretend',
      level: 'none',
      back: 'yes',
      says: 'only shows what it would do',
    },
  ],
  otherwise: 'low',
})

/** `flask`: `flask db` is Alembic, the rest runs the project. */
export const assessFlask: Assess = (facts) => {
  const { verb } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'db')
    return finding('low', 'build.run', 'flask runs the project’s own code')
  const part: CommandPart = { ...facts.part, args: verb.rest }
  const { paths, places, folder } = facts
  return assessAlembic({ part, program: 'flask db', paths, places, folder, hasInner: false, verb: { kind: 'none' } })
}
