import type { RiskLevel } from '../../risk/report/level.ts'
import { riskRank } from '../../risk/report/level.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { compileRule } from '../match/conditions.ts'
import type { Rule } from '../model/rule.ts'
import { compareRefs } from './verdict-contribution.ts'

/** A rule with `raises_to`, ready to judge. In doubt it applies: it only tightens. */
export class RaisingRule {
  readonly source: Rule
  readonly level: RiskLevel
  readonly rank: number
  #test: ((unit: Unit, about: Case) => 0 | 1 | 2) | null = null

  constructor(source: Rule, level: RiskLevel) {
    this.source = source
    this.level = level
    this.rank = riskRank(level)
  }

  applies(unit: Unit, about: Case): 0 | 1 | 2 {
    const { when, unless } = this.source
    this.#test ??= compileRule(when, unless, { tightens: true, negated: false })
    return this.#test(unit, about)
  }
}

/** The rules with `raises_to`, in an order that does not depend on the files'. */
export function raisingRules(rules: readonly Rule[]): readonly RaisingRule[] {
  return rules
    .flatMap((rule) => (rule.raisesTo === undefined ? [] : new RaisingRule(rule, rule.raisesTo)))
    .sort((a, b) => compareRefs(a.source, b.source))
}
