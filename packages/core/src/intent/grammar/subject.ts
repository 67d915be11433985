import { wordClass } from '../../knowledge/intent.ts'
import { categoriesOf } from '../lexicon/object-categories.ts'
import type { Token } from '../text/tokenizer.ts'

const DOCUMENTED = wordClass('documented')

const PEOPLE = wordClass('documented_people')

const DEFINITE = wordClass('definite')

const AT_HAND = wordClass('at_hand')

/** Whether the subject of a verb is something that documentation explains: `users will delete`. */
export function isDescribing(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'code' ? !isName(tokens, at) : DOCUMENTED.has(token.word)) return true
  }
  return PEOPLE.has(tokens[to - 1]?.word ?? '') && to > from && isActive(tokens, to)
}

/** ``the `orders` table``: the code is the name of something. */
function isName(tokens: readonly Token[], at: number): boolean {
  if (!/^[\w./@-]+$/.test(tokens[at]?.excerpt?.text ?? ' ')) return false
  return [tokens[at - 1], tokens[at + 1]].some((one) => {
    const categories = categoriesOf(one?.word ?? '')
    return NAMED.some((category) => categories.has(category)) && !categories.has('code')
  })
}

const NAMED = ['schema', 'data', 'infra', 'access', 'work'] as const

function isActive(tokens: readonly Token[], auxiliary: number): boolean {
  return tokens.slice(auxiliary, auxiliary + 4).every(({ word }) => word !== 'be' && word !== 'being')
}

const GENERAL_REMARKS = wordClass('general_remarks')

/**
 * Whether a warning is about the step at hand, which is named or left out. `TRUNCATE cannot be rolled back` explains;
 * `this cannot be rolled back` warns.
 */
export function isAtHand(tokens: readonly Token[], from: number, to: number): boolean {
  if (isDescribing(tokens, from, to)) return false
  const subject = tokens.slice(from, to).filter(({ kind }) => kind === 'word')
  if (subject.some(({ word }) => AT_HAND.has(word) || DEFINITE.has(word))) return true
  if (tokens.slice(Math.max(0, from - 3), to).some(({ word }) => GENERAL_REMARKS.has(word))) return false
  return subject.length === 0 || subject.length > 6
}

/** Whether the subject is the step at hand. */
export function isOperation(subject: readonly Token[]): boolean {
  return subject.some(({ word }) => AT_HAND.has(word)) && !isDescribing(subject, 0, subject.length)
}
