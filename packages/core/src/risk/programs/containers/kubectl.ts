import { rowList } from '../../../knowledge/programs.ts'
import { hasOption, lastValue, type Reading } from '../../arguments/argument-parser.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import type { Assess } from '../assessor/assessor.ts'
import { matchVerb, type RatedVerb } from '../assessor/rate-verbs.ts'

const EVERY = new Set(['--all', '-A', '--all-namespaces'])
const PRINTS = new Set(['-o', '--output', '--template'])
const NAMES_ONLY = /^(?:name|wide)?$/

/** `kubectl` and `oc`: by verb, by what is deleted, and by whether a secret is shown. */
export const assessKubectl: Assess = (facts) => {
  const rated = matchVerb(facts)
  const { verb, reading, finding: found } = rated
  if (found.rule === 'kubernetes.dry-run') return found
  if (verb === 'delete') return rateDeletion(rated)
  if (verb === 'get') return rateGet(facts.program, reading) ?? found
  if (verb === 'scale' && lastValue(reading, new Set(['--replicas'])) === '0')
    return { ...found, text: `${found.text}: to zero`, extent: { ...found.extent, count: 0 } }
  if (verb === 'create' && grantsAll(reading))
    return finding('high', 'kubernetes.admin', `${facts.program} grants access to the whole cluster`, 'yes')
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
    return finding('critical', 'kubernetes.delete-all', 'kubectl delete removes every resource of a kind', 'no', {
      reach: 'all',
      ...target,
    })
  if (kinds.some((one) => rowList('kubectl', 'whole_kinds').has(one)))
    return finding(
      'critical',
      'kubernetes.delete-whole',
      'kubectl delete removes a whole namespace, node, kind or volume',
      'no',
      {
        ...found.extent,
        ...named(reading, from),
      },
    )
  return { ...found, extent: { ...found.extent, ...named(reading, from) } }
}

/** The resource after its kind: `pod api` and `pod/api` are about `api`. */
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

/** `kubectx`, `kubens`: without a name they list. */
export const assessContext: Assess = ({ part, program }) =>
  part.args.some(({ value }) => value !== '-c' && value !== '--current')
    ? finding('medium', 'kubernetes.context', `${program} switches the cluster that later commands use`, 'yes')
    : finding('none', 'kubernetes.context', `${program} only lists`)
