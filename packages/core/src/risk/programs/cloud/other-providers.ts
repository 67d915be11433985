import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { verbRater } from '../assessor/verb-table.ts'
import { isCloudSecret, rateDestruction } from './operations.ts'

const small = verbRater({
  family: 'cloud',
  shape: 'compound',
  groups: true,
  valued:
    '-t --access-token --context -o --output --format --region --zone --profile -p --config -c --config-file --compartment-id ' +
    '--auth --name -n --label -l --type --image --server --ssh-key --size --tag-name --project --query --bucket-name -bn --file ' +
    '--namespace -ns --endpoint --host --secret-key --access_key --secret_key',
  plain: '--force -f --recursive -r',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'account get, account ratelimit, auth list, context active, context list, version, help, iam user list, os ns get, config list, config active, regions, domains-list',
    ],
    [
      'low',
      'yes',
      'fetches or prepares something here',
      'kubernetes cluster kubeconfig save, registry login, init, completion',
    ],
    [
      'medium',
      'yes',
      'changes its own settings or signs in',
      'auth init, auth switch, auth remove, auth login, login, logout, configure, config, config set, context use, context create, context delete, target, setup, session authenticate, alias set, alias',
    ],
    [
      'medium',
      'partly',
      'copies to or from the cloud',
      'put, get, sync, cp, mirror, os object put, os object get, obj put, obj get, object put, mb, pipe',
    ],
    ['high', 'no', 'runs on another machine', 'compute ssh, server ssh, ssh'],
    ['critical', 'no', 'deletes everything below a prefix', 'rb, deltree, os object bulk-delete', 'all'],
  ],
  flags: [
    {
      verbs: 'sync',
      flags: '--delete-removed --delete',
      level: 'high',
      back: 'no',
      says: 'deletes what the source lacks',
      reach: 'many',
    },
    {
      verbs: 'mirror',
      flags: '--remove',
      level: 'high',
      back: 'no',
      says: 'deletes what the source lacks',
      reach: 'many',
    },
  ],
  otherwise: 'high',
})

/** `doctl`, `oci`, `ibmcloud`, `linode-cli`, `scw`, `hcloud`, `s3cmd`, `mc`, `aliyun`: groups, then a verb. */
export const assessSmallCloud: Assess = (facts) => {
  const { finding: found, verb, reading } = small(facts)
  if (verb !== null || found.level === 'none') return found
  const words = reading.words.slice(0, 5).map(({ value }) => value?.toLowerCase() ?? '')
  if (words.some((word) => isCloudSecret(word, reading)))
    return finding('high', 'cloud.secret', `${facts.program} prints a secret`, 'no')
  const recursive = reading.options.some(({ name }) => /^(?:-r|-R|--recursive)$/.test(name))
  const [first] = words
  if (recursive && (first === 'rm' || first === 'del'))
    return finding('critical', 'cloud.destroy-store', `${facts.program} deletes everything below a prefix`, 'no', {
      reach: 'all',
    })
  return rateDestruction(facts.program, words.join(' '), found, reading)
}

/** `s5cmd`: one verb over many objects at once. */
export const assessS5cmd: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value ?? '')
  if (words.includes('--dry-run')) return finding('none', 'cloud.dry-run', `${program} only shows what it would do`)
  const verb = words.find((word) => /^(?:ls|du|head|cat|version|cp|sync|mv|mb|pipe|select|rm|rb|run)$/.test(word))
  if (verb === 'rb' || (verb === 'rm' && words.some((word) => /\*|\/$/.test(word))))
    return finding('high', 'cloud.destroy-store', `${program} deletes everything below a prefix`, 'no', {
      reach: 'all',
    })
  if (verb === 'rm' || verb === 'mv') return finding('high', 'cloud.delete', `${program} deletes objects`, 'no')
  if (verb === undefined || verb === 'run')
    return finding('high', 'cloud.high', `${program} is told something that is not known`, 'unknown')
  return /^(?:ls|du|head|version)$/.test(verb)
    ? finding('none', 'cloud.read', `${program} only reads`)
    : finding('medium', 'cloud.copy', `${program} copies to or from a bucket`, 'partly')
}
