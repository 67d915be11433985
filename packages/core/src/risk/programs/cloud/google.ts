import { finding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { byRows, verbRater } from '../assessor/verb-table.ts'
import { isCloudSecret, rateDestruction } from './operations.ts'

const gcloud = verbRater({
  family: 'cloud',
  shape: 'compound',
  groups: true,
  as: 'gcloud',
  valued:
    '--zone --region --filter --limit --image --member --role --secret --tag --service --machine-type --format ' +
    '--source --runtime --entry-point --trigger-http --cluster --instance --database --user --password --data-file ' +
    '--sort-by --location --memory --cpu --platform --substitutions --config --ssh-key-file --command --tunnel-through-iap',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'config list, config get, config get-value, config configurations list, auth list, info, version, help, topic, feedback, logging read, logging tail, run services logs, app logs, compute instances tail-serial-port-output, compute instances get-serial-port-output, builds log, cheat-sheet, search, domains search-domains, interactive, components list, beta, alpha, iam roles describe, projects get-iam-policy, services list, run services describe, pubsub subscriptions pull',
    ],
    [
      'low',
      'yes',
      'fetches or prepares something here',
      'container clusters get-credentials, components update, components install, init, config configurations create, config configurations activate, app browse, emulators, beta emulators, source repos clone, docker-helper',
    ],
    [
      'medium',
      'yes',
      'changes its own settings or signs in',
      'config set, config unset, config, auth login, auth application-default login, auth activate-service-account, auth configure-docker, auth revoke, auth application-default revoke, config configurations delete, auth application-default set-quota-project',
    ],
    [
      'medium',
      'partly',
      'copies to or from the cloud',
      'storage cp, storage rsync, compute scp, storage buckets create, cloud-shell scp',
    ],
    ['high', 'partly', 'moves objects away from where they are', 'storage mv'],
    ['high', 'no', 'deletes objects', 'storage rm'],
    [
      'high',
      'no',
      'prints a credential',
      'auth print-access-token, auth print-identity-token, auth application-default print-access-token, secrets versions access, iam service-accounts keys create, compute reset-windows-password',
    ],
    [
      'high',
      'partly',
      'runs on another machine',
      'compute ssh, cloud-shell ssh, app instances ssh, alpha cloud-shell ssh, compute tpus tpu-vm ssh',
      'one',
    ],
    [
      'high',
      'yes',
      'hands out rights',
      'projects add-iam-policy-binding, projects set-iam-policy, projects remove-iam-policy-binding, iam service-accounts add-iam-policy-binding, organizations add-iam-policy-binding, storage buckets add-iam-policy-binding, run services add-iam-policy-binding, secrets add-iam-policy-binding, kms keys add-iam-policy-binding, iam roles create, iam roles update',
    ],
    ['critical', 'no', 'destroys a key with all that it protects', 'kms keys versions destroy'],
    [
      'high',
      'no',
      'deletes a machine',
      'compute instances delete, compute disks delete, run services delete, functions delete, app versions delete, app services delete',
      'several',
    ],
  ],
  flags: [
    {
      verbs: 'storage rm',
      flags: '-r -R --recursive',
      level: 'critical',
      back: 'no',
      says: 'deletes everything below a prefix',
      reach: 'all',
    },
  ],
  otherwise: 'high',
})

/** `gcloud`: groups, then a verb. */
export const assessGcloud: Assess = (facts) => {
  const { finding: found, verb, reading } = gcloud(facts)
  if (verb !== null || found.level === 'none') return found
  const words = reading.words.slice(0, 5).map(({ value }) => value?.toLowerCase() ?? '')
  if (words.some((word) => isCloudSecret(word, reading)))
    return finding('high', 'cloud.secret', 'gcloud prints a secret', 'no')
  return rateDestruction('gcloud', words.join(' '), found, reading)
}

/** `gsutil`. */
export const assessGsutil = byRows({
  family: 'cloud',
  valued: '-o -h -i -u',
  plain: '-m -D -DD -q -d',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      'ls, cat, du, stat, hash, version, help, versioning get, acl get, iam get, lifecycle get, cors get, perfdiag, test',
    ],
    ['medium', 'partly', 'copies to or from a bucket', 'cp, rsync, compose, mb, setmeta, rewrite'],
    ['medium', 'yes', 'changes its own settings', 'config, update'],
    ['high', 'partly', 'moves objects away from where they are', 'mv'],
    ['high', 'no', 'deletes objects or a bucket', 'rm, rb'],
    [
      'high',
      'yes',
      'changes who may read a bucket',
      'acl, acl ch, acl set, iam, iam ch, iam set, defacl, pap, signurl, web, cors, lifecycle, versioning, retention, hmac, notification, ubla, label, logging, kms',
    ],
  ],
  flags: [
    {
      verbs: 'rm',
      flags: '-r -R -a',
      level: 'critical',
      back: 'no',
      says: 'deletes everything below a prefix',
      reach: 'all',
    },
    { verbs: 'rsync', flags: '-d', level: 'high', back: 'no', says: 'deletes what the source lacks', reach: 'many' },
    { verbs: 'rsync', flags: '-n', level: 'none', back: 'yes', says: 'only shows what it would do' },
  ],
  otherwise: 'high',
})
