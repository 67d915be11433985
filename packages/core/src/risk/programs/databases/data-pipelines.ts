import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'
const RUNS = 'runs the project’s own models or jobs'

/** `dbt`, `sqlmesh`: models in a warehouse. */
export const assessModels = byRows({
  family: 'data',
  valued: '--select -s --exclude --target -t --profiles-dir --project-dir --vars --threads',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      READS,
      'ls, list, debug, compile, parse, show, docs serve, lint, --version, plan, diff, info, source freshness',
    ],
    ['low', 'yes', RUNS, 'build, run, test, docs generate, docs, clean, init, snapshot, retry, source, format'],
    ['medium', 'partly', 'changes data or packages', 'seed, deps, run-operation, clone, apply, migrate'],
  ],
  flags: [
    {
      verbs: 'build, run, seed',
      flags: '--full-refresh',
      level: 'high',
      back: 'no',
      says: 'makes tables again from nothing',
    },
  ],
})

/** Schedulers of workflows: Airflow, Prefect, Dagster. */
export const assessWorkflows = byRows({
  family: 'data',
  otherwise: 'medium',
  shape: 'compound',
  rows: [
    [
      'none',
      'yes',
      READS,
      'dags list, dags show, dags state, dags report, tasks list, tasks state, connections list, version, info, config list, config get-value, providers list, pools list, jobs check, flow-run ls, deployment ls, block ls',
    ],
    [
      'low',
      'yes',
      RUNS,
      'tasks test, dags test, standalone, webserver, scheduler, dev, job execute, asset materialize, server start',
    ],
    [
      'medium',
      'partly',
      'starts or changes jobs',
      'dags trigger, dags pause, dags unpause, tasks run, tasks clear, deploy, deployment run, variables set, db migrate, db init, db upgrade, connections add, pools set',
    ],
    [
      'high',
      'no',
      'shows, changes or takes away what jobs need',
      'connections export, connections get, connections delete, variables export, variables delete, users create, users delete, dags delete, dags backfill, rotate-fernet-key',
    ],
    ['critical', 'no', 'empties the scheduler’s database', 'db reset, db clean', 'all'],
  ],
})

/** Hadoop's file system by its own verbs, which look like options. */
export const assessHdfs = byRows({
  family: 'data',
  otherwise: 'medium',
  oneDash: true,
  bare: ['none', 'shows its help'],
  rows: [
    ['none', 'yes', READS, 'dfs, fs, version, classpath, fsck, getconf'],
    ['high', 'partly', 'changes a cluster', 'namenode, datanode, dfsadmin, balancer, haadmin, crypto, snapshotdiff'],
  ],
  flags: [
    {
      flags: '-put -copyFromLocal -appendToFile -mkdir -touchz -cp -get -copyToLocal',
      level: 'medium',
      back: 'partly',
      says: 'copies files',
    },
    {
      flags: '-rm -rmr -rmdir -mv -truncate -expunge -chmod -chown -setrep',
      level: 'high',
      back: 'no',
      says: 'deletes or changes files of a cluster',
    },
    { flags: '-skipTrash -format', level: 'critical', back: 'no', says: 'deletes from a cluster for good' },
  ],
})

/** `dvc`: data beside the code. */
export const assessDataVersions = byRows({
  family: 'data',
  otherwise: 'medium',
  rows: [
    [
      'none',
      'yes',
      READS,
      'status, diff, list, ls, dag, metrics, metrics show, metrics diff, params diff, plots, plots show, exp show, exp list, exp diff, remote list, version, doctor, check-ignore, root',
    ],
    [
      'low',
      'yes',
      RUNS,
      'repro, exp run, add, commit, checkout, init, stage, stage add, install, freeze, unfreeze, fetch, data status',
    ],
    [
      'medium',
      'partly',
      'changes or moves data',
      'pull, push, get, get-url, import, import-url, remove, move, remote, config, unprotect, exp apply, exp push, exp pull, update',
    ],
    ['high', 'no', 'deletes data that is not in use', 'gc, destroy, exp remove, exp gc', 'several'],
  ],
})
