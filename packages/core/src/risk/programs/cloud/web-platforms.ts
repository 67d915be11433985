import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const RUNS = 'runs or builds the project here'
const APP =
  '-a --app -r --remote -s --stage --scope --env -e --environment --project -p --site --name -n --cwd --token --region -c --config --team --context'

/** `vercel`, `now`: without a verb it deploys. */
export const assessVercel = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} -A --local-config -Q --global-config -S -t --meta -m --build-env -b --regions --yes-scope`,
  bare: ['medium', 'deploys a preview'],
  rows: [
    [
      'none',
      'yes',
      READS,
      'ls, list, inspect, logs, log, whoami, help, domains ls, dns ls, env ls, projects ls, project ls, teams ls, certs ls, secrets ls, alias ls, telemetry status, bisect, curl, blob list, target list, project inspect, domains inspect, cache',
    ],
    ['low', 'yes', RUNS, 'dev, build, init, link, pull, git, telemetry, open'],
    [
      'medium',
      'yes',
      'deploys a preview or signs in',
      'deploy, login, logout, switch, env pull, integration list, httpstat',
    ],
    [
      'high',
      'partly',
      'changes what is live',
      'promote, rollback, redeploy, alias, alias set, env add, env update, dns add, domains add, domains move, certs issue, secrets add, projects add, project add, teams invite, rolling-release, integration add, blob put, dns import, target',
    ],
    [
      'high',
      'no',
      'takes something away',
      'rm, remove, env rm, env remove, dns rm, domains rm, alias rm, project rm, projects rm, secrets rm, certs rm, integration remove, blob del, blob store remove, cache purge',
    ],
    ['critical', 'no', 'spends money', 'domains buy, buy'],
  ],
  flags: [{ flags: '--prod', level: 'high', back: 'partly', says: 'deploys to production' }],
  otherwise: 'medium',
})

/** `netlify`, `ntl`. */
export const assessNetlify = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} -d --dir -f --functions -m --message --auth --filter --alias -o --offline-port`,
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, sites:list, env:list, env:get, functions:list, help, open, open:site, open:admin, logs, logs:function, logs:deploy, watch, recipes:list, blobs:list, blobs:get, version, api --list, integration',
    ],
    [
      'low',
      'yes',
      RUNS,
      'dev, build, init, link, unlink, functions:serve, functions:invoke, functions:create, functions:build, serve, clone, completion, recipes, dev:exec',
    ],
    ['medium', 'yes', 'deploys a preview or signs in', 'deploy, login, logout, switch, sites:create, addons:list'],
    [
      'high',
      'partly',
      'changes what is live',
      'env:set, env:import, env:clone, api, addons:create, addons:config, lm:setup, blobs:set, sites:create-template',
    ],
    ['high', 'no', 'takes something away', 'sites:delete, env:unset, addons:delete, blobs:delete'],
  ],
  flags: [
    {
      verbs: 'deploy',
      flags: '--prod -p --prod-if-unlocked',
      level: 'high',
      back: 'partly',
      says: 'deploys to production',
    },
  ],
  plain: '--prod -p',
  otherwise: 'medium',
})

/** `wrangler`. */
export const assessWrangler = byRows({
  family: 'cloud',
  shape: 'compound',
  valued: `${APP} --binding --namespace-id --preview-id --command --file --compatibility-date --outdir --ip --port --local-protocol`,
  rows: [
    [
      'none',
      'yes',
      READS,
      'tail, whoami, deployments list, deployments status, deployments, versions list, versions view, kv namespace list, kv key list, kv key get, kv:key list, kv:namespace list, kv:key get, d1 list, d1 info, d1 insights, d1 migrations list, r2 bucket list, r2 object get, r2 bucket info, queues list, secret list, pages project list, pages deployment list, pages deployment tail, docs, types, check, help, vectorize list, hyperdrive list, hyperdrive get, secret:list, ai, cert list, workflows list',
    ],
    [
      'low',
      'yes',
      RUNS,
      'dev, init, generate, build, pages dev, pages functions build, d1 migrations create, d1 export, telemetry, preview',
    ],
    [
      'medium',
      'yes',
      'signs in or makes a store',
      'login, logout, kv namespace create, d1 create, r2 bucket create, queues create, kv:namespace create, pages project create, pages download',
    ],
    [
      'medium',
      'partly',
      'changes a database',
      'd1 migrations apply, d1 execute, kv key put, kv:key put, r2 object put, kv bulk put',
    ],
    [
      'high',
      'partly',
      'changes what is live',
      'deploy, publish, rollback, versions upload, versions deploy, pages deploy, pages publish, secret put, secret bulk, secret:bulk, triggers deploy, triggers, queues consumer, dispatch-namespace, pages secret put, workflows trigger, containers push, r2 bucket cors, hyperdrive create, hyperdrive update, d1 time-travel restore, versions secret put',
    ],
    [
      'high',
      'no',
      'takes something away',
      'delete, secret delete, kv key delete, kv:key delete, kv bulk delete, r2 object delete, queues delete, pages deployment delete, vectorize delete, hyperdrive delete, pages secret delete, versions secret delete',
    ],
    [
      'critical',
      'no',
      'destroys a store or a project',
      'kv namespace delete, kv:namespace delete, d1 delete, r2 bucket delete, pages project delete',
      'all',
    ],
  ],
  flags: [
    {
      verbs: 'd1 migrations apply, d1 execute, kv key put, kv:key put, r2 object put',
      flags: '--remote',
      level: 'high',
      back: 'partly',
      says: 'changes a live store',
    },
    {
      verbs: 'd1 migrations apply, d1 execute, kv key put, kv:key put',
      flags: '--local',
      level: 'low',
      back: 'partly',
      says: 'changes a store on this machine',
    },
  ],
  otherwise: 'high',
})
