import { RE2JS } from 're2js'

/**
 * Compiles a policy's regular expression; throws if it is invalid. SECURITY: A25. The engine is RE2: linear time, no
 * look-around, no back-references.
 */
export function compileExpression(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern)
  return (text) => compiled.test(text)
}
