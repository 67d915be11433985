import { NO, UNKNOWN, YES } from './answer.ts'
import { compileFolders } from './folder.ts'
import type { PathMatcher } from './glob.ts'
import { compilePathGlob } from './glob.ts'
import type { PathTest } from './rule.ts'
import type { Test } from './unit.ts'

/**
 * Compiles a test on the unit's path, always by where it really leads. SECURITY: A27, component by component
 * (`/srv/app-secrets` is not in `/srv/app`), NFC on both sides; a path that could not be resolved is unknown.
 */
export function compilePath(test: PathTest): Test {
  const inside = test.inside && compileFolders(test.inside)
  const outside = test.outside && compileFolders(test.outside)
  let globs: PathGlobs | 'broken' | null = null
  return (unit, about) => {
    if (unit.path === null) return unit.opaque ? UNKNOWN : NO
    if (unit.path.real === null) return UNKNOWN
    globs ??= compileGlobs(test)
    if (globs === 'broken') return UNKNOWN
    const { circumstances } = about
    const real = unit.path.real.normalize('NFC')
    const hits = (matches: PathMatcher): boolean => matches(real, circumstances.places)
    if (inside && !inside(real, circumstances)) return NO
    if (outside?.(real, circumstances)) return NO
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
