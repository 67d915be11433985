import type { Circumstances } from '../model/circumstances.ts'
import type { PathTest } from '../model/rule.ts'
import type { Test } from './call-unit.ts'
import { compileFolders } from './folder.ts'
import { compilePathGlob, type PathMatcher } from './glob.ts'
import { type Answer, isWide, NO, opposite, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'

/**
 * Compiles a test on the unit's path, always by where it really leads. SECURITY: A27, component by component
 * (`/srv/app-secrets` is not in `/srv/app`), NFC on both sides; a path that could not be resolved is unknown.
 */
export function compilePath(test: PathTest, reading: Reading): Test {
  const inside = test.inside && compileFolders(test.inside)
  const outside = test.outside && compileFolders(test.outside)
  let globs: PathGlobs | 'broken' | null = null

  /** A glob names something below a folder: the whole folder may be in or out, else it cannot be told. */
  function matchGlob(within: string | undefined, circumstances: Circumstances): Answer {
    if (within === undefined) return UNKNOWN
    const folder = within.normalize('NFC')
    const isIn = inside?.overlap(folder, circumstances) ?? YES
    const isOut = outside === undefined ? YES : opposite(outside.overlap(folder, circumstances))
    const answer = Math.min(isIn, isOut) as Answer
    if (answer !== YES) return answer
    // What a wildcard names may be a link out of the folder: enough to tighten by, not to loosen.
    return isWide(reading) && test.glob === undefined && test.except === undefined ? YES : UNKNOWN
  }

  return (unit, about) => {
    if (unit.path === null) return unit.opaque ? UNKNOWN : NO
    if (unit.path.real === null) return matchGlob(unit.path.within, about.circumstances)
    globs ??= compileGlobs(test)
    if (globs === 'broken') return UNKNOWN
    const { circumstances } = about
    const real = unit.path.real.normalize('NFC')
    const hits = (matches: PathMatcher): boolean => matches(real, circumstances.places)
    if (inside && !inside.holds(real, circumstances)) return NO
    if (outside?.holds(real, circumstances)) return NO
    if (globs.some && !globs.some.some(hits)) return NO
    return globs.except.some(hits) ? NO : YES
  }
}

interface PathGlobs {
  readonly some: readonly PathMatcher[] | null
  readonly except: readonly PathMatcher[]
}

function compileGlobs(test: PathTest): PathGlobs | 'broken' {
  try {
    return { some: test.glob?.map(compilePathGlob) ?? null, except: test.except?.map(compilePathGlob) ?? [] }
  } catch {
    return 'broken'
  }
}
