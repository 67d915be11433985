import type { FrozenCall } from '../../call/call.ts'
import type { Targets } from '../../ports/targets.ts'
import type { RatedPart, RiskReport } from '../../risk/report/report.ts'
import type { Preview, PreviewPart, PreviewTarget } from '../model/preview.ts'
import { lookAt } from '../targets/target-lookup.ts'

const MAX_PARTS = 200
/** Files and folders of a command that are looked at, and how far: there may be many of them. */
const MAX_TARGETS = 12
const BOUNDS = { counted: 5_000, listed: 0 }

/** Every simple command that would run, with its own level, where it runs, and what it writes or deletes as it is now. */
export async function commandPreview(
  call: FrozenCall,
  command: string,
  risk: RiskReport,
  targets: Targets,
): Promise<Preview> {
  const parts = risk.parts.slice(0, MAX_PARTS).map((part) => toPart(part, risk.parts))
  const problems: string[] = []
  if (!risk.understood) {
    problems.push('this command could not be fully understood: judge it by its whole text')
    for (const reason of risk.reasons)
      if (reason.rule.startsWith('shell.') && !problems.includes(reason.text)) problems.push(reason.text)
  }
  if (risk.parts.length > MAX_PARTS)
    problems.push(`${risk.parts.length - MAX_PARTS} more commands are not listed; the whole text holds them`)
  const uses = changedPaths(risk)
  if (uses.size > MAX_TARGETS)
    problems.push(`${uses.size - MAX_TARGETS} more files or folders are changed than are looked at below`)
  const looked: PreviewTarget[] = []
  for (const [real, use] of [...uses].slice(0, MAX_TARGETS)) looked.push(await lookAt(real, use, '/', targets, BOUNDS))
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
    redirections: command.redirections.map(({ operator, target }) => `${operator} ${target ?? 'somewhere not known'}`),
    folder: command.cwd === '' ? null : (command.cwd ?? 'a folder not known'),
    ...(fedBy.length === 0 ? {} : { fedBy }),
  }
}

/** The programs that write what this one reads: `curl … | sudo bash` is fed by curl, whatever stands between. */
function feedersOf({ flow }: RatedPart['command'], all: readonly RatedPart[]): readonly string[] {
  const input = flow?.input ?? 0
  if (input === 0) return []
  const feeders = all.filter(({ command }) => command.flow?.output === input)
  return [...new Set(feeders.map(({ command }) => command.program ?? 'a program not known'))]
}

/** What is changed, where it could be told and can be looked at: not the kernel's own files. */
function changedPaths(risk: RiskReport): ReadonlyMap<string, 'write' | 'delete'> {
  const uses = new Map<string, 'write' | 'delete'>()
  for (const { real, use } of risk.parts.flatMap((part) => part.paths)) {
    if (real === null || (use !== 'write' && use !== 'delete') || /^\/(?:dev|proc|sys)\//.test(real)) continue
    if (uses.get(real) !== 'delete') uses.set(real, use)
  }
  return uses
}
