import type { HereDoc, HereString, WordPart } from 'unbash'
import type { Expand } from './command-substitution.ts'
import type { Scope } from './scope.ts'
import type { Input } from './standard-input.ts'

/** The input from a here-document or here-string; null when it does not go to standard input. */
export function hereInput(node: HereDoc | HereString, scope: Scope, expand: Expand): Input | null {
  if (node.type === 'HereDoc') return hereDocument(node.body.text, node.body.parts)
  if (node.target === undefined) return null
  const words = expand(node.target, scope)
  return {
    kind: 'text',
    text: words.map((word) => word.template).join(' '),
    known: words.every((word) => word.value !== null),
  }
}

function hereDocument(text: string, parts: readonly WordPart[] | undefined): Input {
  if (parts === undefined) return { kind: 'text', text, known: true }
  const known = parts.every((part) => part.type === 'Literal')
  return {
    kind: 'text',
    text: parts
      .map((part) => (part.type === 'Literal' ? part.value : part.type === 'SimpleExpansion' ? part.text : '$_'))
      .join(''),
    known,
  }
}
