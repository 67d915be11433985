import type { Language } from '../../knowledge/shell.ts'
import { type CodeToken, codeTokens } from './tokenizer.ts'

/** Names by which code reaches the environment. */
const ENVIRONMENTS: Readonly<Partial<Record<Language, ReadonlySet<string>>>> = {
  node: new Set(['env']),
  awk: new Set(['ENVIRON']),
}
const OTHERS = new Set(['environ', 'environb', 'getenv', 'getenvb', 'ENV', '_ENV', '_SERVER'])
/** Methods that take the name of one variable. */
const METHODS = new Set(['get', 'fetch', 'dig', 'pop', 'setdefault', 'key?', 'has_key?', 'include?'])

/** The environment variables that code reads; null for one with a computed name, or for all of them. */
export function variablesRead(text: string, language: Language): readonly (string | null)[] {
  const names = ENVIRONMENTS[language] ?? OTHERS
  const tokens = codeTokens(text, language)
  return tokens.flatMap((token, at) => {
    if (token.kind === 'sign' || token.kind === 'end' || token.kind === 'shell' || !names.has(token.text)) return []
    // A string counts as a key: `process['env']`. A name before a colon is a key of an object.
    if (token.kind === 'string' ? !isSign(tokens[at - 1], '[') : isSign(tokens[at + 1], ':')) return []
    // `from os import getenv`: its uses follow.
    if (token.text.startsWith('getenv') && !isSign(tokens[at + 1], '('))
      return isSign(tokens[at + 1], '.') ? [null] : []
    return [nameAfter(tokens, at + 1, language)]
  })
}

function nameAfter(tokens: readonly CodeToken[], at: number, language: Language): string | null {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first?.kind !== 'sign' || second === undefined) return null
  if (first.text === '.') {
    if (language === 'node') return second.kind === 'name' ? second.text : null
    return METHODS.has(second.text) && isSign(tokens[at + 2], '(') ? nameAfter(tokens, at + 2, language) : null
  }
  if (!'[({'.includes(first.text)) return null
  const isLiteral = second.kind === 'string' || (second.kind === 'name' && first.text === '{')
  const isWhole = tokens[at + 2]?.kind === 'sign' && '])},'.includes(tokens[at + 2]?.text ?? ' ')
  return isLiteral && isWhole && !second.dynamic ? second.text : null
}

function isSign(token: CodeToken | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text
}
