import type { Token } from '../text/tokenizer.ts'
import { words } from '../text/words.ts'

/** What is asked for. */
const LEAVE =
  words(`approval approvals confirmation permission go-ahead consent consensus sign-off signoff authorization authorisation
  clearance green-light blessing thumbs-up nod say-so`)
/** Wanting it. */
const WANTING = words(
  'need needs require requires required request requesting seek seeking await awaiting want waiting wait like pending before until appreciate',
)
/** Whose it is. */
const WHOSE = words('your you i we human user operator me')
/** It was given, is refused, or is somebody else's rule. */
const SETTLED =
  words(`not no never nobody was were had got received gave given granted obtained did already without none if whenever users people they
  team policy process workflow merchants customers admins`)
/** The listener looks before the speaker goes on. */
const CHECKING = words('confirm check double-check verify review decide choose look read')
const OF_YOU = words('to on from for with')
const REPLIES = words('answer reply review input word response thoughts opinion feedback view eyes decision verdict')
const MODALS = words('should must can could may might need have want would will')
/** Longer sentences are read by their phrases alone. */
const MAX_TOKENS = 60

/** Whether a sentence asks for leave in words that no phrase foresaw: `before proceeding I'd like your confirmation`. */
export function asksForLeave(tokens: readonly Token[]): boolean {
  if (tokens.length > MAX_TOKENS) return false
  const has = (set: ReadonlySet<string>) => tokens.some(({ word }) => set.has(word))
  if (has(SETTLED) || isToldTo(tokens)) return false
  if (has(LEAVE) && has(WANTING) && has(WHOSE)) return true
  return looksBefore(tokens) && (isOfYou(tokens) || (tokens[0]?.word === 'please' && has(CHECKING)))
}

/** `You should check …`: advice. */
function isToldTo(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => word === 'you' && MODALS.has(tokens[at + 1]?.word ?? ''))
}

/** `… before I …`, `before proceeding`. */
function looksBefore(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => {
    const next = tokens[at + 1]?.word ?? ''
    return word === 'before' && (next === 'i' || next === 'we' || next === 'anything' || next.endsWith('ing'))
  })
}

/** `waiting on you`, `I'd like you to check`, `your answer`. */
function isOfYou(tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, at) => {
    const [before, next] = [tokens[at - 1]?.word ?? '', tokens[at + 1]?.word ?? '']
    if (word === 'your') return REPLIES.has(next)
    if (word !== 'you') return false
    return (OF_YOU.has(before) && before !== 'to') || (next === 'to' && tokens.some((one) => CHECKING.has(one.word)))
  })
}
