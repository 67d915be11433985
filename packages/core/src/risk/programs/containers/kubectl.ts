import { hasOption, lastValue, type Reading } from '../../arguments/argument-parser.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { type RatedVerb, verbRater } from '../assessor/verb-table.ts'

const kubectl = verbRater({
  family: 'kubernetes',
  shape: 'closed',
  as: 'kubectl',
  valued:
    '-f --filename -k --kustomize -l --selector -o --output -c --container --replicas --current-replicas --timeout ' +
    '--grace-period --cascade --field-selector --sort-by --since --since-time --tail --image --type -p --patch ' +
    '--patch-file --for --template --clusterrole --role --serviceaccount --group --verb --resource --port --target-port ' +
    '--from-literal --from-file --from-env-file --field-manager --revision --to-revision --overrides --restart --env ' +
    '--labels --limits --requests --max --min --cpu-percent --schedule --from --resource-version --limit --chunk-size ' +
    '--pod-selector --docker-server --docker-username --docker-password --docker-email --key --cert --address ' +
    '--max-log-requests --pod-running-timeout --duration --audience --subresource --to-json -L --label-columns --target',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'get, describe, logs, top, diff, explain, version, api-resources, api-versions, cluster-info, auth can-i, ' +
        'auth whoami, config view, config get-contexts, config current-context, config get-clusters, config get-users, ' +
        'rollout status, rollout history, wait, events, kustomize, options, plugin, plugin list, completion, help, ' +
        'whoami, status, projects, project, adm top, adm inspect, adm must-gather, tree, neat, who-can, ns, ctx, ' +
        'apply view-last-applied, set env --list, krew list, krew search, krew info, krew version, stern',
    ],
    ['low', 'yes', 'reaches into a running container', 'exec, port-forward, cp, attach, rsh, rsync'],
    ['medium', 'yes', 'opens the cluster’s interface on this machine', 'proxy'],
    ['medium', 'yes', 'starts a container for debugging', 'debug'],
    [
      'medium',
      'yes',
      'changes which cluster later commands work on',
      'config, config use-context, config set-context, config rename-context, config delete-context, config delete-cluster, ' +
        'config delete-user, config set, config unset, config set-cluster, config use, login, logout, krew update, ' +
        'config set-credentials',
    ],
    ['medium', 'yes', 'installs a plugin', 'krew install, krew upgrade, krew uninstall'],
    [
      'high',
      'partly',
      'changes what runs in a cluster',
      'apply, create, patch, set, set image, set env, set resources, edit, label, annotate, rollout restart, rollout undo, ' +
        'rollout pause, rollout resume, rollout, scale, autoscale, replace, expose, run, new-app, new-project, ' +
        'start-build, process, adm policy, policy, adm, tag, import-image, apply set-last-applied, ' +
        'apply edit-last-applied, rolling-update, restart',
    ],
    ['high', 'yes', 'changes where work may run', 'cordon, uncordon, taint'],
    ['high', 'partly', 'moves everything off a node', 'drain, adm drain', 'many'],
    ['high', 'yes', 'hands out or takes rights', 'certificate approve, certificate deny, certificate, auth reconcile'],
    ['high', 'no', 'prints a credential', 'create token'],
    ['high', 'partly', 'deletes resources of a cluster', 'delete'],
  ],
  flags: [
    { verbs: 'replace', flags: '--force', level: 'high', back: 'no', says: 'deletes before it makes anew' },
    { verbs: 'config view', flags: '--raw', level: 'high', back: 'no', says: 'prints the credentials of clusters' },
    { verbs: 'apply', flags: '--prune', level: 'high', back: 'no', says: 'deletes what the files do not name' },
    { verbs: 'whoami', flags: '-t --show-token', level: 'high', back: 'no', says: 'prints a credential' },
  ],
  otherwise: 'medium',
  names: '-f --filename -k -l --selector',
})

/** Kinds whose deletion takes along everything in them, or data. */
const WHOLE = wordSet(
  'ns namespace namespaces project projects pvc pvcs persistentvolumeclaim persistentvolumeclaims pv persistentvolume ' +
    'persistentvolumes crd crds customresourcedefinition customresourcedefinitions node nodes no all clusters cluster',
)
const EVERY = new Set(['--all', '-A', '--all-namespaces'])
const PRINTS = new Set(['-o', '--output', '--template'])
const NAMES_ONLY = /^(?:name|wide)?$/

/** `kubectl` and `oc`: by verb, by what is deleted, and by whether a secret is shown. */
export const assessKubectl: Assess = (facts) => {
  const rated = kubectl(facts)
  const { verb, reading, finding: found } = rated
  if (found.rule === 'kubernetes.dry-run') return found
  if (verb === 'delete') return rateDeletion(rated)
  if (verb === 'get') return rateGet(facts.program, reading) ?? found
  if (verb === 'scale' && lastValue(reading, new Set(['--replicas'])) === '0')
    return { ...found, text: `${found.text}: down to nothing`, extent: { ...found.extent, count: 0 } }
  if (verb === 'create' && grantsAll(reading))
    return finding('high', 'kubernetes.admin', `${facts.program} hands out rights over the whole cluster`, 'yes')
  return found
}

function rateDeletion({ finding: found, reading, from }: RatedVerb): RiskFinding {
  const [kind] = reading.words.filter(({ at }) => at >= from)
  const kinds = (kind?.value ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.split(/[./]/)[0] ?? '')
  const namespace = lastValue(reading, new Set(['-n', '--namespace']))
  const target = typeof namespace === 'string' && namespace !== '' ? { target: namespace } : {}
  if (hasOption(reading, EVERY, from))
    return finding('critical', 'kubernetes.delete-all', 'kubectl delete takes away everything of a kind', 'no', {
      reach: 'all',
      ...target,
    })
  if (kinds.some((one) => WHOLE.has(one)))
    return finding(
      'critical',
      'kubernetes.delete-whole',
      'kubectl delete takes away a whole namespace, node, kind or volume',
      'no',
      {
        ...found.extent,
        ...named(reading, from),
      },
    )
  return { ...found, extent: { ...found.extent, ...named(reading, from) } }
}

/** The resource behind its kind: `pod api` and `pod/api` are about `api`. */
function named(reading: Reading, from: number): { target?: string } {
  const words = reading.words.filter(({ at }) => at >= from)
  const target = words.length > 1 ? words[1]?.value : words[0]?.value
  return typeof target === 'string' && /^[\w./:-]{1,120}$/.test(target) ? { target } : {}
}

function rateGet(program: string, reading: Reading): RiskFinding | null {
  const secret = reading.words.some(({ value }) => /(?:^|,)secrets?(?:$|[/,.])/i.test(value ?? ''))
  if (!secret) return null
  const shown = lastValue(reading, PRINTS)
  return shown === undefined || (shown !== null && NAMES_ONLY.test(shown))
    ? null
    : finding('high', 'kubernetes.secret', `${program} get prints a secret`, 'no')
}

function grantsAll(reading: Reading): boolean {
  return reading.options.some(({ name, value }) => /^--(?:cluster)?role$/.test(name) && /admin/.test(value ?? ''))
}
