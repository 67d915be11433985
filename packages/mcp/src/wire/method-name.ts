import { compileNames } from '@countersign/core'

const VISIBLE = /^[\x21-\x7e]+$/
const ESCAPED = /%[0-9a-f]{2}/i
const BETWEEN = /[^a-z0-9]+/g
const QUERY = /[?#;].*$/

/** Is a method spelled so that every reader reads the same: in visible ASCII, with nothing percent-encoded? */
export function isPlainMethod(method: string): boolean {
  return VISIBLE.test(method) && !ESCAPED.test(method)
}

/**
 * Could a plain method be taken for `tools/call` by a reader less strict than we are? So could whatever has the same letters,
 * in any case and with anything between them.
 */
export function looksLikeCall(method: string): boolean {
  return method.toLowerCase().replace(BETWEEN, '') === 'toolscall'
}

/**
 * Whether a method is one of those that do not pass. SECURITY: A1 also what a less strict reader takes for it: the letters
 * alone count, whatever stands around and between them, and what would be the query of an address does not.
 */
export function compileDenied(patterns: readonly string[]): (method: string) => boolean {
  const exact = compileNames(patterns)
  const letters = patterns.map((pattern) => pattern.toLowerCase().replace(/[^a-z0-9*]+/g, ''))
  const loose = compileNames(letters.filter((pattern) => /[a-z0-9]/.test(pattern)))
  return (method) => exact(method) || loose(method.toLowerCase().replace(QUERY, '').replace(BETWEEN, ''))
}
