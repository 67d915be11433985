import { hasOption, type Reading } from '../../arguments/argument-parser.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'

/** Operations of the clouds that print a credential. */
const SECRET_OPERATIONS =
  /^(?:get-secret-value|batch-get-secret-value|get-session-token|get-federation-token|assume-role|assume-role-with-saml|assume-role-with-web-identity|get-login-password|get-authorization-token|get-password-data|get-role-credentials|export-credentials|generate-db-auth-token|print-access-token|print-identity-token|print-refresh-token|get-access-token|get-credentials|access|list-keys|list-connection-strings|get-password|show-password|get-console-credentials|admin-get-password|decrypt|list-publishing-credentials|generate-sas|generate-access-token)$/
const DECRYPTS = new Set(['--with-decryption'])

/** Whether an operation prints a secret. */
export function isCloudSecret(operation: string, reading: Reading): boolean {
  return SECRET_OPERATIONS.test(operation) || hasOption(reading, DECRYPTS)
}

/** Things that hold data or everything else: deleting one is the end of much. */
const STORES =
  /(?:^|[-_ ])(?:project|projects|resource-group|group|stack|stack-set|bucket|buckets|db-instance|db-cluster|global-cluster|table|cluster|clusters|database|databases|sql|hosted-zone|managed-zones|file-system|filestore|volume|vault|keyvault|account|subscription|organization|domain|snapshot|backup|data-set|dataset|datastream|delivery-stream|stream|cache-cluster|replication-group|repository|user-pool|instances? delete|storage|cosmosdb|keyspace|spanner|bigtable|firestore|warehouse|lake|index|collection|log-group|ledger)(?:[-_ ]|$)/
const LESSER =
  /(?:^|[-_ ])(?:log-stream|cluster-parameter-group|parameter-group|subnet-group|security-group|instance-groups?|node-group|nodegroup|tags?|group-member|log-group-subscription|account-alias|tag-keys|stack-instances|snapshot-schedule|node-pools?|target-group|group-policy|user-group|managed-instance)(?:[-_ ]|$)/
const DESTROYS = /^(?:delete|terminate|destroy|purge|remove|drop|rb|rm|erase|wipe|schedule-key-deletion)(?:-|$)/

/** Makes a deletion by shape critical where what is deleted holds data or everything else. */
export function rateDestruction(program: string, words: string, found: RiskFinding, reading: Reading): RiskFinding {
  const destroys = words.split(' ').some((word) => DESTROYS.test(word))
  if (!destroys) return found
  const whole = STORES.test(words) && !LESSER.test(words)
  const unsaved = reading.options.some(({ name }) =>
    /^--(?:skip-final-snapshot|force-delete|force-destroy|no-backup|delete-automated-backups)/.test(name),
  )
  if (whole || unsaved)
    return finding('critical', 'cloud.destroy-store', `${program} destroys a store or everything in a group`, 'no', {
      reach: 'all',
      ...found.extent,
    })
  return finding('high', 'cloud.destroy', `${program} deletes in the cloud`, 'no', found.extent)
}
