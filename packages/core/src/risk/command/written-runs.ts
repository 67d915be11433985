import { decomposeUnproven } from '../../command/decompose.ts'
import type { WrittenRun } from '../../runners/written/gather-written.ts'
import type { Trigger } from '../../runners/written/run-file.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { finding, lessReversible, type RiskFinding } from '../report/finding.ts'
import { riskRank } from '../report/level.ts'
import type { RiskReason } from '../report/report.ts'
import { rateCommand } from './rate-command.ts'

/** INVARIANT: L10, commands and settings of one call that are rated; more count as high. */
const MAX_ADDED = 200
const MAX_SHOWN = 60

/**
 * Rates what a call adds to files that other programs run: by the commands that will run, and the settings that change
 * what runs. Only raises: the write itself is rated by its path.
 */
export function rateWritten(
  written: readonly WrittenRun[],
  cwd: string,
  now: RiskCircumstances,
): readonly RiskFinding[] {
  const all = written.flatMap((run) => run.added.map((added) => ({ ...run, added })))
  const findings = all.slice(0, MAX_ADDED).flatMap((one) => rateAdded(one, cwd, now) ?? [])
  // A command's change is found after its run, and counts as unseen.
  for (const { file, isKnown, by } of written)
    if (!isKnown && by === 'tool')
      findings.push(finding('medium', 'write.unknown', `changes \`${file}\`, which others run, in an unknown way`))
  if (all.length > MAX_ADDED)
    findings.push(finding('high', 'write.many', `adds more than ${MAX_ADDED} commands that others run`, 'unknown'))
  return findings
}

function rateAdded(
  { file, added, was }: { readonly file: string; readonly added: Trigger; readonly was: string | null },
  cwd: string,
  now: RiskCircumstances,
): RiskFinding | null {
  const { code, key, line, effect, level = 'high' } = added
  if (code === null) return finding(level, 'write.setting', `sets \`${key}\` in \`${file}\`, which ${effect}`, 'partly')
  const known = new Set(was === null ? [] : reasonsOf(was, cwd, now).map(keyOf))
  const reasons = reasonsOf(code, cwd, now).filter((one) => !known.has(keyOf(one)))
  const [worst] = reasons.toSorted((one, other) => riskRank(other.level) - riskRank(one.level))
  // The project's own code is what these files are for.
  if (worst === undefined || riskRank(worst.level) < riskRank('high')) return null
  const shown = key === '' ? `${file}:${line}` : `\`${shortened(code)}\` in ${file}:${line}`
  return finding(worst.level, 'write.runs', `adds ${shown}, which runs ${effect}: ${worst.text}`, undo(reasons))
}

function reasonsOf(code: string, cwd: string, now: RiskCircumstances): readonly RiskReason[] {
  return rateCommand(decomposeUnproven(code), cwd, { places: now.places, resolved: new Map() }).reasons
}

function keyOf({ rule, text }: RiskReason): string {
  return `${rule} ${text}`
}

function undo(reasons: readonly RiskReason[]): RiskFinding['reversible'] {
  return reasons.some(({ level }) => level === 'critical') ? lessReversible('partly', 'no') : 'partly'
}

function shortened(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim().replaceAll('`', "'")
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line
}
