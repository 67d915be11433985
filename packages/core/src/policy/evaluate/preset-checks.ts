import { isHarmlessDevice } from '../../risk/path/category.ts'
import type { PathUse, RiskReport } from '../../risk/report/report.ts'
import type { PresetRow } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'

/** What a script of the project changes gets a copy. The other checks are about the files that a call names. */
const IN_SCRIPTS = 'backup'

/**
 * Adds the checks that the preset runs on every call that changes files, so that no rule of a person's own loses them.
 * Nothing is checked for a call that is denied.
 */
export function withPresetChecks(verdict: Verdict, risk: RiskReport, { checks }: PresetRow): Verdict {
  if (checks === undefined || verdict.supervision === 'deny') return verdict
  const wanted = risk.paths.some(isChange)
    ? checks.changes
    : changesInScripts(risk)
      ? checks.changes.filter(isForScripts)
      : []
  const presetChecks = wanted.filter((name) => !verdict.checks.includes(name)).sort()
  if (presetChecks.length === 0) return verdict
  return { ...verdict, checks: [...verdict.checks, ...presetChecks].sort(), presetChecks }
}

function isForScripts(name: string): boolean {
  return name === IN_SCRIPTS
}

function changesInScripts({ parts }: RiskReport): boolean {
  return parts.some((part) => part.paths.some(isChange))
}

function isChange({ use, given, real }: PathUse): boolean {
  if (use !== 'write' && use !== 'delete') return false
  return !isHarmlessDevice(given) && (real === null || !isHarmlessDevice(real))
}
