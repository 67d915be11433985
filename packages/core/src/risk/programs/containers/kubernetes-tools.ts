import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows } from '../assessor/verb-table.ts'

const READS = 'only reads'

/** `helm`. */
export const assessHelm = byRows({
  family: 'kubernetes',
  shape: 'closed',
  as: 'helm',
  valued:
    '-f --values --set --set-string --set-file --set-json --version --timeout --revision -o --output --max --filter ' +
    '--kube-version --repo --username --password --ca-file --cert-file --key-file --keyring -d --destination --description ' +
    '--post-renderer -l --selector --offset --post-renderer-args --show-only -s --api-versions -a --app-version',
  rows: [
    [
      'none',
      'yes',
      READS,
      'list, ls, history, hist, template, diff, diff upgrade, diff revision, status, get, get values, get manifest, ' +
        'get all, get notes, get hooks, show, inspect, search, search repo, search hub, lint, version, env, verify, ' +
        'dependency list, dep list, repo list, plugin list, help, completion, unittest',
    ],
    [
      'low',
      'yes',
      'fetches or packs charts on this machine',
      'repo, repo add, repo update, repo up, repo remove, repo rm, repo index, dependency, dependency update, ' +
        'dependency build, dep update, dep up, dep build, package, create, pull, fetch',
    ],
    [
      'medium',
      'yes',
      'stores a credential or installs a plugin',
      'plugin, plugin install, plugin update, plugin uninstall, registry login, registry logout, registry',
    ],
    ['high', 'partly', 'changes what runs in a cluster', 'install, upgrade, rollback, test, secrets, mapkubeapis'],
    ['high', 'partly', 'takes a release out of a cluster', 'uninstall, delete, del, un'],
    ['high', 'no', 'publishes a chart', 'push, cm-push, s3 push'],
  ],
  otherwise: 'medium',
})

/** `argocd` and `argo`. */
export const assessArgo = byRows({
  family: 'kubernetes',
  valued:
    '--server --auth-token --grpc-web-root-path --context --config --revision --resource -o --output -l --selector -N --app-namespace --username --password -p --parameter -n --namespace',
  rows: [
    [
      'none',
      'yes',
      READS,
      'app list, app get, app diff, app history, app logs, app manifests, app resources, app wait, app get-resource, appset list, appset get, cluster list, cluster get, repo list, repo get, proj list, proj get, account list, account get, account can-i, account get-user-info, version, context, list, get, logs, lint, watch, wait, cron list, template list, template get, template lint',
    ],
    ['medium', 'yes', 'signs in or out', 'login, logout, relogin'],
    [
      'high',
      'partly',
      'changes what runs in a cluster',
      'app sync, app create, app set, app unset, app patch, app rollback, app edit, app terminate-op, app actions run, app actions, app add-source, appset create, submit, resubmit, retry, stop, terminate, suspend, resume, cron create, template create, proj create, proj set, proj edit, repo add, cluster set, cluster rotate-auth',
    ],
    [
      'high',
      'no',
      'takes an app, project or cluster away',
      'app delete, app delete-resource, app remove-source, appset delete, proj delete, repo rm, cluster rm, delete, cron delete, template delete, archive delete',
    ],
    [
      'high',
      'no',
      'hands out rights or credentials',
      'cluster add, account generate-token, account update-password, admin, proj role',
    ],
  ],
  otherwise: 'high',
})

/** `flux`. */
export const assessFlux = byRows({
  family: 'kubernetes',
  valued:
    '--context -n --namespace --kubeconfig --kube-context --timeout --source --path --interval --branch --url --export-dir --owner --repository',
  rows: [
    [
      'none',
      'yes',
      READS,
      'get, check, logs, events, trace, tree, stats, version, diff, build, export, completion, debug, envsubst',
    ],
    ['medium', 'partly', 'moves artifacts', 'pull, tag'],
    [
      'high',
      'partly',
      'changes what runs in a cluster',
      'reconcile, suspend, resume, create, bootstrap, install, migrate, push',
    ],
    ['high', 'no', 'takes something out of a cluster', 'delete'],
    ['critical', 'no', 'takes Flux out of the cluster', 'uninstall', 'all'],
  ],
  flags: [
    { verbs: 'create, install', flags: '--export', level: 'none', back: 'yes', says: 'only prints what it would make' },
  ],
  otherwise: 'high',
})

/** Clusters on this machine: kind, minikube, k3d, k3s. */
export const assessLocalCluster = byRows({
  family: 'kubernetes',
  valued:
    '--name -n --config --image --kubeconfig -p --profile --driver --cpus --memory --nodes --wait -c --cluster --agents --servers --port',
  rows: [
    [
      'none',
      'yes',
      READS,
      'get, status, list, ls, version, ip, service list, service, profile list, profile, addons list, logs, export, node list, dashboard, docker-env, podman-env, ssh-key, ssh-host, options, update-check, cluster list, check-config, completion, config view, config get, kubectl',
    ],
    [
      'low',
      'yes',
      'works on a cluster on this machine',
      'create, create cluster, build, load, start, stop, pause, unpause, ssh, tunnel, mount, cp, image, cache, addons, addons enable, addons disable, update-context, kubeconfig, config, config set, node add, node start, cluster create, cluster start, cluster stop, registry create, image import',
    ],
    [
      'medium',
      'no',
      'deletes a cluster on this machine',
      'delete, delete cluster, delete clusters, node delete, cluster delete, registry delete',
    ],
    [
      'high',
      'partly',
      'runs or changes a node of a cluster',
      'server, agent, secrets-encrypt, etcd-snapshot, token, certificate',
    ],
  ],
  flags: [
    {
      verbs: 'delete',
      flags: '--all --purge',
      level: 'high',
      back: 'no',
      says: 'deletes every cluster on this machine',
      reach: 'all',
    },
  ],
  otherwise: 'medium',
})

/** `eksctl`, `kops`, `kubeadm`, `clusterctl`, `rke`, `talosctl`, `k0s`: clusters as a whole. */
export const assessClusterMaker = byRows({
  family: 'kubernetes',
  valued:
    '--name --cluster --region -r --profile -p -f --config-file --state --nodes --nodegroup --namespace -n --talosconfig -e',
  rows: [
    [
      'none',
      'yes',
      READS,
      'get, utils describe-stacks, info, version, validate, toolbox, config, describe, health, dashboard, containers, processes, memory, services, dmesg, certs check-expiration, alpha, completion',
    ],
    ['medium', 'yes', 'writes the access to a cluster', 'utils write-kubeconfig, export, kubeconfig, generate, gen'],
    [
      'high',
      'partly',
      'makes or changes a cluster',
      'create, scale, upgrade, update, edit, replace, rolling-update, drain, enable, associate, set, unset, apply, init, join, up, token, certs, bootstrap, apply-config, patch, move',
    ],
    [
      'high',
      'no',
      'takes a part of a cluster away',
      'delete nodegroup, delete fargateprofile, delete addon, delete iamserviceaccount, delete instancegroup',
    ],
    [
      'critical',
      'no',
      'destroys a cluster',
      'delete cluster, delete, reset, remove, destroy, etcd remove-member',
      'all',
    ],
  ],
  otherwise: 'high',
  names: '--name --cluster',
})

/** `kubectx`, `kubens`: without a name they list. */
export const assessContext: Assess = ({ part, program }) =>
  part.args.some(({ value }) => value !== '-c' && value !== '--current')
    ? finding('medium', 'kubernetes.context', `${program} changes which cluster later commands work on`, 'yes')
    : finding('none', 'kubernetes.context', `${program} only lists`)

/** `istioctl`, `linkerd`, `cilium`: what a mesh does to a cluster. */
export const assessMesh = byRows({
  family: 'kubernetes',
  valued: '-n --namespace --context -c --kubeconfig -f --filename --set -i --istioNamespace --revision -r',
  rows: [
    [
      'none',
      'yes',
      READS,
      'analyze, proxy-status, ps, proxy-config, pc, version, validate, verify-install, dashboard, describe, x describe, experimental describe, bug-report, check, viz, stat, status, diagnostics, manifest generate, profile, hubble, config view, kube-inject, inject, connectivity, sysdump',
    ],
    [
      'high',
      'partly',
      'changes what runs in a cluster',
      'install, upgrade, apply, operator, waypoint apply, create-remote-secret, admin, config, tag, multicluster, clustermesh, enable, disable',
    ],
    ['critical', 'no', 'takes the mesh out of the cluster', 'uninstall, x uninstall', 'all'],
  ],
  otherwise: 'high',
})
