import { resolveFolder } from '../../policy/match/folder.ts'
import { isHarmlessDevice, isInside } from '../../risk/path/category.ts'
import type { PathUse, RiskReport } from '../../risk/report/report.ts'
import { type CheckAnswer, type Checker, textsOf } from '../checker.ts'

const MOST_NAMED = 5
const CHANGES: ReadonlySet<string> = new Set(['write', 'delete'])

/** Whether everything the call touches is inside the workspace, where links really lead. SECURITY: A27. */
export const boundaryChecker: Checker = {
  name: 'boundary',
  check({ risk, places, settings }) {
    const folders = [
      places.workspace,
      ...textsOf(settings, 'boundary', 'also').map((folder) => resolveFolder(folder, places)),
    ]
    // Programs live outside of every workspace; which of them may run is no matter of folders.
    const paths = allPaths(risk).filter((path) => path.use !== 'execute' && !isHarmlessDevice(path.real ?? path.given))
    const outside = paths.filter((path) => isOutside(path, folders))
    if (outside.length > 0) return crossing(outside)
    if (!risk.understood)
      return {
        status: 'fail',
        message: 'the command could not be fully parsed, so the files it touches are unknown',
        overridable: true,
      }
    if (paths.length === 0) return { status: 'skip', message: 'it does not name a file' }
    return { status: 'pass', message: 'everything it names is inside the workspace' }
  },
}

/** The paths of the call, and those of commands in files that it runs. */
function allPaths({ paths, parts }: RiskReport): readonly PathUse[] {
  const found = parts.filter(({ command }) => command.origin !== undefined)
  return found.length === 0 ? paths : [...paths, ...found.flatMap((part) => part.paths)]
}

/** What is not known is outside: `real` is null where a variable or an unreadable link stands. */
function isOutside({ real, within }: PathUse, folders: readonly string[]): boolean {
  const at = real ?? within ?? null
  return at === null || !folders.some((folder) => isInside(at, folder))
}

function crossing(outside: readonly PathUse[]): CheckAnswer {
  const changes = outside.some((path) => CHANGES.has(path.use))
  const [first] = outside
  const leads = first?.real === null || first?.real === first?.given ? '' : `, which leads to \`${first?.real ?? ''}\``
  const unknown = first?.real === null && first.within === undefined ? ', whose target is unknown' : leads
  return {
    status: changes ? 'fail' : 'warn',
    message: `it ${changes ? 'changes' : 'reads'} files outside the workspace: \`${first?.given ?? ''}\`${unknown}`,
    details: outside.slice(0, MOST_NAMED).map(({ given, real, use }) => ({ given, real, use })),
    suggestion: 'stay in the workspace, or allow the folder with `boundary: { also: … }`',
    overridable: true,
  }
}
