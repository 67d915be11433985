import type { Redirection as Node, WordPart } from 'unbash'
import type { Redirection } from './decomposition.ts'
import type { Input } from './frame.ts'
import { PIPED } from './frame.ts'
import type { Scope } from './scope.ts'
import { expandWord, singleValue } from './words.ts'

const COPY = /^(?:\d+-?|-)$/

/** Reads redirections: where they lead, and what they feed to the command. */
export function readRedirects(
  nodes: readonly Node[],
  scope: Scope,
): { redirections: Redirection[]; input: Input | null } {
  const redirections: Redirection[] = []
  let input: Input | null = null
  for (const node of nodes) {
    const feeds =
      node.descriptor === undefined || (node.descriptor.type === 'FileDescriptor' && node.descriptor.value === 0)
    if (node.type === 'HereDoc') {
      if (feeds) input = hereDocument(node.body.text, node.body.parts)
    } else if (node.type === 'HereString') {
      if (feeds && node.target !== undefined) {
        const words = expandWord(node.target, scope)
        input = {
          kind: 'text',
          text: words.map((word) => word.template).join(' '),
          known: words.every((word) => word.value !== null),
        }
      }
    } else {
      const target = node.target === undefined ? null : singleValue(node.target, scope)
      const copies = (node.operator === '>&' || node.operator === '<&') && target !== null && COPY.test(target)
      if (!copies) redirections.push({ operator: node.operator, target })
      if (feeds && node.operator.startsWith('<')) input = target === '/dev/null' ? { kind: 'none' } : PIPED
    }
  }
  return { redirections, input }
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
