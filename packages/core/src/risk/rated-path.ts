import type { CommandPart } from '../command/decomposition.ts'
import { folderOf, pathKey } from './path-uses.ts'
import { spelledPaths } from './path-words.ts'
import { type Place, type Places, placeOf } from './place.ts'
import type { PathUse } from './report.ts'
import type { SpelledPath } from './spelled-path.ts'

/** What the rating may know of the world: gathered beforehand, so that rating is pure. */
export interface RiskCircumstances {
  readonly places: Places
  /** Where paths really lead, by `pathKey`; missing means it could not be resolved. */
  readonly resolved: ReadonlyMap<string, string>
  /** Where PATH finds the programs named without a folder: absolute real paths by the name as written. */
  readonly programs?: ReadonlyMap<string, string>
}

/** A path with the place it leads to. */
export interface LocatedPath extends PathUse {
  readonly glob: boolean
  readonly soft: boolean
  /** Where it leads, resolved or at least by its spelling; null when even that is unknown. */
  readonly at: string | null
  readonly place: Place | null
}

/** A path with `.`, `..` and doubled slashes taken out, without looking at the file system. */
function tidy(path: string): string {
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
  return cwd === null ? null : tidy(`${folderOf(cwd, callCwd, places.home)}/${lookup}`)
}

/** Locates one spelled path. */
export function locate(path: SpelledPath, cwd: string | null, callCwd: string, now: RiskCircumstances): LocatedPath {
  const { given, use, glob, soft, lookup } = path
  if (lookup === null || lookup === '') return { given, real: null, use, glob, soft, at: null, place: null }
  const real = now.resolved.get(pathKey(lookup, cwd)) ?? null
  const at = real ?? bySpelling(lookup, cwd, callCwd, now.places)
  // A device's spelling counts: `/dev/stdout` leads wherever the process happens to write.
  const shown = lookup.startsWith('/dev/') ? lookup : at
  return {
    given,
    real: glob ? null : real,
    ...(glob && real !== null ? { within: real } : {}),
    use,
    glob,
    soft,
    at: shown,
    place: shown === null ? null : placeOf(shown, now.places),
  }
}

/** Locates every path of a simple command. */
export function locatePaths(part: CommandPart, callCwd: string, now: RiskCircumstances): readonly LocatedPath[] {
  return spelledPaths(part).map((path) => locate(path, part.cwd, callCwd, now))
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
