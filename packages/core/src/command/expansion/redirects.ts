import type { Redirection as Node } from 'unbash'
import { STABLE_NAME } from '../checks/misread-text.ts'
import type { Redirection } from '../model/decomposition.ts'
import { hereInput } from './here-document.ts'
import type { Scope } from './scope.ts'
import { type Input, PIPED } from './standard-input.ts'
import { expandWord, type ShellWord } from './words.ts'

const COPY = /^(?:\d+-?|-)$/

/** Reads redirections: their targets, and the input for the command. `offset` as for `expandWord`. */
export function readRedirects(
  nodes: readonly Node[],
  scope: Scope,
  offset?: number,
): { redirections: Redirection[]; input: Input | null } {
  const redirections: Redirection[] = []
  let input: Input | null = null
  for (const node of nodes) {
    const feeds =
      node.descriptor === undefined || (node.descriptor.type === 'FileDescriptor' && node.descriptor.value === 0)
    if (node.type !== 'Redirect') {
      if (feeds) input = hereInput(node, scope, expandWord) ?? input
    } else {
      const words = node.target === undefined ? [] : expandWord(node.target, scope)
      const named = words.length === 1 ? (words[0]?.value ?? null) : node.target === undefined ? null : noTarget(words)
      // Bash would expand it once more.
      const target = node.operator === '>&' && named !== null && !STABLE_NAME.test(named) ? null : named
      const glob = words[0]?.glob === true
      const copies = (node.operator === '>&' || node.operator === '<&') && target !== null && COPY.test(target)
      if (!copies) {
        const span = offset === undefined ? undefined : { start: node.pos + offset, end: node.end + offset }
        const unknown = target === null && words[0] !== undefined ? { text: words[0].text } : {}
        const { operator } = node
        redirections.push(glob ? { operator, target, glob, ...unknown, span } : { operator, target, ...unknown, span })
      }
      if (feeds && node.operator.startsWith('<')) input = target === '/dev/null' ? { kind: 'none' } : PIPED
    }
  }
  return { redirections, input }
}

/** Empty for no word; null for several, since it is unknown which one is used. */
function noTarget(words: readonly ShellWord[]): string | null {
  return words.length === 0 ? '' : null
}
