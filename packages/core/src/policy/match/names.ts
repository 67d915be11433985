import type { Kind } from '../../call/descriptor.ts'
import { toolLabel } from '../../call/tool.ts'
import type { Test } from './call-unit.ts'
import { compileNameGlob } from './glob.ts'
import { isWide, NO, type Reading, UNKNOWN, YES } from './three-valued-logic.ts'

/** Whether any of the globs matches. Compiled on first use. */
export function compileNames(patterns: readonly string[]): (name: string) => boolean {
  let matchers: readonly ((name: string) => boolean)[] | null = null
  return (name) => {
    matchers ??= patterns.map(compileNameGlob)
    return matchers.some((matches) => matches(name))
  }
}

/** `name`, or `server/name`. */
export function compileTool(patterns: readonly string[]): Test {
  const matches = compileNames(patterns)
  return (_unit, about) => (matches(toolLabel(about.call.tool)) ? YES : NO)
}

export function compileServer(patterns: readonly string[]): Test {
  const matches = compileNames(patterns)
  return (_unit, about) => (about.call.tool.server !== null && matches(about.call.tool.server) ? YES : NO)
}

/**
 * An agent's name is only a claim, so it can tighten but never loosen. Where a match would loosen, the result is unknown; a
 * missing name gives unknown there too.
 */
export function compileAgent(patterns: readonly string[], reading: Reading): Test {
  const matches = compileNames(patterns)
  const wide = isWide(reading)
  const hit = wide ? YES : UNKNOWN
  const miss = !reading.tightens && reading.negated ? UNKNOWN : NO
  return (_unit, about) => {
    const { name, parents } = about.call.agent
    return matches(name) || (wide && parents.some(matches)) ? hit : miss
  }
}

/** The call's kind. Matched broadly, it includes what the unit does to its path, so that a redirection is a write. */
export function compileKind(kinds: readonly Kind[], reading: Reading): Test {
  const wide = isWide(reading)
  return (unit, about) => {
    if (kinds.includes(about.call.descriptor.kind)) return YES
    if (!wide) return NO
    if (unit.opaque) return UNKNOWN
    return unit.path !== null && kinds.includes(unit.path.use) ? YES : NO
  }
}
