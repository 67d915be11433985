import { matchesName, matchesPattern } from '../../command/model/glob-pattern.ts'
import { GATE } from '../../knowledge/compiled/paths.ts'
import type { Places } from './category.ts'
import type { PathPattern } from './word-pattern.ts'

/** What a word may name: the gate's folder or something private in it, or only its policy. */
export type GateTarget = 'private' | 'policy'

/** Letters of a name that show that a pattern is aimed at it. */
const AIMED = 3

/**
 * What of the gate's folder a path pattern may name. A pattern with little of the folder's name (`~/.c*`) counts only if
 * the rest of it matches something that is there.
 */
export function gateTarget(pattern: PathPattern, places: Places, dots: boolean): GateTarget | null {
  const gate = places.gate.split('/').filter((name) => name !== '')
  const last = gate.at(-1) ?? ''
  if (!pattern.anchored) {
    const [first = '', ...rest] = pattern.names
    const found = isAimed(first, last) && matchesName(last, first, dots) ? targetBelow(rest, dots) : null
    // A project's policy has the same name.
    return found === 'policy' ? null : found
  }
  const { names } = pattern
  if (names.length < gate.length || !gate.every((name, at) => matchesName(name, names[at] ?? '', dots))) return null
  const below = names.slice(gate.length)
  const aimed = isAimed(names[gate.length - 1] ?? '', last)
  if (aimed) return targetBelow(below, dots)
  return below.length === 0 ? null : entryNamed(below, dots)
}

/** Whether a pattern of file names, as `find -name` has, matches one of the gate's keys. */
export function isGateKeyName(pattern: string): boolean {
  return GATE.private.some((entry) => entry.startsWith('keys/') && matchesPattern(entry.slice(5), pattern))
}

function targetBelow(names: readonly string[], dots: boolean): GateTarget {
  return names.length > 0 && entryNamed(names, dots) === 'policy' ? 'policy' : 'private'
}

/** The most sensitive entry that the names match; null for none. */
function entryNamed(names: readonly string[], dots: boolean): GateTarget | null {
  if (GATE.private.some((entry) => isEntry(entry, names, dots))) return 'private'
  return GATE.readable.some((entry) => isEntry(entry, names, dots)) ? 'policy' : null
}

/** An entry or something below it. */
function isEntry(entry: string, names: readonly string[], dots: boolean): boolean {
  const parts = entry.split('/')
  return parts.length <= names.length && parts.every((part, at) => matchesName(part, names[at] ?? '', dots))
}

function isAimed(pattern: string, name: string): boolean {
  if (pattern === name) return true
  return pattern.replace(/\[[^\]]*\]|\\|[^A-Za-z0-9]/g, '').length >= Math.min(AIMED, name.length)
}
