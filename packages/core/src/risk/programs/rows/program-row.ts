import { finding } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { Assess } from '../assessor/assessor.ts'

/** Names of programs, separated by spaces, and what rates them. */
export type ProgramRow = readonly [names: string, assess: Assess]

/** An assessor that always gives the same answer. */
export const fixed =
  (level: RiskLevel, rule: string, says: string): Assess =>
  ({ program }) =>
    finding(level, rule, `${program} ${says}`)

export const READS = fixed('none', 'plain.read', 'only reads or prints')
export const SMALL = fixed('low', 'plain.small', 'has a small local effect')
