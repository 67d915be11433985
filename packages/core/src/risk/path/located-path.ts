import type { CommandPart } from '../../command/model/decomposition.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { SeenThrough } from '../../runners/reading/seen-through.ts'
import type { WrittenRun } from '../../runners/written/gather-written.ts'
import type { RiskFinding } from '../report/finding.ts'
import type { Thresholds } from '../report/rating-input.ts'
import type { PathUse } from '../report/report.ts'
import { isRegenerableGlob, type Place, type Places, placeOf } from './category.ts'
import { spelledPaths } from './command-paths.ts'
import type { FileLooks } from './file-look.ts'
import { weightOf } from './glob-matches.ts'
import { folderOf, pathKey } from './paths-to-resolve.ts'
import { reduceProcessPath } from './process-path.ts'
import { secretNamedBy } from './secret-globs.ts'
import type { Manner, SpelledPath } from './unresolved-path.ts'
import { type PathPattern, wordPattern } from './word-pattern.ts'

/** Credentials that were read in this session and are among the arguments of a call. */
export interface LeavingSecrets {
  /** Where they were read: a path, a command, a host or a tool. */
  readonly from: readonly string[]
  /** The session read more than is remembered. */
  readonly isFull: boolean
}

/** What the rating knows about the machine, collected beforehand so that rating is pure. */
export interface RiskCircumstances {
  readonly places: Places
  /** Real paths by `pathKey`; a missing one could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** The match that matters most of a word with wildcards, by `pathKey`; none if it matches only ordinary files. */
  readonly matched?: ReadonlyMap<string, string>
  /** The words that the shell puts in the place of a word with wildcards, by `pathKey`; none if they are not all known. */
  readonly expanded?: ReadonlyMap<string, readonly { readonly word: string; readonly real: string | null }[]>
  /** For each folder that the command reads whole, a file below it that may be secret, or null; missing: not known. */
  readonly below?: ReadonlyMap<string, string | null>
  /** Absolute real paths of the programs that PATH finds, by the name as written. */
  readonly programs?: ReadonlyMap<string, string>
  /** Wildcards match names that start with a dot. */
  readonly dots?: boolean
  /** What is at the paths that the command changes or copies. */
  readonly looks?: FileLooks
  /** The files that the command runs. */
  readonly seen?: SeenThrough
  /** Of the files that the call deletes, those that calls created and that nobody has seen or changed since: real paths. */
  readonly created?: ReadonlySet<string>
  /** What the call adds to files that other programs run. */
  readonly written?: readonly WrittenRun[]
  /** When a call counts as large; defaults apply if policy sets none. */
  readonly thresholds?: Thresholds
  /** Names of the servers whose read-only hints a person trusts. */
  readonly trustedServers?: ReadonlySet<string>
  /** The workspace or the call declares that it works on production. */
  readonly inProduction?: true
  /** Credentials among the arguments that were read in this session. */
  readonly leaving?: LeavingSecrets
  /** What people taught the gate about their own programs and tools. */
  readonly knowledge?: OwnKnowledge
  /** Called with each finding of a knowledge row, and its simple command; null for a finding about the tool. */
  readonly rowAnswered?: (part: CommandPart | null, found: RiskFinding) => void
}

/** A path with its location and category. */
export interface LocatedPath extends Omit<PathUse, 'within'> {
  readonly within: string | undefined
  readonly glob: boolean
  readonly soft: boolean
  readonly manner: Manner | undefined
  /** The resolved path, or its absolute spelling; null if even that is unknown. */
  readonly at: string | null
  readonly place: Place | null
  /** A file that a call created and that nobody has seen or changed since, named without a link. */
  readonly created?: true
}

/** Files of a process, which are private for themselves. */
const PROCESS = /^["']?\/proc\//
const SLASH = 47
const DOT = 46

/** Whether a name in the path may be empty, `.` or `..`. */
function needsNormalizing(path: string): boolean {
  let before = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (before === SLASH && (code === SLASH || code === DOT)) return true
    before = code
  }
  return before === SLASH
}

/** Removes `.`, `..` and doubled slashes without looking at the file system. */
function normalize(path: string): string {
  if (!needsNormalizing(path)) return path
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** The spelling made absolute; null if it is relative to an unknown folder. */
function bySpelling(lookup: string, cwd: string | null, callCwd: string, places: Places): string | null {
  if (lookup.startsWith('/proc/')) return normalize(reduceProcessPath(lookup, folderName(cwd, callCwd, places)))
  if (lookup.startsWith('/')) return normalize(lookup)
  if (lookup === '~' || lookup.startsWith('~/')) return normalize(places.home + lookup.slice(1))
  // Probably another user's home.
  if (lookup.startsWith('~')) return normalize(`/home/${lookup.slice(1)}`)
  if (cwd === null) return null
  const folder = folderOf(cwd, callCwd, places.home)
  return normalize(lookup === '.' && folder.startsWith('/') ? folder : `${folder}/${lookup}`)
}

function folderName(cwd: string | null, callCwd: string, { home }: Places): string | null {
  return cwd === null ? null : folderOf(cwd, callCwd, home)
}

/** A file in an unknown folder whose own name is that of a credential file. */
function credentialNamed({ names }: PathPattern, places: Places): string | null {
  const last = names.at(-1)
  if (last === undefined || /[*?[\\]/.test(last)) return null
  const path = `/${names.slice(-2).join('/')}`
  return placeOf(path, places) === 'credentials' ? path : null
}

/** Locates one path. */
export function locate(
  path: SpelledPath,
  folder: Pick<CommandPart, 'cwd' | 'cwdLike'>,
  callCwd: string,
  now: RiskCircumstances,
): LocatedPath {
  const { given, use, glob, soft, manner, lookup } = path
  const { cwd } = folder
  const isOpen = glob || lookup === null || cwd === null
  const pattern =
    isOpen && use === 'read' && !soft && !(lookup === null && PROCESS.test(given))
      ? wordPattern({ text: given, value: lookup === null ? null : given, glob }, folder, callCwd, now.places)
      : null
  const unplaced = lookup === null || cwd === null
  const secret =
    pattern === null
      ? null
      : (secretNamedBy(pattern, now.places, now.dots) ?? (unplaced ? credentialNamed(pattern, now.places) : null))
  if (lookup === null || lookup === '')
    return {
      given,
      real: null,
      within: undefined,
      use,
      glob,
      soft,
      manner,
      at: secret,
      place: secret === null ? null : placeOf(secret, now.places),
    }
  const found = now.resolved.size === 0 ? undefined : now.resolved.get(pathKey(lookup, cwd))
  const real = found ?? null
  const spelling = bySpelling(lookup, cwd, callCwd, now.places)
  // Resolved by the gate, `/proc/self` is the gate's own process and folder.
  const at = spelling?.startsWith('/proc/') || lookup.startsWith('/proc/') ? spelling : (real ?? spelling)
  // For a device the spelling counts: `/dev/stdout` may lead anywhere.
  const shown = lookup.startsWith('/dev/') ? lookup : (secret ?? worstMatch(path, cwd, at, now) ?? at)
  const place = shown === null ? null : placeIn(shown, path, now.places)
  return {
    given,
    real: glob ? null : real,
    within: glob ? found : undefined,
    use,
    glob,
    soft,
    manner,
    at: shown,
    place,
    ...(real !== null && !glob && real === spelling && now.created?.has(real) === true ? { created: true } : {}),
  }
}

/** What a glob really matches, if that matters more than the folder it starts in. */
function worstMatch(
  { given, glob }: SpelledPath,
  cwd: string | null,
  at: string | null,
  { matched, places }: RiskCircumstances,
): string | null {
  const match = glob ? matched?.get(pathKey(given, cwd)) : undefined
  if (match === undefined) return null
  return at === null || weightOf(match, places) > weightOf(at, places) ? match : null
}

/** The category of a path. A glob whose every match can be recreated is regenerable. */
function placeIn(at: string, { given, glob }: SpelledPath, places: Places): Place {
  const place = placeOf(at, places)
  return glob && place === 'workspace' && isRegenerableGlob(given) ? 'regenerable' : place
}

const NO_PATHS: readonly LocatedPath[] = []

/** Locates every path of a simple command. */
export function locatePaths(part: CommandPart, callCwd: string, now: RiskCircumstances): readonly LocatedPath[] {
  const paths = spelledPaths(part, now.knowledge)
  return paths.length === 0 ? NO_PATHS : paths.map((path) => locate(path, part, callCwd, now))
}

/** Locates the folder a simple command runs in. */
export function locateFolder(part: CommandPart, callCwd: string, now: RiskCircumstances): LocatedPath {
  const here = { given: '.', lookup: part.cwd === null ? null : '.', glob: false, use: 'read', soft: true } as const
  return locate(here, part, callCwd, now)
}

/** The part of a located path that the report keeps. */
export function pathUse({ given, real, within, use }: LocatedPath): PathUse {
  return within === undefined ? { given, real, use } : { given, real, within, use }
}
