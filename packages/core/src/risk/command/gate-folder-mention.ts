import type { CommandPart } from '../../command/model/decomposition.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { isInside, type Places } from '../path/category.ts'
import type { LocatedPath } from '../path/located-path.ts'
import type { PathUse } from '../report/report.ts'

/**
 * The gate's folder, as something written, when a program that may do anything is given a path in it or a text that
 * names it: an editor, an interpreter's code, a mount. SECURITY: A3, which of its words it writes only the program knows.
 */
export function gateMention(part: CommandPart, paths: readonly LocatedPath[], places: Places): PathUse | null {
  if (part.program === '' || (part.program !== null && PROGRAMS.fileReaders.has(part.program))) return null
  if (!isGiven(paths, places) && !namesGate(part, places)) return null
  return { given: places.gate, real: places.gate, use: 'write' }
}

function isGiven(paths: readonly LocatedPath[], { gate }: Places): boolean {
  for (const { real, at } of paths) if (isInside(real ?? at ?? '/', gate)) return true
  return false
}

function namesGate({ args }: CommandPart, { gate, home }: Places): boolean {
  for (const { value, text } of args) {
    const word = value ?? text
    // Most words are too short to hold even the shorter spelling.
    if (word.length <= gate.length - home.length) continue
    if (word.includes(gate)) return true
    if (isInside(gate, home) && gate !== home && word.includes(`~${gate.slice(home.length)}`)) return true
  }
  return false
}
