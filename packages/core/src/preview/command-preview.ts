import type { RatedPart, RiskReport } from '../risk/report.ts'
import type { Preview, PreviewPart } from './preview.ts'

const MAX_PARTS = 200

/** Every simple command that would run, with its own level and what it writes. */
export function commandPreview(command: string, risk: RiskReport): Preview {
  const parts = risk.parts.slice(0, MAX_PARTS).map(toPart)
  const problems: string[] = []
  if (!risk.understood) {
    problems.push('this command could not be fully understood: judge it by its whole text')
    for (const reason of risk.reasons)
      if (reason.rule.startsWith('shell.') && !problems.includes(reason.text)) problems.push(reason.text)
  }
  if (risk.parts.length > MAX_PARTS)
    problems.push(`${risk.parts.length - MAX_PARTS} more commands are not listed; the whole text holds them`)
  return { kind: 'command', command, parts, problems }
}

function toPart({ command, level, paths }: RatedPart): PreviewPart {
  const writes = paths.filter((path) => path.use === 'write' || path.use === 'delete').map((path) => path.given)
  return { text: command.text, program: command.program, via: [...command.via], level, writes: [...new Set(writes)] }
}
