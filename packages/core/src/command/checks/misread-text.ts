import { forEachChild, type Redirection, type SyntaxNode, type WordPart } from 'unbash'
import { CAPS } from '../model/limits.ts'

/** Without these, no text can be anything else. */
const PLAIN = /^[\w \t\n./=:,@%+-]*$/
/** Unquoted characters that end a word or start something in bash, so that no text has them. */
const ENDS_WORD = /[ \t\n;&|<>()`"']|\$[\w{([@*#?!$'"-]/
/** In patterns and indexes, and inside `${…}`, brackets and separators may be text; process substitutions are not. */
const STARTS_PROCESS = /[<>]\(|[`"']/
const ESCAPED = /\\./gs

/** How bash reads the text at some place. */
type Reading = 'word' | 'loose' | 'quoted'

/**
 * Whether the parser took for text what bash reads otherwise: `2>(rm x)` runs a command, and `>&-x` is two words. INVARIANT:
 * L3, what was read differently was not understood.
 */
export function hasMisreadText(source: string, script: SyntaxNode): boolean {
  if (PLAIN.test(source)) return false
  const stack: [SyntaxNode, Reading][] = [[script, 'word']]
  for (let seen = 0; seen < CAPS.nodes; seen++) {
    const next = stack.pop()
    if (next === undefined) return false
    const [node, reading] = next
    if (isMisread(node, reading)) return true
    forEachChild(node, (child) => {
      stack.push([child, readingOf(child, node, reading)])
    })
  }
  return true
}

function isMisread(node: SyntaxNode, reading: Reading): boolean {
  if (node.type === 'Redirect') return isMisreadTarget(node)
  if (reading === 'quoted' || (node.type !== 'Literal' && !(node.type === 'Word' && node.parts === undefined)))
    return false
  const text = node.text.replace(ESCAPED, '')
  return (reading === 'word' ? ENDS_WORD : STARTS_PROCESS).test(text)
}

/** A name behind `>&` that stays the same if it is expanded twice, which is what bash does. */
export const STABLE_NAME = /^[\w./@%+,=:-]*$/

/** `>&-x` closes the output and passes `x` on; the quotes of `>&'$(x)'` are gone when the text is expanded again. */
function isMisreadTarget({ operator, target }: Redirection & { readonly type: 'Redirect' }): boolean {
  if (target === undefined || !operator.endsWith('&')) return false
  const { text, value, parts } = target
  if (/^-./s.test(text) || (/^\d*-$/.test(value) && text !== value)) return true
  const isKnown = parts?.every(isText) !== false
  return operator === '>&' && isKnown && !STABLE_NAME.test(value)
}

function isText(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(isText)
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
}

function readingOf(child: SyntaxNode, parent: SyntaxNode, reading: Reading): Reading {
  switch (parent.type) {
    case 'Script':
      return 'word'
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'HereDocBody':
    case 'HereDoc':
      return 'quoted'
    case 'ParameterExpansion':
      return reading === 'quoted' ? 'quoted' : 'loose'
    case 'TestBinary':
      return child === parent.right ? 'loose' : reading
    case 'Assignment':
      return child === parent.index ? 'loose' : reading
    default:
      return reading
  }
}
