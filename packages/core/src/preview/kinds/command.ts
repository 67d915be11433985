import type { FrozenCall } from '../../call/call.ts'
import type { Targets } from '../../ports/targets.ts'
import type { RatedPart, RiskReport } from '../../risk/report/report.ts'
import type { Preview, PreviewPart, PreviewTarget } from '../model/preview.ts'
import { inspectTarget } from '../targets/target-lookup.ts'

const MAX_PARTS = 200
/** How many files and folders of a command are inspected, and how deeply. */
const MAX_TARGETS = 12
const BOUNDS = { counted: 5_000, listed: 0 }

/** Every simple command that would run, with its level, its folder, and the current state of what it writes or deletes. */
export async function commandPreview(
  call: FrozenCall,
  command: string,
  risk: RiskReport,
  targets: Targets,
): Promise<Preview> {
  const parts = risk.parts.slice(0, MAX_PARTS).map((part) => toPart(part, risk.parts))
  const problems: string[] = []
  if (!risk.understood) {
    problems.push('this command could not be fully analyzed: read its full text')
    for (const reason of risk.reasons)
      if (reason.rule.startsWith('shell.') && !problems.includes(reason.text)) problems.push(reason.text)
  }
  if (risk.parts.length > MAX_PARTS)
    problems.push(`${risk.parts.length - MAX_PARTS} more commands are not listed; see the full text`)
  const uses = changedPaths(risk)
  if (uses.size > MAX_TARGETS)
    problems.push(`${uses.size - MAX_TARGETS} more files or folders would change than are listed below`)
  const looked: PreviewTarget[] = []
  for (const [real, use] of [...uses].slice(0, MAX_TARGETS))
    looked.push(await inspectTarget(real, use, '/', targets, BOUNDS))
  const folder = call.descriptor.cwd ?? call.cwd
  return { kind: 'command', command, folder, parts, targets: looked, problems }
}

function toPart({ command, level, paths }: RatedPart, all: readonly RatedPart[]): PreviewPart {
  const fedBy = feedersOf(command, all)
  const writes = paths.filter((path) => path.use === 'write' || path.use === 'delete').map((path) => path.given)
  return {
    text: command.text,
    program: command.program,
    via: [...command.via],
    level,
    writes: [...new Set(writes)],
    redirections: command.redirections.map(({ operator, target }) => `${operator} ${target ?? 'an unknown file'}`),
    folder: command.cwd === '' ? null : (command.cwd ?? 'an unknown folder'),
    ...(fedBy.length === 0 ? {} : { fedBy }),
  }
}

/** The programs whose output this one reads: in `curl … | sudo bash`, bash reads from curl. */
function feedersOf({ flow }: RatedPart['command'], all: readonly RatedPart[]): readonly string[] {
  const input = flow?.input ?? 0
  if (input === 0) return []
  const feeders = all.filter(({ command }) => command.flow?.output === input)
  return [...new Set(feeders.map(({ command }) => command.program ?? 'an unknown program'))]
}

/** The known paths that change and can be inspected; not the kernel's files. */
function changedPaths(risk: RiskReport): ReadonlyMap<string, 'write' | 'delete'> {
  const uses = new Map<string, 'write' | 'delete'>()
  for (const { real, use } of risk.parts.flatMap((part) => part.paths)) {
    if (real === null || (use !== 'write' && use !== 'delete') || /^\/(?:dev|proc|sys)\//.test(real)) continue
    if (uses.get(real) !== 'delete') uses.set(real, use)
  }
  return uses
}
