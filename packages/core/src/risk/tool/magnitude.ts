import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { AMOUNTS, ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { type Extent, finding, type RiskFinding } from '../report/finding.ts'
import { highestRisk, RISK_LEVELS, type RiskLevel, riskRank } from '../report/level.ts'
import { DEFAULT_THRESHOLDS, type RatedCall } from '../report/rating-input.ts'
import { namesProduction } from './environment-and-flags.ts'
import { amountOf, countThings } from './quantities.ts'

/** Raises a change by the number of things it affects, the money it moves, and whether it reaches production. */
export function rateMagnitude(
  call: RatedCall,
  objects: readonly JsonObject[],
  found: readonly RiskFinding[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const highest = highestRisk(found.map((one) => one.level))
  // A read stays a read, however large.
  if (riskRank(highest) < riskRank('medium')) return []
  const { tool, args } = call
  const { records, amount } = now.thresholds ?? DEFAULT_THRESHOLDS
  const destroys = call.descriptor.kind === 'delete' || found.some(({ rule }) => rule === 'tool.destroy')
  const pays = found.some(({ rule }) => rule === 'tool.pay')
  // Counts and environments raise only a known change.
  const changes = found.some(
    ({ rule, level }) =>
      rule !== 'tool.undescribed' && !rule.startsWith('path.') && riskRank(level) >= riskRank('medium'),
  )
  const raised: RiskFinding[] = []
  const count = countThings(args, !changes && !nameWords(tool.name).some((word) => /^(?:bulk|mass|batch)$/.test(word)))
  if (count > records) {
    const level = destroys ? 'critical' : oneHigher(highest)
    const text = `affects more than ${records} things at once`
    raised.push(finding(level, 'tool.many', text, undefined, { reach: 'many', count }))
  }
  const minor = [...nameWords(tool.name), ...nameWords(tool.server ?? '')].some((word) =>
    AMOUNTS.minorUnitServices.has(word),
  )
  const money = amountOf(args, minor)
  if (money !== null && money > amount) {
    const level = pays ? 'critical' : oneHigher(highest)
    raised.push(
      finding(level, 'tool.amount', `involves more than ${amount} dollars, or as much in another currency`, 'no'),
    )
  }
  if (changes && (now.inProduction === true || namesProduction(tool.name, objects))) {
    const level = destroys ? 'critical' : 'high'
    raised.push(finding(level, 'tool.production', 'affects production', undefined, toolExtent(args, false)))
  }
  return raised
}

function oneHigher(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[Math.min(riskRank(level) + 1, RISK_LEVELS.length - 1)] ?? 'critical'
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._/:#-]{0,63}$/u
const ID = /^(?:id|uuid|.*[_-]id|.*Id|.*_number)$/

/** How much a call affects at once, and its target, going by its arguments. */
export function toolExtent(args: JsonObject, all: boolean): Extent {
  const key = ARGUMENT_NAMES.targets.find((name) => {
    const value = args[name]
    return typeof value === 'string' && NAME.test(value) && !looksSecret(value)
  })
  const target = key === undefined ? {} : { target: String(args[key]) }
  if (all) return { reach: 'all', ...target }
  const count = countThings(args)
  if (count > 1) return { reach: 'several', count, ...target }
  const one = count === 1 || Object.keys(args).some((name) => ID.test(name))
  return one ? { reach: 'one', count: 1, ...target } : target
}

/** A long word of letters and digits is not a name that a person chose. */
function looksSecret(value: string): boolean {
  return /[A-Za-z0-9]{24,}/.test(value) || (/\d/.test(value) && /[A-Za-z0-9_]{20,}/.test(value))
}
