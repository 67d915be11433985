import type { CommandPart } from '../../command/model/decomposition.ts'
import type { RiskFinding } from '../report/finding.ts'
import type { PathUse } from '../report/report.ts'
import type { Thresholds } from '../report/thresholds.ts'
import { isRegenerableGlob, type Place, type Places, placeOf } from './category.ts'
import { spelledPaths } from './command-paths.ts'
import { folderOf, pathKey } from './paths-to-resolve.ts'
import { secretNamedBy } from './secret-globs.ts'
import type { Manner, SpelledPath } from './unresolved-path.ts'

/** What the rating may know of the world: gathered beforehand, so that rating is pure. */
export interface RiskCircumstances {
  readonly places: Places
  /** Where paths really lead, by `pathKey`; missing means it could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** Where PATH finds the programs named without a folder: absolute real paths by the name as written. */
  readonly programs?: ReadonlyMap<string, string>
  /** From where on a call counts as large; the usual ones where policy sets none. */
  readonly thresholds?: Thresholds
  /** Servers a person trusts to say when a tool only reads, by name. */
  readonly trustedServers?: ReadonlySet<string>
  /** Called with each simple command that a row of knowledge answered. */
  readonly rowAnswered?: (part: CommandPart, found: RiskFinding) => void
}

/** A path with the place it leads to. */
export interface LocatedPath extends Omit<PathUse, 'within'> {
  readonly within: string | undefined
  readonly glob: boolean
  readonly soft: boolean
  readonly manner: Manner | undefined
  /** Where it leads, resolved or at least by its spelling; null when even that is unknown. */
  readonly at: string | null
  readonly place: Place | null
}

const SLASH = 47
const DOT = 46

/** Whether a name may be empty, `.` or `..`. */
function isUntidy(path: string): boolean {
  let before = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (before === SLASH && (code === SLASH || code === DOT)) return true
    before = code
  }
  return before === SLASH
}

/** A path with `.`, `..` and doubled slashes taken out, without looking at the file system. */
function tidy(path: string): string {
  if (!isUntidy(path)) return path
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** The path's spelling made absolute; null when it hangs on an unknown folder. */
function bySpelling(lookup: string, cwd: string | null, callCwd: string, places: Places): string | null {
  if (lookup.startsWith('/')) return tidy(lookup)
  if (lookup === '~' || lookup.startsWith('~/')) return tidy(places.home + lookup.slice(1))
  // Another user's home, as far as anybody can tell.
  if (lookup.startsWith('~')) return tidy(`/home/${lookup.slice(1)}`)
  if (cwd === null) return null
  const folder = folderOf(cwd, callCwd, places.home)
  return tidy(lookup === '.' && folder.startsWith('/') ? folder : `${folder}/${lookup}`)
}

/** Locates one spelled path. */
export function locate(path: SpelledPath, cwd: string | null, callCwd: string, now: RiskCircumstances): LocatedPath {
  const { given, use, glob, soft, manner, lookup } = path
  if (lookup === null || lookup === '')
    return { given, real: null, within: undefined, use, glob, soft, manner, at: null, place: null }
  const found = now.resolved.size === 0 ? undefined : now.resolved.get(pathKey(lookup, cwd))
  const real = found ?? null
  const at = real ?? bySpelling(lookup, cwd, callCwd, now.places)
  // A device's spelling counts: `/dev/stdout` leads wherever the process happens to write.
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

/** The place of a path; a glob is the place its last name says, where all it can match is made again. */
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

/** What the report keeps of a located path. */
export function pathUse({ given, real, within, use }: LocatedPath): PathUse {
  return within === undefined ? { given, real, use } : { given, real, within, use }
}
