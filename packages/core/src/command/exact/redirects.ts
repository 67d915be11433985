import type { Redirection as Node } from 'unbash'
import { STABLE_NAME } from '../checks/misread-text.ts'
import type { Redirection } from '../model/decomposition.ts'
import { type ExactState, Inexact, NUMBER_OR_NOTHING } from './state.ts'
import type { Expansion } from './words.ts'

const COPY = /^(?:\d{1,3}-?|-)$/

/** The files that redirections open. Copies of descriptors are not listed. */
export function exactRedirections(nodes: readonly Node[], state: ExactState, words: Expansion): readonly Redirection[] {
  const found: Redirection[] = []
  for (const node of nodes) {
    if (node.type === 'HereDoc') {
      words.visitText(node.body.parts ?? [])
      continue
    }
    if (node.target === undefined) throw new Inexact()
    if (node.type === 'HereString') {
      words.value(node.target)
      continue
    }
    const { operator, descriptor } = node
    if (descriptor?.type === 'FileDescriptorVariable') {
      // The number of the descriptor, if the file can be opened.
      state.set(descriptor.name, NUMBER_OR_NOTHING)
    }
    const [target, ...more] = words.words(node.target)
    if (target === undefined || more.length > 0 || (target.spread && !target.isNumber) || target.glob !== null)
      throw new Inexact()
    const copies = operator === '<&' || operator === '>&'
    if (copies && target.isNumber && operator === '<&') continue
    if (target.text === null || target.text === '') throw new Inexact()
    if (copies && COPY.test(target.text)) continue
    // `>&word` writes a file; `<&word` is an error.
    if (operator === '<&') throw new Inexact()
    // Bash expands it once more.
    if (copies && !STABLE_NAME.test(target.text)) throw new Inexact()
    found.push({ operator, target: target.text })
  }
  return found
}
