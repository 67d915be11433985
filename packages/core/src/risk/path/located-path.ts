import type { CommandPart } from '../../command/model/decomposition.ts'
import type { RiskFinding } from '../report/finding.ts'
import type { Thresholds } from '../report/rating-input.ts'
import type { PathUse } from '../report/report.ts'
import { isRegenerableGlob, type Place, type Places, placeOf } from './category.ts'
import { spelledPaths } from './command-paths.ts'
import { folderOf, pathKey } from './paths-to-resolve.ts'
import { secretNamedBy } from './secret-globs.ts'
import type { Manner, SpelledPath } from './unresolved-path.ts'

/** What the rating knows about the machine, collected beforehand so that rating is pure. */
export interface RiskCircumstances {
  readonly places: Places
  /** Real paths by `pathKey`; a missing one could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** Absolute real paths of the programs that PATH finds, by the name as written. */
  readonly programs?: ReadonlyMap<string, string>
  /** When a call counts as large; defaults apply if policy sets none. */
  readonly thresholds?: Thresholds
  /** Names of the servers whose read-only hints a person trusts. */
  readonly trustedServers?: ReadonlySet<string>
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
}

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
  if (lookup.startsWith('/')) return normalize(lookup)
  if (lookup === '~' || lookup.startsWith('~/')) return normalize(places.home + lookup.slice(1))
  // Probably another user's home.
  if (lookup.startsWith('~')) return normalize(`/home/${lookup.slice(1)}`)
  if (cwd === null) return null
  const folder = folderOf(cwd, callCwd, places.home)
  return normalize(lookup === '.' && folder.startsWith('/') ? folder : `${folder}/${lookup}`)
}

/** Locates one path. */
export function locate(path: SpelledPath, cwd: string | null, callCwd: string, now: RiskCircumstances): LocatedPath {
  const { given, use, glob, soft, manner, lookup } = path
  if (lookup === null || lookup === '')
    return { given, real: null, within: undefined, use, glob, soft, manner, at: null, place: null }
  const found = now.resolved.size === 0 ? undefined : now.resolved.get(pathKey(lookup, cwd))
  const real = found ?? null
  const at = real ?? bySpelling(lookup, cwd, callCwd, now.places)
  // For a device the spelling counts: `/dev/stdout` may lead anywhere.
  const secret = glob && use === 'read' && !soft ? secretNamedBy(given, now.places) : null
  const shown = lookup.startsWith('/dev/') ? lookup : (secret ?? at)
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
  }
}

/** The category of a path. A glob whose every match can be recreated is regenerable. */
function placeIn(at: string, { given, glob }: SpelledPath, places: Places): Place {
  const place = placeOf(at, places)
  return glob && place === 'workspace' && isRegenerableGlob(given) ? 'regenerable' : place
}

const NO_PATHS: readonly LocatedPath[] = []

/** Locates every path of a simple command. */
export function locatePaths(part: CommandPart, callCwd: string, now: RiskCircumstances): readonly LocatedPath[] {
  const paths = spelledPaths(part)
  return paths.length === 0 ? NO_PATHS : paths.map((path) => locate(path, part.cwd, callCwd, now))
}

/** Locates the folder a simple command runs in. */
export function locateFolder(part: CommandPart, callCwd: string, now: RiskCircumstances): LocatedPath {
  const here = { given: '.', lookup: part.cwd === null ? null : '.', glob: false, use: 'read', soft: true } as const
  return locate(here, part.cwd, callCwd, now)
}

/** The part of a located path that the report keeps. */
export function pathUse({ given, real, within, use }: LocatedPath): PathUse {
  return within === undefined ? { given, real, use } : { given, real, within, use }
}
