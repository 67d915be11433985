import type { Token } from './tokenizer.ts'
import { words } from './words.ts'

/** Two words that are one: the first ones, the second ones, and what they are together; `from scratch` is no object at all. */
const COMPOUNDS: readonly (readonly [first: string, second: string, together: string])[] = [
  ['working work', 'tree directory copy', 'worktree'],
  ['git commit revision', 'history log', 'git-history'],
  [
    'private ssh api access signing encryption aws secret master root stripe gpg pgp deploy host',
    'key keys',
    'api-key',
  ],
  ['api access auth bearer refresh session-signing github oauth', 'token tokens', 'api-token'],
  ['data', 'center centre centers centres', 'datacenter'],
  ['two 2', 'factor step', 'two-factor'],
  ['two-factor multi-factor', 'auth authentication', '2fa'],
  ['branch deletion termination', 'protection', 'branch-protection'],
  ['security', 'group groups', 'security-group'],
  ['rate', 'limit limits limiting limiter', 'rate-limit'],
  ['pre-receive pre-commit pre-push commit', 'hook hooks', 'git-hook'],
  ['card account bank', 'number numbers details', 'card-number'],
  ['network', 'interface interfaces adapter card', 'network'],
  ['payment', 'method methods details', 'payment-method'],
  ['from', 'scratch', 'anew'],
  ['force', 'push pushing', 'force-push'],
  ['credit debit company saved corporate', 'card cards', 'card'],
  ['customer user', 'data', 'customer-data'],
  ['email mailing mail', 'list lists', 'mailing-list'],
  ['environment env', 'variables variable vars', 'variables'],
  ['feature release kill', 'flag flags switch toggle toggles', 'feature-flag'],
  ['pull merge', 'request requests', 'pull-request'],
  ['home', 'directory folder', 'home'],
  ['error status', 'code codes', 'code'],
  ['thumbs', 'up', 'thumbs-up'],
  ['go', 'signal', 'go-ahead'],
  ['green', 'light', 'green-light'],
  ['sign', 'off', 'sign-off'],
]

const BY_FIRST: ReadonlyMap<string, ReadonlyMap<string, string>> = (() => {
  const found = new Map<string, Map<string, string>>()
  for (const [firsts, seconds, together] of COMPOUNDS)
    for (const first of words(firsts))
      for (const second of words(seconds))
        found.set(first, (found.get(first) ?? new Map<string, string>()).set(second, together))
  return found
})()

/** Joins the compounds in a row of tokens. */
export function joinCompounds(tokens: readonly Token[]): readonly Token[] {
  const joined: Token[] = []
  for (const token of tokens) {
    const together = BY_FIRST.get(joined.at(-1)?.word ?? '')?.get(token.word)
    if (together === undefined) joined.push(token)
    else joined[joined.length - 1] = { kind: 'word', word: together }
  }
  return joined
}
