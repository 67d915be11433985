import type { FrozenCall } from '../../call/call.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { highestRisk, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { PathUse, RiskReport } from '../../risk/report/report.ts'
import type { Circumstances } from '../model/circumstances.ts'
import type { Answer } from './three-valued-logic.ts'

/** A call with its risk and circumstances. */
export interface Case {
  readonly call: FrozenCall
  readonly risk: RiskReport
  readonly circumstances: Circumstances
}

/** One piece of a call that is judged on its own; the strictest piece decides. See docs/reference/judgement.md. */
export interface Unit {
  readonly part: CommandPart | null
  readonly path: PathUse | null
  readonly level: RiskLevel
  /** The whole of a command that could not be fully parsed: what it runs and touches is unknown. */
  readonly opaque: boolean
}

/** One compiled condition. */
export type Test = (unit: Unit, about: Case) => Answer

/** The only unit of a call, or null if there are several. Most calls have one. */
export function onlyUnit(risk: RiskReport): Unit | null {
  if (risk.parts.length > 0 || risk.paths.length > 1) return null
  return { part: null, path: risk.paths[0] ?? null, level: risk.level, opaque: false }
}

/** The units of a call, in the order of its parts and paths. Never empty. */
export function unitsOf(risk: RiskReport): readonly Unit[] {
  const { parts, paths, level, understood } = risk
  if (parts.length === 0) {
    const only = onlyUnit(risk)
    return only ? [only] : paths.map((path) => ({ part: null, path, level, opaque: false }))
  }
  const units: Unit[] = []
  for (const part of parts) {
    const { command, level, paths } = part
    if (paths.length === 0) units.push({ part: command, path: null, level, opaque: false })
    for (const path of paths) units.push({ part: command, path, level, opaque: false })
  }
  const exceeds = riskRank(level) > riskRank(highestRisk(parts.map((part) => part.level)))
  if (!understood || exceeds) units.push({ part: null, path: null, level, opaque: !understood })
  return units
}
