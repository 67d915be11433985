import { hasOption, lastValue, type Reading } from '../../arguments/argument-parser.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { matchVerb } from '../assessor/rate-verbs.ts'

/** Operations that print a credential. */
const SECRET_OPERATIONS =
  /^(?:get-secret-value|batch-get-secret-value|get-session-token|get-federation-token|assume-role|assume-role-with-saml|assume-role-with-web-identity|get-login-password|get-authorization-token|get-password-data|get-role-credentials|export-credentials|generate-db-auth-token|print-access-token|print-identity-token|print-refresh-token|get-access-token|get-credentials|access|list-keys|list-connection-strings|get-password|show-password|get-console-credentials|admin-get-password|decrypt|list-publishing-credentials|generate-sas|generate-access-token)$/
const DECRYPTS = new Set(['--with-decryption'])

/** Resources that hold data or other resources: deleting one takes all of it. */
const STORES =
  /(?:^|[-_ ])(?:project|projects|resource-group|group|stack|stack-set|bucket|buckets|db-instance|db-cluster|global-cluster|table|cluster|clusters|database|databases|sql|hosted-zone|managed-zones|file-system|filestore|volume|vault|keyvault|account|subscription|organization|domain|snapshot|backup|data-set|dataset|datastream|delivery-stream|stream|cache-cluster|replication-group|repository|user-pool|instances? delete|storage|cosmosdb|keyspace|spanner|bigtable|firestore|warehouse|lake|index|collection|log-group|ledger)(?:[-_ ]|$)/
const LESSER =
  /(?:^|[-_ ])(?:log-stream|cluster-parameter-group|parameter-group|subnet-group|security-group|instance-groups?|node-group|nodegroup|tags?|group-member|log-group-subscription|account-alias|tag-keys|stack-instances|snapshot-schedule|node-pools?|target-group|group-policy|user-group|managed-instance)(?:[-_ ]|$)/
const DESTROYS = /^(?:delete|terminate|destroy|purge|remove|drop|rb|rm|erase|wipe|schedule-key-deletion)(?:-|$)/
const UNSAVED = /^--(?:skip-final-snapshot|force-delete|force-destroy|no-backup|delete-automated-backups)/

const NOT_RUN = new Set(['--generate-cli-skeleton', '--dry-run'])
const ACL = new Set(['--acl'])

/** `aws`: a service, then an operation whose first part tells what it does. */
export const assessAws: Assess = (facts) => {
  const { finding: found, verb, reading, from } = matchVerb(facts)
  if (found.rule === 'cloud.dry-run' || hasOption(reading, NOT_RUN))
    return finding('none', 'cloud.dry-run', 'aws only shows what it would do')
  if (reading.words.at(-1)?.value === 'help') return finding('none', 'cloud.help', 'aws only shows help')
  const operation = reading.words[1]?.value ?? ''
  const asked = `${reading.words[0]?.value} ${operation} ${reading.words[2]?.value}`
  if (/^configure (?:get|export-credentials) (?:.*(?:secret|session_token)|undefined)/.test(asked))
    return finding('high', 'cloud.secret', 'aws prints a secret', 'no')
  if (printsSecret(operation, reading)) return finding('high', 'cloud.secret', 'aws prints a secret', 'no')
  if (/^public-read|^authenticated-read/.test(lastValue(reading, ACL) ?? ''))
    return finding('high', 'cloud.public', 'aws makes objects readable to everyone', 'yes')
  if (verb !== null) return withBucket(found, verb, reading, from)
  return rateDestruction('aws', operation, found, reading)
}

/** `gcloud`, `az`, `doctl` and similar: groups, then a verb. */
export const assessCloud: Assess = (facts) => {
  const { program } = facts
  const { finding: found, verb, reading } = matchVerb(facts)
  if (verb !== null || found.level === 'none') return found
  const words = reading.words.slice(0, 5).map(({ value }) => value?.toLowerCase() ?? '')
  if (words.some((word) => printsSecret(word, reading)))
    return finding('high', 'cloud.secret', `${program} prints a secret`, 'no')
  const recursive = reading.options.some(({ name }) => /^(?:-r|-R|--recursive)$/.test(name))
  const [first] = words
  if (recursive && (first === 'rm' || first === 'del'))
    return finding('critical', 'cloud.destroy-store', `${program} deletes everything below a prefix`, 'no', {
      reach: 'all',
    })
  return rateDestruction(program, words.join(' '), found, reading)
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
    return finding('high', 'cloud.high', `${program} runs an unknown command`, 'unknown')
  return /^(?:ls|du|head|version)$/.test(verb)
    ? finding('none', 'cloud.read', `${program} only reads`)
    : finding('medium', 'cloud.copy', `${program} copies to or from a bucket`, 'partly')
}

function printsSecret(operation: string, reading: Reading): boolean {
  return SECRET_OPERATIONS.test(operation) || hasOption(reading, DECRYPTS)
}

/** Copies name the bucket. */
function withBucket(found: RiskFinding, verb: string, reading: Reading, from: number): RiskFinding {
  if (verb !== 's3 cp' && verb !== 's3 sync') return found
  const words = reading.words.filter(({ at }) => at >= from)
  const bucket = words.find(({ value }) => value?.startsWith('s3://'))?.value
  return typeof bucket === 'string' && bucket.length < 200
    ? { ...found, extent: { ...found.extent, target: bucket } }
    : found
}

/** Raises a deletion to critical where the resource holds data or other resources. */
function rateDestruction(program: string, words: string, found: RiskFinding, reading: Reading): RiskFinding {
  if (!words.split(' ').some((word) => DESTROYS.test(word))) return found
  const whole = STORES.test(words) && !LESSER.test(words)
  if (whole || reading.options.some(({ name }) => UNSAVED.test(name)))
    return finding('critical', 'cloud.destroy-store', `${program} destroys a store or everything in a group`, 'no', {
      reach: 'all',
      ...found.extent,
    })
  return finding('high', 'cloud.destroy', `${program} deletes cloud resources`, 'no', found.extent)
}
