import type { CommandPart } from '../command/decomposition.ts'
import { WELL_KNOWN } from '../command/known-names.ts'
import { isOwnCommand } from '../command/own-command.ts'
import { type FoundVerb, findVerb } from '../command/verb.ts'
import { rateEnvironment } from './environment.ts'
import { asksForHelp, type PartFacts } from './facts.ts'
import { finding, type RiskFinding } from './finding.ts'
import { rateFoundProgram } from './found-program.ts'
import type { Places } from './place.ts'
import { assessorOf } from './programs/table.ts'
import { ratePath } from './rate-path.ts'
import type { LocatedPath, RiskCircumstances } from './rated-path.ts'

const PLAIN_FILES = new Set(
  'rm rmdir mv cp unlink shred srm dd truncate chmod chown mkfs tee ln touch find sh bash zsh dash eval xargs'.split(
    ' ',
  ),
)
const DECIDES = new Set(['approve', 'reject', 'trust', 'approvers', 'revoke'])
/** What takes the journal's past out of sight. */
const FORGETS = /^(?:rotate|--prune-archives.*)$/
/** Folders inside a project where tools of well-known names honestly live. */
const TOOL_FOLDERS = /(?:^|\/)(?:node_modules\/\.bin|\.venv\/bin|venv\/bin|vendor\/bin)\/[^/]+$/

/** A simple command and what was found out about it. */
type GivenPart = Pick<PartFacts, 'part' | 'paths' | 'places' | 'folder' | 'hasInner'>

/** Everything found about one simple command on its own. */
export function ratePart(given: Omit<GivenPart, 'places'>, now: RiskCircumstances): readonly RiskFinding[] {
  const { places } = now
  const { part, paths } = given
  const found: RiskFinding[] = []
  const environment = rateEnvironment(part)
  if (environment !== null) found.push(environment)
  const ours = rateOurs(part)
  if (ours !== null) found.push(ours)
  found.push(...rateProgram({ ...given, places }))
  const at = part.path === null ? undefined : now.programs?.get(part.path)
  const shadowed = at === undefined || part.path === null ? null : rateFoundProgram(part.path, at, places)
  if (shadowed !== null) found.push(shadowed)
  const help = part.program !== null && asksForHelp(part, PLAIN_FILES.has(part.program))
  for (const path of paths) {
    const one = help && path.use !== 'execute' ? null : ratePath(path, places)
    if (one !== null) found.push(one)
  }
  if (empties(part)) found.push(finding('high', 'files.empty', 'empties a file', 'no'))
  return found
}

function rateProgram(given: GivenPart): readonly RiskFinding[] {
  const { part, paths } = given
  if (part.program === null)
    return [finding('high', 'shell.unknown-program', 'runs a program whose name is not known', 'unknown')]
  if (part.program === '') return []
  const program = part.program.toLowerCase()
  const assess = assessorOf(program)
  const spoof = spoofs(part, paths)
    ? [finding('high', 'path.spoof', `runs a \`${program}\` that is not the system’s`, 'unknown')]
    : []
  const local = part.path?.includes('/') === true
  if (!local && asksForHelp(part, PLAIN_FILES.has(program)))
    return [finding('none', 'plain.help', 'only asks for help or the version')]
  if (assess === undefined) {
    // A program of the project is rated by where it lies.
    return local
      ? spoof
      : [
          finding(
            'medium',
            'plain.unknown',
            `\`${part.program.slice(0, 64)}\` is not in the list of known programs`,
            'unknown',
          ),
        ]
  }
  return [...spoof, assess(new Facts(given, program))]
}

/** Facts whose verb is looked for only when an assessor asks. */
class Facts implements PartFacts {
  readonly part: CommandPart
  readonly program: string
  readonly paths: readonly LocatedPath[]
  readonly places: Places
  readonly folder: LocatedPath
  readonly hasInner: boolean
  #verb: FoundVerb | undefined

  constructor({ part, paths, places, folder, hasInner }: GivenPart, program: string) {
    this.part = part
    this.program = program
    this.paths = paths
    this.places = places
    this.folder = folder
    this.hasInner = hasInner
  }

  get verb(): FoundVerb {
    this.#verb ??= findVerb(this.part)
    return this.#verb
  }
}

/** A well-known name found through a path that is no system folder. */
function spoofs(part: CommandPart, paths: readonly LocatedPath[]): boolean {
  const { path, program } = part
  if (path === null || program === null || !path.includes('/') || TOOL_FOLDERS.test(path)) return false
  if (!WELL_KNOWN.has(program.toLowerCase())) return false
  const located = paths.find((one) => one.use === 'execute')
  return located?.place !== 'system'
}

/** The gate's own commands that decide, or that set up another gate, by whatever way the program is started. */
function rateOurs(part: CommandPart): RiskFinding | null {
  // SECURITY: L8, whoever asks can never approve.
  if (part.path === null) return null
  const named = isOwnCommand(part.path)
    ? 0
    : part.args.findIndex(({ value }) => value !== null && isOwnCommand(value)) + 1
  if (named === 0 && !isOwnCommand(part.path)) return null
  const words = part.args.slice(named)
  if (words.some(({ value }) => value !== null && DECIDES.has(value))) {
    return finding('critical', 'gate.decides', 'would decide for the person')
  }
  if (words.some(({ value }) => value !== null && FORGETS.test(value)))
    return finding('high', 'gate.journal', 'puts away or deletes what the journal holds', 'no')
  const moves = words.some(({ value }) => value === null || value.startsWith('--home'))
  return moves ? finding('high', 'gate.other-home', 'uses a gate with another policy and other keys') : null
}

/** `> file` and `: > file` leave nothing of the file. */
function empties(part: CommandPart): boolean {
  if (part.program !== '' && part.program !== ':' && part.program !== 'true') return false
  return part.redirections.some(
    ({ operator, target }) => (operator === '>' || operator === '>|') && target !== null && !target.startsWith('/dev/'),
  )
}
