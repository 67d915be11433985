import { interpreterOf } from '../../command/code/inline-code.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { isOwnCommand } from '../../command/nested/countersign-command.ts'
import { isDeciding } from '../../command/programs/deciding-subcommands.ts'
import { lowerCase, WELL_KNOWN } from '../../command/programs/program-names.ts'
import { type FoundVerb, findVerb } from '../../command/programs/subcommand.ts'
import { PATH_ARGUMENTS, PROGRAMS } from '../../knowledge/compiled/commands.ts'
import type { OwnRow } from '../../knowledge/own-knowledge.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { isShowable } from '../arguments/displayable-name.ts'
import { printsOnly } from '../arguments/prints-only.ts'
import type { Places } from '../path/category.ts'
import { type LocatedPath, locateFolder, type RiskCircumstances } from '../path/located-path.ts'
import { rateEmptyVariable, ratePath } from '../path/rate-path.ts'
import { helpAt, type PartFacts } from '../programs/assessor/assessor.ts'
import { ownFinding, ownRowsOf, staysBeside } from '../programs/own-programs.ts'
import { rateProgram as rateRow, rowOf } from '../programs/rate-program.ts'
import { type FindingCollector, finding, type RiskFinding, sourced } from '../report/finding.ts'
import { rateEnvironment } from './environment-variables.ts'
import { rateFoundProgram } from './program-location.ts'
import { rateRecursiveRead } from './recursive-read.ts'

/** Subcommands and options that remove entries from the journal. */
const PRUNES_JOURNAL = /^(?:rotate|--prune-archives.*)$/
/** Folders of a project where tools with well-known names are installed. */
const TOOL_FOLDERS = /(?:^|\/)(?:node_modules\/\.bin|\.venv\/bin|venv\/bin|vendor\/bin)\/[^/]+$/

/** `/bin/l?`. The programs it can match are rated separately. */
const BY_PATTERN = /^\/(?:usr\/(?:local\/)?)?s?bin\/[\w.-]{0,40}\?[\w.-]{0,40}(?=\s|$)/

/** A simple command and the facts about it. */
interface GivenPart extends Pick<PartFacts, 'part' | 'paths' | 'places' | 'hasInner'> {
  /** The folder of the call. */
  readonly cwd: string
}

/** Collects the findings about one simple command. */
export function ratePart(given: GivenPart, now: RiskCircumstances, collector: FindingCollector): void {
  const { part, paths, places } = given
  const { span } = part
  const environment = rateEnvironment(part)
  if (environment !== null) collector.add(environment, span)
  const own = rateOwnCommand(part)
  if (own !== null) collector.add(own, span)
  rateProgram(given, now, collector)
  const at = part.path === null ? undefined : now.programs?.get(part.path)
  const shadowed = at === undefined || part.path === null ? null : rateFoundProgram(part.path, at, places)
  if (shadowed !== null) collector.add(shadowed, span)
  if (paths.length > 0) {
    const help = part.program !== null && asksForHelp(part, part.program)
    for (const path of paths) {
      const one =
        help && path.use !== 'execute' ? null : (rateEmptyVariable(path) ?? ratePath(path, places, builds(part, path)))
      if (one !== null) collector.add(one, one.level === 'none' ? span : spanOfPath(part, path.given))
    }
  }
  const recursive = rateRecursiveRead(part, paths, given.cwd, now)
  if (recursive !== null) collector.add(recursive, span)
  if (part.redirections.length > 0 && empties(part))
    collector.add(finding('high', 'files.empty', 'empties a file', 'no'), span)
}

/** Whether a program makes the content of a file that it writes: a compiler, but neither `cp` nor a redirection. */
function builds({ program, redirections, origin }: CommandPart, { given, use }: LocatedPath): boolean {
  // The project's own code makes its own build output.
  if (origin !== undefined) return true
  if (use !== 'write' || redirections.some(({ target }) => target === given)) return false
  return program !== null && !PATH_ARGUMENTS.contentWriters.has(program)
}

const UNKNOWN = finding('high', 'shell.unknown-program', 'runs a program with an unknown name', 'unknown')
const PATTERN = finding('medium', 'shell.pattern-program', 'runs a system program chosen by a pattern', 'unknown')
const HELP = finding('none', 'plain.help', 'only prints help or the version')

/** Whether a command only prints its help or version. Some programs may act before they reach the option. */
export function asksForHelp(part: CommandPart, program: string): boolean {
  if (printsOnly(part)) return true
  const at = helpAt(part)
  return at === 0 || (at > 0 && !PROGRAMS.helpIgnorers.has(program))
}

function rateProgram(given: GivenPart, now: RiskCircumstances, collector: FindingCollector): void {
  const { part, paths } = given
  const { span } = part
  if (part.program === null) {
    collector.add(BY_PATTERN.test(part.text) ? PATTERN : UNKNOWN, span)
    return
  }
  if (part.program === '') return
  const program = lowerCase(part.program)
  const row = rowOf(program)
  const local = part.path?.includes('/') === true
  if (!local && asksForHelp(part, program)) {
    collector.add(HELP, span)
    return
  }
  if (local && spoofs(part, paths)) {
    const text = `runs a \`${program}\` other than the system’s`
    collector.add(finding('high', 'path.spoof', text, 'unknown'), span)
  }
  const own = ownRowsOf(program, now.knowledge)
  if (own !== undefined && own.replacing.length > 0) {
    for (const one of own.replacing) rateOwn(given, program, one, true, now, collector)
    const builtin = row === undefined ? null : rateRow(new Facts(given, program, row, now))
    if (builtin !== null && staysBeside(builtin)) collector.add(builtin, span)
  } else rateBuiltin(given, program, row, now, collector)
  for (const one of own?.raising ?? []) rateOwn(given, program, one, false, now, collector)
}

/** Rates a command by the built-in row of its program. */
function rateBuiltin(
  given: GivenPart,
  program: string,
  row: ProgramRow | undefined,
  now: RiskCircumstances,
  collector: FindingCollector,
): void {
  const { part } = given
  const { span } = part
  if (row === undefined) {
    // A program of the project is rated by its location, a function by its contents.
    if (part.path?.includes('/') === true || part.defined === true) return
    const written = part.program ?? program
    const shown = isShowable(written) ? `\`${written.slice(0, 64)}\`` : 'the program'
    collector.add(finding('medium', 'plain.unknown', `${shown} is not a known program`, 'unknown'), span)
    return
  }
  const found = rateRow(new Facts(given, program, row, now))
  now.rowAnswered?.(part, found.source === undefined ? sourced(found, row) : found)
  collector.add(found, span)
  if (part.script === undefined || interpreterOf(program) === null) return
  // A script that the same command wrote is rated by its text.
  const scripted = { ...part, args: [], stdin: { kind: 'literal', text: part.script } } as const
  collector.add(rateRow(new Facts({ ...given, part: scripted }, program, row, now)), span)
}

/** Rates a command by a row of somebody's own knowledge. */
function rateOwn(
  given: GivenPart,
  program: string,
  own: OwnRow<ProgramRow>,
  isTrusted: boolean,
  now: RiskCircumstances,
  collector: FindingCollector,
): void {
  const found = ownFinding(rateRow(new Facts(given, program, own.row, now)), own, isTrusted)
  now.rowAnswered?.(given.part, found)
  collector.add(found, given.part.span)
}

/** Facts whose verb and folder are computed on demand. */
class Facts implements PartFacts {
  readonly part: CommandPart
  readonly program: string
  readonly row: ProgramRow
  readonly paths: readonly LocatedPath[]
  readonly places: Places
  readonly hasInner: boolean
  readonly #cwd: string
  readonly #now: RiskCircumstances
  #folder: LocatedPath | undefined
  #verb: FoundVerb | undefined

  constructor(
    { part, paths, places, hasInner, cwd }: GivenPart,
    program: string,
    row: ProgramRow,
    now: RiskCircumstances,
  ) {
    this.part = part
    this.program = program
    this.row = row
    this.paths = paths
    this.places = places
    this.hasInner = hasInner
    this.#cwd = cwd
    this.#now = now
  }

  get folder(): LocatedPath {
    this.#folder ??= locateFolder(this.part, this.#cwd, this.#now)
    return this.#folder
  }

  get verb(): FoundVerb {
    this.#verb ??= findVerb(this.part)
    return this.#verb
  }
}

/** Whether a program with a well-known name is outside the system folders. */
function spoofs(part: CommandPart, paths: readonly LocatedPath[]): boolean {
  const { path, program } = part
  if (path === null || program === null || !path.includes('/') || TOOL_FOLDERS.test(path)) return false
  if (!WELL_KNOWN.has(program.toLowerCase())) return false
  const located = paths.find((one) => one.use === 'execute')
  return located?.place !== 'system'
}

/** The gate's own commands that decide, or that use another gate, however the program is started. */
function rateOwnCommand(part: CommandPart): RiskFinding | null {
  // SECURITY: L8, whoever asks can never approve.
  if (part.path === null) return null
  const ours = isOwnCommand(part.path)
  const named = ours ? 0 : part.args.findIndex(({ value }) => value !== null && isOwnCommand(value)) + 1
  if (named === 0 && !ours) return null
  const words = part.args.slice(named)
  if (isDeciding({ ...part, program: 'countersign', args: words }))
    return finding('critical', 'gate.decides', 'decides in place of a person')
  if (words.some(({ value }) => value !== null && PRUNES_JOURNAL.test(value)))
    return finding('high', 'gate.journal', 'archives or deletes journal entries', 'no')
  const moves = words.some(({ value }) => value === null || value.startsWith('--home'))
  return moves ? finding('high', 'gate.other-home', 'uses a gate with another policy and other keys') : null
}

/** `> file` and `: > file` empty the file. */
function empties(part: CommandPart): boolean {
  if (part.program !== '' && part.program !== ':' && part.program !== 'true') return false
  return part.redirections.some(
    ({ operator, target }) => (operator === '>' || operator === '>|') && target !== null && !target.startsWith('/dev/'),
  )
}

/** The span of a path: its redirection or its word, or the whole part if neither is known. */
function spanOfPath(part: CommandPart, given: string): CommandPart['span'] {
  for (const { target, span } of part.redirections) if (span !== undefined && target === given) return span
  for (const { value, text, at } of part.args) {
    if (at === undefined || (value ?? text) !== given) continue
    return { start: at, end: at + text.length }
  }
  return part.span
}
