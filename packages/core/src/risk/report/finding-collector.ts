import type { CommandPart } from '../../command/model/decomposition.ts'
import type { RiskFinding } from './finding.ts'
import { type RiskLevel, riskRank } from './level.ts'
import type { RiskReason } from './report.ts'

/** Gathers what is found about a command, part by part: straight into the lists that the report is made of. */
export class Gathered {
  readonly findings: RiskFinding[] = []
  readonly reasons: RiskReason[] = []
  /** The highest level found since a part began. */
  level: RiskLevel = 'none'

  /** A new part begins. */
  begin(): void {
    this.level = 'none'
  }

  /** Adds one thing found, and where in the command it stands. What is harmless is no reason. */
  add(found: RiskFinding, span: CommandPart['span']): void {
    this.findings.push(found)
    const { level } = found
    if (level === 'none') return
    if (riskRank(level) > riskRank(this.level)) this.level = level
    this.reasons.push({ level, rule: found.rule, text: found.text, span })
  }
}
