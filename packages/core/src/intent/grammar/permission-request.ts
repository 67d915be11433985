import { wordClass } from '../../knowledge/intent.ts'
import type { WordSet } from '../../knowledge/words.ts'
import type { Token } from '../text/tokenizer.ts'

const PERMISSION = wordClass('permission')
const PARTS = wordClass('permission_parts')
const WANTING = wordClass('wanting')
const ANSWERS = wordClass('wanted_answers')
const WHOSE = wordClass('permission_owners')
const SETTLED = wordClass('settled')
const CHECKING = wordClass('checking')
const OF_YOU = wordClass('before_you')
const REPLIES = wordClass('replies')
const MODALS = wordClass('advice_modals')
/** Longer sentences are read only for known phrases. */
const MAX_TOKENS = 60

/** Whether a sentence asks for permission without a known phrase: `before proceeding I'd like your confirmation`. */
export function asksForPermission(tokens: readonly Token[]): boolean {
  if (tokens.length > MAX_TOKENS) return false
  const has = (set: WordSet) => tokens.some(({ word }) => set.has(word))
  if (has(SETTLED) || isAdvice(tokens)) return false
  if (tokens.some(isPermission) && has(WANTING) && has(WHOSE)) return true
  if (has(WANTING) && tokens.some(isYourAnswer)) return true
  return comesBeforeAction(tokens) && (addressesUser(tokens) || (tokens[0]?.word === 'please' && has(CHECKING)))
}

/** `hangs on your answer`. */
function isYourAnswer({ word }: Token, at: number, tokens: readonly Token[]): boolean {
  return word === 'your' && ANSWERS.has(tokens[at + 1]?.word ?? '')
}

/** A permission, and not a part of a program that is named for one. */
function isPermission({ word }: Token, at: number, tokens: readonly Token[]): boolean {
  return PERMISSION.has(word) && !PARTS.has(tokens[at + 1]?.word ?? '')
}

/** `You should check …`: advice. */
function isAdvice(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => word === 'you' && MODALS.has(tokens[at + 1]?.word ?? ''))
}

/** `… before I …`, `before proceeding`. */
function comesBeforeAction(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => {
    const next = tokens[at + 1]?.word ?? ''
    return word === 'before' && (next === 'i' || next === 'we' || next === 'anything' || next.endsWith('ing'))
  })
}

/** `waiting on you`, `I'd like you to check`, `your answer`. */
function addressesUser(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => {
    const [before, next] = [tokens[at - 1]?.word ?? '', tokens[at + 1]?.word ?? '']
    if (word === 'your') return REPLIES.has(next)
    if (word !== 'you') return false
    return (OF_YOU.has(before) && before !== 'to') || (next === 'to' && tokens.some((one) => CHECKING.has(one.word)))
  })
}
