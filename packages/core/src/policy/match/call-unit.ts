import type { FrozenCall } from '../../call/call.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { highestRisk, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { HostUse, PathUse, RiskReport } from '../../risk/report/report.ts'
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
  /** Hosts that the call, or this part of it, contacts. */
  readonly hosts: readonly HostUse[]
  readonly level: RiskLevel
  /** The level that the preset's row answers: inside the sandbox, only what the sandbox does not prevent. */
  readonly rowLevel: RiskLevel
  /** It would run in the sandbox, where this machine's servers are out of reach. */
  readonly contained: boolean
  /** The whole of a command that could not be fully parsed: what it runs and touches is unknown. */
  readonly opaque: boolean
}

/** One compiled condition. */
export type Test = (unit: Unit, about: Case) => Answer

/** The only unit of a call, or null if there are several. Most calls have one. */
export function onlyUnit(risk: RiskReport): Unit | null {
  if (risk.parts.length > 0 || risk.paths.length > 1) return null
  const { hosts, level: stated, rated: level = stated } = risk
  return { part: null, path: risk.paths[0] ?? null, hosts, level, rowLevel: level, contained: false, opaque: false }
}

/** A change of files that no copy can be kept of, because it is unknown which. */
function isUnknownChange({ use, real }: PathUse): boolean {
  return real === null && (use === 'write' || use === 'delete')
}

/**
 * The units of a call with their rated levels, in the order of its parts and paths. Never empty. `contained`: the command
 * would run in the sandbox.
 */
export function unitsOf(risk: RiskReport, contained = false): readonly Unit[] {
  const { parts, paths, level: stated, rated: level = stated, understood } = risk
  if (parts.length === 0) {
    const only = onlyUnit(risk)
    return only
      ? [only]
      : paths.map((path) => ({
          part: null,
          path,
          hosts: risk.hosts,
          level,
          rowLevel: level,
          contained: false,
          opaque: false,
        }))
  }
  const units: Unit[] = []
  for (const part of parts) {
    const { command, level: stated, rated: level = stated, paths, hosts } = part
    const rowLevel = contained && understood ? (part.contained ?? level) : level
    if (paths.length === 0) units.push({ part: command, path: null, hosts, level, rowLevel, contained, opaque: false })
    for (const path of paths)
      units.push({
        part: command,
        path,
        hosts,
        level,
        rowLevel: isUnknownChange(path) ? level : rowLevel,
        contained,
        opaque: false,
      })
  }
  const { beside } = risk
  // What concerns the whole call is not prevented by the sandbox.
  if (
    contained &&
    understood &&
    beside !== undefined &&
    units.every((one) => riskRank(beside) > riskRank(one.rowLevel))
  )
    units.push({ part: null, path: null, hosts: [], level: beside, rowLevel: beside, contained, opaque: false })
  const exceeds = riskRank(level) > riskRank(highestRisk(parts.map((part) => part.rated ?? part.level)))
  if (!understood || exceeds)
    units.push({ part: null, path: null, hosts: [], level, rowLevel: level, contained, opaque: !understood })
  return units
}
