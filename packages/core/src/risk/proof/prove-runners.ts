import type { CommandPart, ExactCommands, Inside } from '../../command/model/decomposition.ts'
import { LOADING, VARIABLES } from '../../knowledge/compiled/commands.ts'
import { PYTHON } from '../../knowledge/compiled/runners.ts'
import { actsOf } from '../acts/acts-of.ts'
import { copiesOf } from '../path/file-program-paths.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { riskRank } from '../report/level.ts'
import type { RatedPart } from '../report/report.ts'

/** A command in a file without the way that leads to it: its words are what the file says. */
export function ownPart(part: CommandPart): CommandPart {
  const { origin, via } = part
  return origin === undefined ? part : { ...part, via: via.slice(via.lastIndexOf(`${origin.file}:${origin.line}`) + 1) }
}

/**
 * Proves commands that run files of the project: everything in the files was found and is proven itself, and no part of the
 * command changes the files before they run.
 */
export function proveRunners(
  parts: readonly RatedPart[],
  intricate: boolean,
  now: RiskCircumstances,
  exact: ExactCommands | null = null,
): readonly RatedPart[] {
  if (now.seen === undefined || intricate || changesSeenFiles(parts, now)) return parts
  const proven = [...parts]
  // What a part runs comes after it.
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = proven[index]
    const inside = part?.command.inside
    if (part === undefined || inside === undefined) continue
    const isWhole = isSeenWhole(inside, proven)
    if (part.proven !== undefined) proven[index] = withSettings(part, isWhole)
    else if (isWhole && inside.settings !== true && isPlain(part, exact))
      proven[index] = {
        ...part,
        proven: inside.alone === true ? 'changes' : 'runs',
        ...(inside.cached === true ? { provided: 'caches' as const } : {}),
      }
    proveGuessed(proven, index)
    proveTimer(proven, index, exact)
  }
  return proven
}

/**
 * The commands that seem to be in code on the command line: `python3 -c "subprocess.run(['ls'])"`. Where the code is understood
 * whole, the commands that it runs are among those that were found in it, and are proven by themselves.
 */
function proveGuessed(parts: RatedPart[], index: number): void {
  const outer = parts[index]
  if (outer === undefined || outer.proven === undefined || outer.command.inside?.alone !== true) return
  const { via, program, origin, span } = outer.command
  for (let at = index + 1; at < parts.length; at++) {
    const part = parts[at]
    const inner = part?.command
    const isInner =
      inner?.via[via.length] === `${program} code` &&
      via.every((label, place) => inner.via[place] === label) &&
      inner.origin?.file === origin?.file &&
      inner.origin?.line === origin?.line &&
      inner.span.start >= span.start &&
      inner.span.end <= span.end
    if (part === undefined || !isInner) return
    const { provided: _, ...rest } = part
    parts[at] = { ...rest, proven: outer.proven, ...(outer.provided === undefined ? {} : { provided: outer.provided }) }
  }
}

/** Whether everything in the files that a part runs was found, and is proven itself. */
export function isSeenWhole({ opaque, held, runs }: Inside, parts: readonly RatedPart[]): boolean {
  return opaque.length === 0 && held === undefined && runs.every((at) => isProven(parts[at]))
}

/** A proof that takes the repository's settings for granted, now that they were read. */
function withSettings(part: RatedPart, isWhole: boolean): RatedPart {
  const { provided, proven, ...rest } = part
  if (provided === undefined || provided === 'caches') return part
  if (isWhole && proven !== undefined) return { ...rest, proven }
  if (provided === 'settings') return rest
  const { cwd, args } = part.command
  // Whoever runs contained commands keeps git from obeying the workspace's own settings, and no others.
  return cwd === '' && args[0]?.value?.startsWith('-') === false ? part : rest
}

function isProven(part: RatedPart | undefined): boolean {
  return part?.proven !== undefined && part.provided === undefined
}

/** Nothing was found about the words of the runner itself. */
function isPlain({ command, level, hosts }: RatedPart, exact: ExactCommands | null): boolean {
  const { via, assignments, redirections, args, inside } = ownPart(command)
  // What code in the command does to files is rated with the command, and proven by the parts that stand for it.
  const most = inside?.alone === true ? 'medium' : 'low'
  return (
    riskRank(level) <= riskRank(most) &&
    hosts.length === 0 &&
    (via.length === 0 || isTimed(command, exact)) &&
    command.intricate !== true &&
    assignments.every(
      ({ name, value }) =>
        value !== null && (VARIABLES.harmless.has(name) || inside?.variables?.includes(name) === true),
    ) &&
    redirections.every(({ target }) => target === '/dev/null') &&
    args.every(({ value, glob }) => value !== null && !glob)
  )
}

/** `timeout` itself, if what it runs is proven. */
function proveTimer(parts: RatedPart[], index: number, exact: ExactCommands | null): void {
  const [outer, inner] = [parts[index - 1], parts[index]]
  if (outer === undefined || inner?.proven !== 'runs' || !isTimed(inner.command, exact)) return
  const { program, via, assignments, redirections, cwd } = outer.command
  if (program !== 'timeout' || via.length > 0 || cwd !== inner.command.cwd || outer.level !== 'none') return
  if (assignments.length > 0 || redirections.some(({ target }) => target !== '/dev/null')) return
  parts[index - 1] = { ...outer, proven: 'runs', ...(inner.provided && { provided: inner.provided }) }
}

/** `timeout 60 npm test`: with exact words, it runs the same command, and ends everything that this started. */
function isTimed(command: CommandPart, exact: ExactCommands | null): boolean {
  const { via, origin, program, args, cwd } = command
  if (origin !== undefined || via.length !== 1 || via[0] !== 'timeout' || exact === null) return false
  return exact.parts.some(
    (part) =>
      part.program === program &&
      part.cwd === cwd &&
      part.args.length === args.length &&
      part.args.every(({ value }, at) => value !== null && value === args[at]?.value),
  )
}

/** Whether the command itself changes a file that it runs: what was read is not what would run. */
function changesSeenFiles(parts: readonly RatedPart[], { seen, resolved }: RiskCircumstances): boolean {
  const run = [...(seen?.files.map(({ path }) => path) ?? []), ...(seen?.absent ?? [])]
  const folders = new Set(seen?.folders)
  const stems = new Set(run.map((path) => stemOf(path)))
  return parts.some(({ command, paths, proven }) => {
    // A change of permissions keeps the content: `chmod +x run.sh && ./run.sh`.
    if (proven === 'changes' && command.program === 'chmod') return false
    // A branch, a patch or an archive may change any file.
    const changes = paths.filter(({ use }) => use === 'write' || use === 'delete')
    const isNamed =
      LOADING.namesChanges.has(command.program ?? '') ||
      (actsOf(command) === undefined && changes.every(({ given }) => isRedirected(command, given)))
    if (proven === 'changes' && command.inside === undefined && !isNamed) return true
    const changed = changes.map(({ real }) => real)
    const copied = copiesOf(command).map((path) => resolved.get(pathKey(path, command.cwd)) ?? null)
    const written = command.inside?.repository?.writes ?? []
    return [...changed, ...copied, ...written].some(
      (path) => path !== null && (run.some((file) => isAt(file, path)) || isLoadedInstead(path, folders, stems)),
    )
  })
}

function isRedirected({ redirections }: CommandPart, given: string): boolean {
  return redirections.some(({ target }) => target === given)
}

function isAt(file: string, changed: string): boolean {
  return file === changed || file.startsWith(`${changed}/`)
}

/** A new file that Python would load in place of a module, its own or the project's. */
function isLoadedInstead(path: string, folders: ReadonlySet<string>, stems: ReadonlySet<string>): boolean {
  if (!folders.has(path.slice(0, path.lastIndexOf('/')))) return false
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = stemOf(path)
  const isCode = !name.includes('.') || /\.(?:py|pyc|pyd|so)$/.test(name)
  return isCode && (PYTHON.modules.has(stem) || stem.startsWith('_') || stems.has(stem))
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.indexOf('.')
  return dot <= 0 ? name : name.slice(0, dot)
}
