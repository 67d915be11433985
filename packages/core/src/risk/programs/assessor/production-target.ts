import type { CommandPart } from '../../../command/model/decomposition.ts'
import type { Reading } from '../../arguments/argument-parser.ts'

const PRODUCTION = /(?:^|[^a-z])(?:prod|prd|production|live)(?:[^a-z]|$)/i

/** Whether the name of a host, namespace, project or account suggests production. */
export function isProduction(name: string): boolean {
  return name.length <= 512 && PRODUCTION.test(name) && !/(?:non|pre)-?prod/i.test(name)
}

/** Options that name where a command acts. */
const WHERE = new Set(
  (
    '-n --namespace --context --kube-context --cluster --profile --project -p --project-name -H --host -h --hostname ' +
    '-a --app --env --environment --stage -s --stack --stack-name --subscription -g --resource-group --db --database ' +
    '-d --dbname --url --server --inventory -i --limit -l --prod --production --var-file'
  ).split(' '),
)

/** Variables that do. */
const VARIABLES = /(?:^|_)(?:ENV|ENVIRONMENT|STAGE|PROFILE|PROJECT|DATABASE_URL|WORKSPACE)$/

/** Whether a command names production as its target. */
export function actsOnProduction({ assignments }: CommandPart, { options }: Reading): boolean {
  if (
    assignments.length > 0 &&
    assignments.some(({ name, value }) => VARIABLES.test(name) && value !== null && isProduction(value))
  )
    return true
  for (const { name, value } of options) {
    if (!WHERE.has(name)) continue
    if (name === '--prod' || name === '--production' || (typeof value === 'string' && isProduction(value))) return true
  }
  return false
}
