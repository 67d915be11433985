import { hasOption, lastValue, type Reading } from '../../arguments/argument-parser.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { verbRater } from '../assessor/verb-table.ts'
import { isCloudSecret, rateDestruction } from './operations.ts'

const VALUED =
  '--bucket --key --table-name --db-instance-identifier --db-cluster-identifier --instance-ids --stack-name --cluster ' +
  '--service --function-name --name --user-name --role-name --policy-arn --secret-id --id --group-name --log-group-name ' +
  '--cluster-name --max-items --filters --filter --filter-pattern --start-time --since --acl --exclude --include ' +
  '--expires --hosted-zone-id --key-id --parameters --template-body --template-file --capabilities --body --payload ' +
  '--cli-input-json --resource-arn --queue-url --topic-arn --message --item --desired-count --document-name --targets'
const PLAIN =
  '--recursive --force --dryrun --delete --quiet --follow --human-readable --summarize --with-decryption --only-show-errors'

const aws = verbRater({
  family: 'cloud',
  shape: 'compound',
  groups: true,
  as: 'aws',
  valued: VALUED,
  plain: PLAIN,
  names:
    '--bucket --table-name --db-instance-identifier --db-cluster-identifier --instance-ids --stack-name --cluster ' +
    '--service --function-name --name --user-name --role-name --secret-id --group-name --key-id --queue-url --id',
  rows: [
    [
      'none',
      'yes',
      'only reads',
      's3 ls, s3 presign-list, sts get-caller-identity, sts decode-authorization-message, logs tail, logs filter-log-events, logs start-query, configure list, configure list-profiles, configure get, help, ec2 wait, cloudformation validate-template, cloudformation detect-stack-drift, dynamodb scan, dynamodb query, dynamodb batch-get-item, dynamodb transact-get-items, ce, pricing, athena get-query-results, ecr describe-images, codebuild batch-get-builds, support describe-cases, s3api head-object, s3api select-object-content, iam simulate-principal-policy, cloudformation estimate-template-cost, deploy list-deployments, sts get-access-key-info',
    ],
    [
      'low',
      'yes',
      'fetches or prepares something here',
      'eks update-kubeconfig, cloudformation package, s3api get-object, ecr-public describe-registries, glacier list-vaults, history, codeartifact login, ecr get-login, sso logout, logs create-export-task',
    ],
    [
      'medium',
      'yes',
      'changes its own settings or signs in',
      'configure, configure set, configure sso, configure import, configure add-model, sso login, login, logout, configure export',
    ],
    ['medium', 'partly', 'copies to or from a bucket', 's3 cp, s3 sync, s3api put-object, s3api copy-object'],
    ['high', 'partly', 'moves objects away from where they are', 's3 mv'],
    ['medium', 'yes', 'makes a bucket', 's3 mb, s3api create-bucket'],
    ['high', 'no', 'makes a link by which anybody can read an object', 's3 presign'],
    ['high', 'no', 'deletes objects', 's3 rm, s3api delete-object'],
    ['critical', 'no', 'deletes many objects', 's3api delete-objects', 'many'],
    ['high', 'no', 'deletes a bucket', 's3 rb'],
    [
      'high',
      'yes',
      'opens a bucket to others',
      's3api put-bucket-policy, s3api put-bucket-acl, s3api put-object-acl, s3api delete-public-access-block, s3api put-public-access-block, s3 website',
    ],
    [
      'high',
      'yes',
      'hands out rights',
      'iam attach-user-policy, iam attach-role-policy, iam attach-group-policy, iam put-user-policy, iam put-role-policy, iam put-group-policy, iam add-user-to-group, iam create-access-key, iam create-login-profile, iam update-assume-role-policy, iam create-policy-version, lambda add-permission, kms create-grant, ec2 authorize-security-group-ingress, sns add-permission, sqs add-permission, iam create-user, iam create-role',
    ],
    [
      'high',
      'partly',
      'runs commands on machines',
      'ssm send-command, ssm start-session, ssm start-automation-execution, ecs execute-command, ec2-instance-connect ssh',
      'many',
    ],
    [
      'high',
      'partly',
      'runs code',
      'lambda invoke, stepfunctions start-execution, batch submit-job, ecs run-task, codebuild start-build, events put-events, sqs send-message, kinesis put-record, glue start-job-run, athena start-query-execution',
    ],
    [
      'high',
      'no',
      'sends messages to people',
      'ses send-email, ses send-raw-email, ses send-bulk-templated-email, sesv2 send-email, sns publish, pinpoint send-messages, pinpoint-sms-voice-v2 send-text-message',
    ],
    [
      'high',
      'partly',
      'changes live traffic',
      'cloudfront create-invalidation, cloudfront update-distribution, route53 change-resource-record-sets, elbv2 modify-listener, elbv2 deregister-targets, apigateway create-deployment',
    ],
    [
      'critical',
      'no',
      'spends money',
      'ec2 purchase-reserved-instances-offering, ec2 purchase-host-reservation, rds purchase-reserved-db-instances-offering, elasticache purchase-reserved-cache-nodes-offering, savingsplans create-savings-plan, redshift purchase-reserved-node-offering, route53domains register-domain, route53domains transfer-domain',
    ],
    [
      'critical',
      'no',
      'destroys a key with all that it protects',
      'kms schedule-key-deletion, kms delete-imported-key-material, kms disable-key',
    ],
    [
      'critical',
      'no',
      'closes an account',
      'organizations close-account, organizations delete-organization, organizations leave-organization, account close-account',
      'all',
    ],
    [
      'critical',
      'no',
      'removes the record of who did what',
      'cloudtrail delete-trail, cloudtrail stop-logging, guardduty delete-detector, logs delete-log-group, configservice stop-configuration-recorder',
    ],
    [
      'critical',
      'no',
      'deletes backups',
      'backup delete-backup-vault, backup delete-recovery-point, rds delete-db-snapshot, rds delete-db-cluster-snapshot',
    ],
    [
      'high',
      'no',
      'deletes an image, a snapshot or a secret',
      'ec2 deregister-image, ec2 delete-snapshot, secretsmanager delete-secret',
    ],
  ],
  flags: [
    {
      verbs: 's3 rm',
      flags: '--recursive',
      level: 'critical',
      back: 'no',
      says: 'deletes everything below a prefix',
      reach: 'all',
    },
    {
      verbs: 's3 rb',
      flags: '--force',
      level: 'critical',
      back: 'no',
      says: 'deletes a bucket with all that is in it',
      reach: 'all',
    },
    {
      verbs: 's3 sync',
      flags: '--delete',
      level: 'high',
      back: 'no',
      says: 'deletes what the source lacks',
      reach: 'many',
    },
  ],
  otherwise: 'high',
})

const WAITS = wordSet('--generate-cli-skeleton --dry-run')
const ACL = new Set(['--acl'])

/** `aws`: a service, then an operation whose first part says what it does. */
export const assessAws: Assess = (facts) => {
  const { finding: found, verb, reading, from } = aws(facts)
  if (found.rule === 'cloud.dry-run' || hasOption(reading, WAITS))
    return finding('none', 'cloud.dry-run', 'aws only shows what it would do')
  if (reading.words.at(-1)?.value === 'help') return finding('none', 'cloud.help', 'aws only shows help')
  const operation = reading.words[1]?.value ?? ''
  const asked = `${reading.words[0]?.value} ${operation} ${reading.words[2]?.value}`
  if (/^configure (?:get|export-credentials) (?:.*(?:secret|session_token)|undefined)/.test(asked))
    return finding('high', 'cloud.secret', 'aws prints a secret', 'no')
  if (isCloudSecret(operation, reading)) return finding('high', 'cloud.secret', 'aws prints a secret', 'no')
  if (/^public-read|^authenticated-read/.test(lastValue(reading, ACL) ?? ''))
    return finding('high', 'cloud.public', 'aws makes objects readable for everybody', 'yes')
  if (verb !== null) return copied(found, verb, reading, from)
  return rateDestruction('aws', operation, found, reading)
}

/** Copies say which bucket; a copy down to this machine is smaller than one up. */
function copied(found: RiskFinding, verb: string, reading: Reading, from: number): RiskFinding {
  if (verb !== 's3 cp' && verb !== 's3 sync') return found
  const words = reading.words.filter(({ at }) => at >= from)
  const bucket = words.find(({ value }) => value?.startsWith('s3://'))?.value
  return typeof bucket === 'string' && bucket.length < 200
    ? { ...found, extent: { ...found.extent, target: bucket } }
    : found
}
