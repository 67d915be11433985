import { ruleWords } from '../model/rule-location.ts'
import type { Explanation, RuleExplanation } from './explain.ts'

const OUTCOMES: { readonly [outcome in RuleExplanation['outcome']]: string } = {
  won: 'won',
  floor: 'floor',
  open: 'open',
  lost: 'lost',
  ignored: 'ignored',
  'no-match': 'no match',
}

/** An explanation as plain lines, winners before losers. Raw text: whoever shows it escapes it. */
export function formatExplanation(explanation: Explanation): readonly string[] {
  const { verdict, supervision, units, moreUnits, tool, risk, riskReasons } = explanation
  const lines = [`${tool}: ${verdict.supervision}, risk ${risk}, by ${ruleWords(verdict.rule)}`]
  for (const reason of verdict.reasons) lines.push(`  because ${reason}`)
  for (const reason of riskReasons) lines.push(`  risk ${risk}: ${reason}`)
  if (verdict.checks.length > 0) lines.push(`  checks: ${verdict.checks.join(', ')}`)
  if (supervision !== verdict.supervision) lines.push(`  as it is now, the checks make it ${supervision}`)
  for (const unit of units) {
    lines.push(`${unit.what}: ${unit.supervision}, risk ${unit.risk}, by ${ruleWords(unit.decidedBy)}`)
    const order = Object.keys(OUTCOMES)
    const rules = [...unit.rules].sort((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))
    for (const { rule, says, outcome, why } of rules) {
      lines.push(`  ${OUTCOMES[outcome].padEnd(8)} ${ruleWords(rule)} says ${says}: ${why}`)
    }
  }
  if (moreUnits > 0) lines.push(`and ${moreUnits} more parts, none of them stricter`)
  return lines
}
