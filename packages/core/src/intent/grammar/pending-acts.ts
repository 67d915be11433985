import { type VerbKind, wordClass } from '../../knowledge/intent.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import { rank } from '../model/intent.ts'
import { type Clause, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { type RatedAction, rateAction } from './rate-action.ts'
import { isDescribing } from './subject.ts'

const DOUBTING = wordClass('doubting')
const PASSIVE = wordClass('passive')
const HALF = wordClass('half_of')
const DISLIKING = wordClass('disliking')
const CAUSES = wordClass('causes')
const WORDING = wordClass('wording_verbs')
const PENDING = wordClass('pending_questions')
const OPEN_KINDS: ReadonlySet<VerbKind> = new Set([
  'make',
  'run',
  'proceed',
  'modify',
  'open',
  'reveal',
  'export',
  'post',
  'submit',
])
/** Longer sentences are read only for known phrases. */
const MAX_TOKENS = 40

/** The act that a sentence doubts without a known phrase: `half of me wants to roll this back`. */
export function doubtedAct(clause: Clause): RatedAction | null {
  const { tokens } = clause
  if (tokens.length > MAX_TOKENS || !isDoubting(clause)) return null
  return pendingAct(clause)
}

/** The act that a short question is about: `should this go out to all users?`. */
export function questionedAct(clause: Clause): RatedAction | null {
  const { tokens, sentence } = clause
  if (!sentence.isQuestion || tokens.length > MAX_TOKENS || !PENDING.has(wordAt(clause, 0))) return null
  // `Should the label say Delete?`
  if (tokens.some(({ word }) => word === 'you' || CAUSES.has(word) || WORDING.has(word))) return null
  return pendingAct(clause)
}

/** Whether a sentence doubts something, by a known phrase or by its words. */
export function isDoubting(clause: Clause): boolean {
  if (clause.doubt !== null) return true
  return clause.tokens.some(({ word }, at) => {
    if (DOUBTING.has(word)) return !CAUSES.has(wordAt(clause, at + 1)) && !isOfAProgram(clause, at)
    const [two, three] = [wordAt(clause, at + 1), wordAt(clause, at + 2)]
    return (
      (HALF.has(word) && two === 'of' && three === 'me') ||
      (word === 'i' && two === 'do' && three === 'not' && DISLIKING.has(wordAt(clause, at + 3)))
    )
  })
}

/** `a merge conflict`, `the guess function`. */
function isOfAProgram(clause: Clause, at: number): boolean {
  return wordAt(clause, at - 1) === 'merge' || isDescribing(clause.tokens, at + 1, at + 3)
}

/** The first dangerous act that a sentence names and that is not done yet. */
function pendingAct(clause: Clause): RatedAction | null {
  const { tokens } = clause
  for (let at = 0; at < tokens.length; at++) {
    const verb = lexicon().verbs.match(tokens, at)
    const isNoun = /^(?:an?|the|each)$/.test(wordAt(clause, at - 1))
    if (
      verb !== null &&
      !isNoun &&
      (verb.value.form !== 'past' || PASSIVE.has(wordAt(clause, at - 1))) &&
      !OPEN_KINDS.has(verb.value.kind)
    ) {
      if (isDescribing(tokens, Math.max(0, at - 4), at)) continue
      const object = readObject(tokens, at + verb.length, clause.setting)
      if (object.head.has('code') || object.head.has('talk')) continue
      const action = rateAction(verb.value.kind as Parameters<typeof rateAction>[0], object, clause.thresholds)
      if (rank(action.level) >= rank('medium')) return action
    }
    const noun = lexicon().nouns.match(tokens, at)
    if (noun === null || wordAt(clause, at - 1) === 'a') continue
    const object = objectOf(
      [...tokens.slice(Math.max(0, at - 3), at), ...tokens.slice(at + noun.length, at + 8)],
      clause.setting,
    )
    const action = rateAction(noun.value, object, clause.thresholds)
    if (rank(action.level) >= rank('medium') && !object.head.has('code')) return action
  }
  return null
}
