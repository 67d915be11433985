import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const RUNS = 'runs or builds the project here'
const APP =
  '-a --app -r --remote -s --stage --scope --env -e --environment --project -p --site --name -n --cwd --token --region -c --config --team --context'

/** `firebase`. */
export const assessFirebase = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} -P --project --only --except -m --message --import --export-on-exit -t --token`,
  names: '-P --project',
  rows: [
    [
      'none',
      'yes',
      READS,
      'projects:list, apps:list, apps:sdkconfig, apps:android:sha:list, use, target, functions:list, functions:log, hosting:channel:list, hosting:sites:list, hosting:sites:get, functions:config:get, functions:secrets:get, database:get, database:instances:list, database:profile, firestore:indexes, firestore:databases:list, remoteconfig:get, remoteconfig:versions:list, login:list, help, ext, ext:info, appdistribution:testers:list, crashlytics, open, firestore:locations',
    ],
    [
      'low',
      'yes',
      RUNS,
      'emulators:start, emulators:exec, emulators:export, serve, init, functions:shell, setup:emulators:firestore, setup:emulators:database, setup:web, target:apply, target:clear, experiments:enable, dataconnect:sdk:generate',
    ],
    [
      'medium',
      'yes',
      'signs in or makes a project',
      'login, login:add, login:use, logout, projects:create, apps:create, projects:addfirebase',
    ],
    ['high', 'no', 'prints a credential', 'login:ci, functions:secrets:access, auth:export'],
    [
      'high',
      'partly',
      'changes what is live',
      'deploy, hosting:channel:deploy, hosting:clone, functions:config:set, functions:secrets:set, functions:config:clone, database:set, database:update, database:push, database:import, auth:import, remoteconfig:rollback, ext:install, ext:update, ext:configure, appdistribution:distribute, hosting:disable, hosting:sites:create, database:instances:create, apphosting:secrets:set',
    ],
    [
      'high',
      'no',
      'takes something away',
      'functions:delete, hosting:channel:delete, hosting:sites:delete, functions:config:unset, functions:secrets:destroy, ext:uninstall, functions:secrets:prune',
    ],
    [
      'critical',
      'no',
      'deletes live data',
      'firestore:delete, database:remove, firestore:databases:delete, database:settings:set',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `supabase`. */
export const assessSupabase = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} --project-ref --db-url --schema -s --workdir --file -f --lang`,
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, projects list, functions list, migration list, db diff, db lint, orgs list, branches list, inspect, inspect db, secrets list, sso list, ssl-enforcement get, gen, gen types, test db, services, help, storage ls, snippets list, inspect report',
    ],
    [
      'low',
      'yes',
      RUNS,
      'start, stop, init, functions serve, functions new, migration new, db dump, db pull, link, unlink, db start, test new, functions download, bootstrap, migration squash, seed',
    ],
    ['medium', 'yes', 'signs in', 'login, logout'],
    ['medium', 'no', 'empties the database on this machine', 'db reset'],
    ['medium', 'partly', 'changes the database on this machine', 'migration up, seed buckets'],
    [
      'high',
      'partly',
      'changes what is live',
      'db push, functions deploy, secrets set, config push, projects create, branches create, branches update, migration repair, domains, network-restrictions, postgres-config, storage cp, encryption, ssl-enforcement, vanity-subdomains, sso',
    ],
    ['high', 'no', 'prints a credential', 'projects api-keys'],
    [
      'high',
      'no',
      'takes something away',
      'functions delete, secrets unset, branches delete, storage rm, storage mv, sso remove',
    ],
    ['critical', 'no', 'destroys a project', 'projects delete', 'all'],
  ],
  flags: [
    {
      verbs: 'db reset',
      flags: '--linked --db-url',
      level: 'critical',
      back: 'no',
      says: 'empties a live database',
      reach: 'all',
    },
    { verbs: 'stop', flags: '--no-backup', level: 'medium', back: 'no', says: 'deletes the data on this machine' },
    {
      verbs: 'migration up',
      flags: '--linked --db-url',
      level: 'high',
      back: 'partly',
      says: 'changes a live database',
    },
  ],
  otherwise: 'medium',
})
