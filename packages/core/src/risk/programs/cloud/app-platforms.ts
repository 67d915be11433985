import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const RUNS = 'runs or builds the project here'
const APP =
  '-a --app -r --remote -s --stage --scope --env -e --environment --project -p --site --name -n --cwd --token --region -c --config --team --context'

/** `heroku`, `dokku`, `scalingo`, `clever`: verbs with a colon. */
export const assessHeroku = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} -t --team --confirm -d --dyno --type --ps --num -u`,
  names: '-a --app',
  rows: [
    [
      'none',
      'yes',
      READS,
      'apps, apps:info, apps:list, info, list, logs, ps, releases, releases:info, addons, addons:list, addons:info, pg, pg:info, pg:ps, pg:diagnose, pg:locks, pg:outliers, pg:backups, pg:bloat, regions, status, whoami, auth:whoami, domains, access, buildpacks, pipelines, pipelines:info, features, stack, version, help, redis:info, reviewapps, git:remote, config:get, apps:report, plugins, notifications, ps:type, webhooks',
    ],
    ['medium', 'no', 'shows settings, which often hold secrets', 'config'],
    [
      'low',
      'yes',
      RUNS,
      'local, local:start, local:run, open, apps:open, update, autocomplete, git:clone, pg:pull, dashboard',
    ],
    [
      'medium',
      'yes',
      'signs in or changes its own settings',
      'login, auth:login, logout, auth:logout, container:login, plugins:install, keys:add, keys, apps:create, create, drains, labs',
    ],
    [
      'high',
      'partly',
      'changes a running app',
      'ps:scale, scale, ps:restart, restart, ps:stop, ps:exec, run, run:detached, run:inside, config:set, config:unset, config:edit, releases:rollback, rollback, maintenance:on, maintenance:off, addons:create, addons:attach, addons:upgrade, addons:detach, domains:add, domains:remove, container:push, container:release, builds:create, pipelines:promote, pipelines:create, buildpacks:set, buildpacks:add, buildpacks:remove, apps:rename, apps:transfer, access:add, access:remove, pg:psql, pg:copy, pg:promote, pg:restart, pg:upgrade, pg:push, pg:credentials:rotate, pg:backups:capture, pg:backups:schedule, ps:resize, features:enable, labs:enable, certs:add, stack:set, redis:cli, deploy, ci:run, ps:kill, git:from-image, storage:mount',
    ],
    [
      'high',
      'no',
      'prints a credential',
      'auth:token, pg:credentials:url, pg:credentials, authorizations:create, redis:credentials, pg:backups:url, pg:backups:download',
    ],
    [
      'high',
      'no',
      'destroys an app or its data',
      'apps:destroy, apps:delete, destroy, pg:reset, pg:backups:delete, pg:backups:restore, addons:destroy, pipelines:destroy, postgres:destroy, redis:destroy, redis:reset, mysql:destroy',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `fly`, `flyctl`. */
export const assessFly = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} --image -i --dockerfile --vm-size --command -C --org -o --count --access-token`,
  names: '-a --app',
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, logs, info, apps list, list, checks list, releases, version, doctor, platform, regions list, ips list, secrets list, volumes list, volumes show, machine list, machine status, machines list, scale show, config show, config validate, config display, auth whoami, orgs list, orgs show, services, services list, dashboard, history, image show, certs list, certs show, postgres list, pg list, help, docs, ping, dig, volumes snapshots list, config env, tokens list, apps releases',
    ],
    ['low', 'yes', RUNS, 'open, apps open, config save, wireguard list, completion, settings, agent, version upgrade'],
    [
      'medium',
      'yes',
      'signs in, or opens a way to the app',
      'auth login, auth logout, auth docker, proxy, launch --no-deploy, sftp, storage',
    ],
    [
      'high',
      'partly',
      'changes a running app',
      'deploy, launch, scale, scale count, scale vm, scale memory, secrets set, secrets unset, secrets import, secrets deploy, ssh console, ssh, console, restart, apps restart, apps create, apps move, apps suspend, apps resume, machine run, machine start, machine stop, machine restart, machine update, machine clone, machine exec, machines stop, ips allocate-v4, ips allocate, ips release, volumes create, volumes extend, postgres create, postgres connect, pg connect, postgres attach, pg attach, postgres failover, regions set, certs add, certs remove, image update, orgs invite, redis, mpg, config, wireguard, migrate-to-v2',
    ],
    ['high', 'no', 'prints or makes a credential', 'auth token, tokens create, tokens, tokens revoke'],
    [
      'high',
      'no',
      'takes a machine or volume away',
      'machine destroy, machine remove, machines destroy, machine kill, volumes destroy, volumes delete, postgres detach, pg detach',
    ],
    [
      'high',
      'no',
      'destroys an app or its data',
      'apps destroy, destroy, orgs delete, redis destroy, mpg destroy, storage destroy',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `railway`, `render`, `eb`, `amplify`, `sst`, `copilot`, `koyeb`, `northflank`, `cf`: by the shape of the verb. */
export const assessPlatform = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: APP,
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, logs, list, whoami, variables, docs, open, health, events, printenv, app status, svc status, svc logs, apps, services, orgs, spaces, target, marketplace, help, console --list, app show, env list',
    ],
    [
      'low',
      'yes',
      RUNS,
      'run, link, unlink, init, shell, local, local run, mock, codegen, pull, use, completion, environment, app init, svc init, dev, sandbox',
    ],
    ['medium', 'yes', 'signs in', 'login, logout, configure, api, auth'],
    [
      'high',
      'partly',
      'changes what is live',
      'up, deploy, redeploy, restart, push, publish, add, set, variables set, setenv, scale, clone, create, ssh, connect, domain, volume, svc deploy, env deploy, env init, app deploy, cf push, set-env, restage, bind-service, upgrade, swap, config, service, stop, start',
    ],
    ['high', 'no', 'takes what runs away', 'down, remove'],
    [
      'critical',
      'no',
      'takes an app or an environment away',
      'terminate, delete, destroy, app delete, env delete, svc delete, delete-app, delete-service',
      'all',
    ],
  ],
  otherwise: 'high',
})

/** `serverless`, `sls`, `sam`, `chalice`, `zappa`, `architect`, `arc`, `claudia`, `up`. */
export const assessServerless = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} --stack-name --template -t --template-file -f --function --parameter-overrides --s3-bucket --profile -d --data -l --log --capabilities --event`,
  names: '--stack-name -s --stage',
  rows: [
    [
      'none',
      'yes',
      READS,
      'info, print, logs, validate, list, list resources, list stack-outputs, list endpoints, metrics, doctor, help, deploy list, deploy list functions, plugin list, plugin search, status, url, tail, traces, docs, remote test-event list, diagnostics',
    ],
    [
      'low',
      'yes',
      RUNS,
      'offline, offline start, invoke local, local, local invoke, local start-api, local start-lambda, local generate-event, build, package, init, create, install, dynamodb start, dynamodb install, pipeline init, generate-models, new-project, dev, sandbox, test, plugin install',
    ],
    ['medium', 'yes', 'signs in or prepares a bundle', 'login, logout, config, plugin uninstall, publish --dry'],
    [
      'high',
      'partly',
      'changes what is live',
      'deploy, deploy function, invoke, rollback, rollback function, sync, publish, pipeline bootstrap, remote invoke, update, schedule, certify, param set, env, save, manage, unschedule, stack',
    ],
    ['critical', 'no', 'destroys what was deployed', 'remove, delete, undeploy, destroy', 'all'],
  ],
  otherwise: 'high',
})
