import type { SyntaxNode } from 'unbash'

/** Syntax that only joins simple commands with literal words. */
const PLAIN: ReadonlySet<SyntaxNode['type']> = new Set([
  'Script',
  'Statement',
  'AndOr',
  'Pipeline',
  'Command',
  'Redirected',
  'Subshell',
  'BraceGroup',
  'CompoundList',
  'If',
  'Word',
  'Literal',
  'SingleQuoted',
  'DoubleQuoted',
  'Redirect',
  'FileDescriptor',
  'HereDoc',
  'HereDocDelimiter',
  'HereDocBody',
  'HereString',
])

/** Whether a node does no more than join simple commands: no loop, function, expansion or background command. */
export function isPlain(node: SyntaxNode): boolean {
  return PLAIN.has(node.type) && (node.type !== 'Statement' || node.background !== true)
}
