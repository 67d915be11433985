const VISIBLE = /^[\x21-\x7e]+$/
const ESCAPED = /%[0-9a-f]{2}/i
const BETWEEN = /[^a-z0-9]+/g

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

/** A method as a reader may read it that cares less for what stands between its words: `resources//read`, `resources.read`. */
export function loosely(method: string): string {
  return method.replace(/[^a-z0-9_]+/gi, '/')
}
