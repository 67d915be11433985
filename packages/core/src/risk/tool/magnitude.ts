import type { JsonObject } from '../../call/json/json.ts'
import { nameWords } from '../../call/names/words.ts'
import { AMOUNTS } from '../../knowledge/compiled/tools.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import { highestRisk, RISK_LEVELS, type RiskLevel, riskRank } from '../report/level.ts'
import type { RatedCall } from '../report/rated-call.ts'
import { DEFAULT_THRESHOLDS } from '../report/thresholds.ts'
import { toolExtent } from './affected-targets.ts'
import { amountOf } from './amount.ts'
import { countThings } from './count.ts'
import { isProduction } from './environment-and-flags.ts'

/** Raises what changes something by how much it touches, how much money it moves, and whether it goes to production. */
export function rateScale(
  call: RatedCall,
  objects: readonly JsonObject[],
  found: readonly RiskFinding[],
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const highest = highestRisk(found.map((one) => one.level))
  // However much is read, it is still a read.
  if (riskRank(highest) < riskRank('medium')) return []
  const { tool, args } = call
  const { records, amount } = now.thresholds ?? DEFAULT_THRESHOLDS
  const destroys = call.descriptor.kind === 'delete' || found.some(({ rule }) => rule === 'tool.destroy')
  const pays = found.some(({ rule }) => rule === 'tool.pay')
  // A number and a place raise only what is known to change something.
  const changes = found.some(
    ({ rule, level }) =>
      rule !== 'tool.undescribed' && !rule.startsWith('path.') && riskRank(level) >= riskRank('medium'),
  )
  const raised: RiskFinding[] = []
  const count = countThings(args, !changes && !nameWords(tool.name).some((word) => /^(?:bulk|mass|batch)$/.test(word)))
  if (count > records) {
    const level = destroys ? 'critical' : oneHigher(highest)
    const text = `touches more than ${records} things at once`
    raised.push(finding(level, 'tool.many', text, undefined, { reach: 'many', count }))
  }
  const minor = [...nameWords(tool.name), ...nameWords(tool.server ?? '')].some((word) =>
    AMOUNTS.minorUnitServices.has(word),
  )
  const money = amountOf(args, minor)
  if (money !== null && money > amount) {
    const level = pays ? 'critical' : oneHigher(highest)
    raised.push(
      finding(level, 'tool.amount', `is about more than ${amount} dollars or as much in another currency`, 'no'),
    )
  }
  if (changes && isProduction(tool.name, objects)) {
    const level = destroys ? 'critical' : 'high'
    raised.push(finding(level, 'tool.production', 'goes to production', undefined, toolExtent(args, false)))
  }
  return raised
}

function oneHigher(level: RiskLevel): RiskLevel {
  return RISK_LEVELS[Math.min(riskRank(level) + 1, RISK_LEVELS.length - 1)] ?? 'critical'
}
