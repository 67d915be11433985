import { compileNames } from '@countersign/core'

const VISIBLE = /^[\x21-\x7e]+$/
const ESCAPED = /%[0-9a-f]{2}/i
const BETWEEN = /[^a-z0-9]+/g
const QUERY = /[?#;].*$/

/** Whether all readers read a method alike: visible ASCII, nothing percent-encoded. */
export function isPlainMethod(method: string): boolean {
  return VISIBLE.test(method) && !ESCAPED.test(method)
}

/**
 * Whether a less strict reader could take a plain method for `tools/call`: the same letters, in any case, with anything
 * between them.
 */
export function looksLikeCall(method: string): boolean {
  return method.toLowerCase().replace(BETWEEN, '') === 'toolscall'
}

/**
 * Compiles the list of denied methods. SECURITY: A1 also matches what a less strict reader takes for one: only the
 * letters count, and a query part is ignored.
 */
export function compileDenied(patterns: readonly string[]): (method: string) => boolean {
  const exact = compileNames(patterns)
  const letters = patterns.map((pattern) => pattern.toLowerCase().replace(/[^a-z0-9*]+/g, ''))
  const loose = compileNames(letters.filter((pattern) => /[a-z0-9]/.test(pattern)))
  return (method) => exact(method) || loose(method.toLowerCase().replace(QUERY, '').replace(BETWEEN, ''))
}
