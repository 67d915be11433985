import { byRows } from '../assessor/verb-table.ts'

/** `helmfile`. */
export const assessHelmfile = byRows({
  family: 'kubernetes',
  valued:
    '-f --file -e --environment -l --selector --kube-context -n --namespace --set --state-values-set --state-values-file',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'diff, template, list, lint, status, build, show-dag, version, fetch, write-values, cache',
    ],
    ['low', 'yes', 'fetches charts', 'deps, repos, init'],
    ['high', 'partly', 'changes what runs in a cluster', 'apply, sync, charts, test'],
    ['critical', 'no', 'takes all releases out of a cluster', 'destroy, delete', 'all'],
  ],
  otherwise: 'high',
})

/** `skaffold`, `tilt` and others that build and deploy while one works. */
export const assessSkaffold = byRows({
  family: 'kubernetes',
  valued: '-f --filename --file -p --profile -n --namespace --kube-context --tag -t --default-repo -a --app',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'diagnose, inspect, list, version, schema, config list, render, analyze, logs, doctor, get, describe, inspect-resources, ls, print, completion, options',
    ],
    [
      'low',
      'yes',
      'builds, or runs the project while one works on it',
      'build, dev, debug, test, verify, up, ci, init, filter, enter, sync, config, fix',
    ],
    ['high', 'partly', 'changes what runs in a cluster', 'run, deploy, apply, exec, converge, publish'],
    ['high', 'no', 'takes out of a cluster what was deployed', 'delete, down, purge, dismiss, cleanup'],
  ],
  otherwise: 'medium',
})
