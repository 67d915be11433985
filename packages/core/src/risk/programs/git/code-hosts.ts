import type { CommandPart } from '../../../command/model/decomposition.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'
import { rateVerbs } from '../assessor/rate-verbs.ts'

/** The HTTP method an `api` command uses; null when it reads. */
function methodOf(part: CommandPart): string | null {
  for (let at = 0; at < part.args.length; at++) {
    const value = part.args[at]?.value ?? ''
    if (value === '-X' || value === '--method' || value === '--request')
      return part.args[at + 1]?.value?.toUpperCase() ?? '?'
    const joined = /^(?:-X|--method=|--request=)([A-Za-z]{1,10})$/.exec(value)?.[1]
    if (joined !== undefined) return joined.toUpperCase()
  }
  return anyFlag(part, '-f', '-F', '--field', '--raw-field', '--input', '--form') ? 'POST' : 'GET'
}

/** `gh api` and `glab api`: by method, and GraphQL by whether it is a mutation. */
function assessApi(part: CommandPart, program: string, rest: readonly (string | null)[]) {
  if (rest.includes('graphql')) {
    const query = part.args.find(({ value }) => value === null || /^(?:--?(?:raw-)?field=)?query=/.test(value))
    const reads = query?.value != null && !/\bmutation\b/.test(query.value) && !/query=@/.test(query.value)
    return reads
      ? finding('none', 'github.api', `${program} api only reads`)
      : finding('high', 'github.api', `${program} api may change something on the server`)
  }
  const method = methodOf(part)
  if (method === 'GET' || method === 'HEAD') return finding('none', 'github.api', `${program} api only reads`)
  const path = rest.find(
    (word): word is string => word !== null && /^\/?[\w{}./-]{1,120}$/.test(word) && word.includes('/'),
  )
  const whole =
    method === 'DELETE' && /^\/?(?:repos\/[^/]+\/[^/]+|projects\/[^/]+|orgs\/[^/]+|groups\/[^/]+)$/.test(path ?? '')
  const extent = path === undefined ? undefined : { reach: whole ? ('all' as const) : ('one' as const), target: path }
  if (whole)
    return finding('critical', 'github.api', `${program} api deletes a whole repository or group`, 'no', extent)
  return finding(
    'high',
    'github.api',
    `${program} api changes something on the server`,
    method === 'DELETE' ? 'no' : 'partly',
    extent,
  )
}

/** `gh` and `glab`: by verb, and `api` by its request. */
export const assessCodeHost: Assess = (facts) => {
  const { part, verb, program } = facts
  if (verb.kind !== 'verb' || verb.verb !== 'api') return rateVerbs(facts)
  return assessApi(
    part,
    program,
    verb.rest.map((word) => word.value),
  )
}
