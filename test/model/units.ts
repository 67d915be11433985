import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { HostUse, PathUse, RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { LEVELS, type Unit } from './tri.ts'

/** The parts of a call that are judged one by one. */
export function unitsOf(risk: RiskReport, sandboxed: boolean): Unit[] {
  const spread = (
    part: CommandPart | null,
    level: RiskLevel,
    rowLevel: RiskLevel,
    paths: readonly PathUse[],
    hosts: readonly HostUse[],
  ): Unit[] =>
    (paths.length === 0 ? [null] : paths).map((path) => ({
      part,
      path,
      hosts,
      level,
      rowLevel,
      contained: part !== null && sandboxed,
      opaque: false,
    }))
  if (risk.parts.length === 0) return spread(null, risk.level, risk.level, risk.paths, risk.hosts)
  const inside = (part: RiskReport['parts'][number]) => (sandboxed && risk.understood ? part.contained : undefined)
  const units = risk.parts
    .flatMap((p) => spread(p.command, p.level, inside(p) ?? p.level, p.paths, p.hosts))
    .map((unit) =>
      unit.path?.real === null && /write|delete/.test(unit.path.use) ? { ...unit, rowLevel: unit.level } : unit,
    )
  const beside = sandboxed && risk.understood ? risk.beside : undefined
  if (beside !== undefined && units.every((unit) => LEVELS.indexOf(beside) > LEVELS.indexOf(unit.rowLevel)))
    units.push({ part: null, path: null, hosts: [], level: beside, rowLevel: beside, contained: true, opaque: false })
  const above = risk.parts.every((p) => LEVELS.indexOf(risk.level) > LEVELS.indexOf(p.level))
  if (!risk.understood || above)
    units.push({
      part: null,
      path: null,
      hosts: [],
      level: risk.level,
      rowLevel: risk.level,
      contained: sandboxed,
      opaque: !risk.understood,
    })
  return units
}

/** The hosts of a command are bounds of its sandbox. */
export const contacted = (hosts: readonly HostUse[]) =>
  hosts
    .filter(({ host }) => host !== null && host !== 'localhost' && host !== '127.0.0.1')
    .map(({ host, port }) => (port === null || port === 80 || port === 443 ? `${host}` : `${host}:${port}`))
