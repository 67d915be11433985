import type { Places } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Conditions } from '../../packages/core/src/policy/model/rule.ts'
import { every, opposite, type Tri, tri, type Unit } from './tri.ts'

export const isIn = (folder: string, path: string) =>
  folder
    .split('/')
    .filter(Boolean)
    .every((s, at) => path.split('/').filter(Boolean)[at] === s)
export const place = (text: string, places: Places) =>
  text.replace(/^~(?=\/|$)/, places.home).replace(/^\$\{(\w+)\}/, (_, name: keyof Places) => places[name])

export function pathHolds(test: NonNullable<Conditions['path']>, unit: Unit, places: Places, wide: boolean): Tri {
  const real = unit.path?.real
  if (!unit.path) return unit.opaque ? 'unknown' : 'no'
  if (real == null) return unit.path.within === undefined ? 'unknown' : belowHolds(test, unit.path.within, places, wide)
  const globbed = (pattern: string): boolean => {
    const rooted = place(pattern, places)
    if (pattern.startsWith('**') && segmentsMatch(pattern.split('/'), real.slice(1).split('/'))) return true
    const whole = rooted.startsWith('/') ? rooted : `${places.workspace}/${rooted}`
    return segmentsMatch(whole.slice(1).split('/'), real.slice(1).split('/'))
  }
  const folder = (text: string) => place(text, places)
  return tri(
    (!test.inside || test.inside.some((f) => isIn(folder(f), real))) &&
      !test.outside?.some((f) => isIn(folder(f), real)) &&
      (!test.glob || test.glob.some(globbed)) &&
      !test.except?.some(globbed),
  )
}

/** A glob can match anything below a folder; it loosens nothing. */
function belowHolds(test: NonNullable<Conditions['path']>, below: string, places: Places, wide: boolean): Tri {
  const among = (folders: readonly string[]): Tri => {
    if (folders.some((f) => isIn(place(f, places), below))) return 'yes'
    return folders.some((f) => isIn(below, place(f, places))) ? 'unknown' : 'no'
  }
  const found = every([test.inside ? among(test.inside) : 'yes', test.outside ? opposite(among(test.outside)) : 'yes'])
  return found === 'yes' && (!wide || test.glob || test.except) ? 'unknown' : found
}

/** `**` matches any number of segments, including none. */
export function segmentsMatch(pattern: string[], path: string[]): boolean {
  const [head, ...rest] = pattern
  if (head === undefined) return path.length === 0
  if (head === '**') return segmentsMatch(rest, path) || (path.length > 0 && segmentsMatch(pattern, path.slice(1)))
  return path.length > 0 && segmentMatches(head, path[0] ?? '') && segmentsMatch(rest, path.slice(1))
}

function segmentMatches(pattern: string, text: string): boolean {
  const braces = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern)
  if (braces)
    return (braces[2] ?? '').split(',').some((choice) => segmentMatches(`${braces[1]}${choice}${braces[3]}`, text))
  const source = pattern
    .replace(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll('[!', '[^')
  return new RegExp(`^${source}$`, 'su').test(text)
}
