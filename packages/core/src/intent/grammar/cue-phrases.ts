import type { Cue } from '../../knowledge/intent.ts'
import { wordClass } from '../../knowledge/intent.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import {
  addStatement,
  askHarmless,
  type Clause,
  followsQuestionWord,
  setMood,
  settleQuestion,
  wordAt,
} from './clause.ts'
import { readDelivery, readLabelled, readUpcoming } from './nominal-statements.ts'
import { readObject } from './object.ts'
import { readNoun } from './run-statements.ts'
import { isAtHand, isDescribing, isOperation } from './subject.ts'

const NEUTRAL_QUESTION = wordClass('neutral_question_openers')
const CONFIRMS = wordClass('romance_confirm')
const APPROVAL_OPENERS = wordClass('approval_openers')
const NEGATIONS = wordClass('negation_before_verb')
const GERMAN_SUBJECTS = wordClass('german_subjects')
const LINKING_VERBS = wordClass('linking_verbs')
const DETERMINERS = wordClass('determiners')
const FRENCH_SUBJECTS = wordClass('french_subjects')
const FIRST_PERSON = wordClass('first_person')
const OPEN_CONFIRM = wordClass('open_confirmation')
const FACTS = wordClass('confirmed_facts')
const WISHES = wordClass('confirmed_wishes')
const NOTHING = wordClass('nothing')
const WORKS = wordClass('approved_works')
const PAST_TIMES = wordClass('past_times')
const CAUSES = wordClass('causes')
const MEANWHILE = wordClass('wait_conditions')

/** Whether a cue counts at its position. */
export function cueApplies(clause: Clause, cue: Cue, at: number): boolean {
  if (cue === 'announce_without_subject') return at === clause.clauseStart
  if (cue === 'light_verb') return clause.expectsVerb
  if (cue === 'ability' && clause.mood === 'someone_else') return false
  if (cue === 'ask' && FRENCH_SUBJECTS.has(wordAt(clause, at))) return clause.sentence.isQuestion
  if (cue === 'someone_else' && wordAt(clause, at) === 'comment')
    return !(clause.expectsVerb && clause.mood === 'announce') // French for how
  if (cue === 'user_wish') return clause.sentence.isQuestion
  const isReported = APPROVAL_OPENERS.has(wordAt(clause, at)) || APPROVAL_OPENERS.has(wordAt(clause, at - 1))
  if ((cue === 'wait' || cue === 'claimed_approval') && clause.mood === 'past' && isReported) return false
  if (cue === 'wait' && clause.negated && wordAt(clause, at) === 'unless') return false
  if (cue === 'wait' && CONFIRMS.has(wordAt(clause, at))) return clause.expectsVerb || clause.sentence.isQuestion
  // `GitHub requires approval before merging`: a rule of somebody else.
  if (cue === 'wait' && REQUIRES.test(wordAt(clause, at)) && isRule(clause, at)) return false
  // `Nothing will be changed until you say so`.
  if (cue === 'wait' && MEANWHILE.has(wordAt(clause, at)) && NOTHING.has(wordAt(clause, clause.clauseStart)))
    return false
  // `The button turns green when you give the go-ahead`: about a program.
  if (cue === 'wait' && MEANWHILE.has(wordAt(clause, at)) && isDescribing(clause.tokens, clause.clauseStart, at))
    return false
  if (
    cue === 'claimed_approval' ||
    cue === 'reported_approval' ||
    cue === 'irreversible' ||
    cue === 'doubt' ||
    cue === 'wait'
  )
    return true
  if (cue === 'confirm' && /^(?:confirm|approve)$/.test(wordAt(clause, at)))
    return clause.expectsVerb && clause.mood === 'imperative'
  if (cue === 'ask' && NEUTRAL_QUESTION.has(wordAt(clause, at))) return clause.sentence.isQuestion
  if (cue === 'hypothetical' && at > 0 && clause.mood === 'announce' && clause.expectsVerb) return true
  return true
}

const REQUIRES = /^requires?$/

/** The subject is neither the step at hand nor an action, and the answer is nobody's in particular. */
function isRule({ tokens, clauseStart }: Clause, at: number): boolean {
  const subject = tokens.slice(clauseStart, at)
  if (subject.length === 0 || tokens.slice(at, at + 3).some(({ word }) => word === 'your')) return false
  return (
    !isOperation(subject) &&
    subject.every(
      (_, here) => lexicon().verbs.match(subject, here) === null && lexicon().nouns.match(subject, here) === null,
    )
  )
}

export function readCue(clause: Clause, cue: Cue, at: number, length: number): void {
  const next = at + length
  clause.isVerbFinal = GERMAN_SUBJECTS.has(wordAt(clause, next - 1)) || GERMAN_SUBJECTS.has(wordAt(clause, at))
  switch (cue) {
    case 'announce':
    case 'announce_without_subject':
      setAnnouncing(clause, cue === 'announce_without_subject' && clause.sentence.isQuestion && at === 0, at)
      if (wordAt(clause, next - 1) !== ':' || !readLabelled(clause, next)) readNoun(clause, next, clause.mood, next - 1)
      return
    case 'ask':
    case 'offer':
      setMood(clause, cue)
      if (followsQuestionWord(clause, at)) {
        clause.pendingQuestion = null
        // `What would you like to call it`: the user does it.
        if (
          wordAt(clause, at + 1) === 'you' &&
          !clause.tokens.slice(at, next).some(({ word }) => FIRST_PERSON.has(word))
        ) {
          setMood(clause, 'none')
          clause.expectsVerb = false
          return
        }
      } else clause.pendingQuestion = cue
      readNoun(clause, next, cue, next - 1)
      return
    case 'user_wish':
      setMood(clause, 'ask')
      return
    case 'ability':
      setMood(clause, 'ability')
      return
    case 'invitation':
      clause.isInvited = true
      return
    case 'wait':
      settleQuestion(clause, null)
      if (!clause.negated || clause.tokens[at]?.word !== 'requires') addStatement(clause, 'asked', null)
      setMood(clause, 'announce')
      return
    case 'confirm':
      readConfirm(clause, next)
      return
    case 'someone_else':
    case 'past':
    case 'hypothetical':
      settleQuestion(clause, null)
      setMood(clause, cue)
      if (cue === 'hypothetical' && length > 1) clause.isHypothetical = true
      clause.expectsVerb = false
      return
    case 'condition':
      setMood(clause, 'condition')
      clause.isConditional = true
      clause.expectsVerb = false
      return
    case 'claimed_approval':
      clause.claimsApproval ||= !isHistory(clause, next)
      return
    case 'without_asking':
      if (clause.mood === 'announce' && !clause.negated) clause.claimsApproval = true
      else clause.negated = true
      return
    case 'proceeding':
      clause.isProceeding = true
      return
    case 'upcoming':
      readUpcoming(clause, at, next)
      return
    case 'delivery':
      readDelivery(clause, at, next)
      return
    case 'reported_approval':
      clause.reportsApproval = true
      return
    case 'irreversible':
      if (isAtHand(clause.tokens, clause.clauseStart, at) && !clause.negated) clause.isWarning = true
      return
    case 'doubt':
      if (LINKING_VERBS.has(wordAt(clause, at)) && !isAtHand(clause.tokens, clause.clauseStart, at)) return
      // `not sure why the test fails`: a question about a cause.
      if (CAUSES.has(wordAt(clause, next - 1)) || CAUSES.has(wordAt(clause, next))) return
      clause.doubt ??= { from: at, to: next }
      setMood(clause, 'hypothetical')
      readNoun(clause, next, 'hypothetical')
      return
    case 'small_talk':
      clause.pendingQuestion = null
      setMood(clause, 'none')
      clause.expectsVerb = false
      clause.clauseStart = next
      return
    case 'light_verb':
      if (clause.sentence.isQuestion && at === clause.clauseStart && clause.mood === 'imperative') {
        setMood(clause, 'ask')
        clause.pendingQuestion = 'ask'
      }
      if (clause.pendingQuestion !== null && readObject(clause.tokens, next, clause.setting).head.has('talk'))
        askHarmless(clause)
      readNoun(clause, next, clause.mood, next - 1)
      return
    case 'negation':
      clause.negated = true
      return
  }
}

function setAnnouncing(clause: Clause, isAsk: boolean, at: number): void {
  const isRefused = NEGATIONS.has(wordAt(clause, at - 1))
  setMood(clause, isAsk ? 'ask' : 'announce')
  clause.negated = isRefused
  if (isAsk) clause.pendingQuestion = 'ask'
}

/** `The customer approved the design yesterday`: nothing follows from it. */
function isHistory({ tokens, sentence }: Clause, from: number): boolean {
  if (tokens.slice(from - 1, from + 3).some(({ word }) => WORKS.has(word))) return true
  // `No approval is needed to read the docs.`
  if (tokens[from]?.word === 'to' && lexicon().verbs.match(tokens, from + 1)?.value.kind === 'make') return true
  const doesMore = sentence.tokens.some(({ word }, at) => at > from && (word === 'so' || word.endsWith('ing')))
  const isDated = sentence.tokens.some(
    ({ word }, at, all) => PAST_TIMES.has(word) || (word === 'in' && /^(?:19|20)\d\d$/.test(all[at + 1]?.word ?? '')),
  )
  return !doesMore && isDated
}

/** Confirming an action is a question; confirming a fact is not. */
function readConfirm(clause: Clause, from: number): void {
  const next = clause.tokens[from]
  const word = next?.word ?? ''
  const ahead = clause.tokens.slice(from, from + 10).map((token) => token.word)
  const isOpen = next === undefined || next.kind === 'stop' || OPEN_CONFIRM.has(word)
  const isWish =
    ahead.some((one) => WISHES.has(one)) ||
    ahead.some((_, here) => isAction(clause, from + here) || lexicon().nouns.match(clause.tokens, from + here) !== null)
  const isFact = FACTS.has(word) && !isWish
  if ((isOpen && !(word === 'if' && !isWish) && !(word === 'you' && !isWish)) || (isWish && !isFact)) {
    settleQuestion(clause, null)
    addStatement(clause, 'asked', readNoun(clause, from, 'hypothetical'))
    setMood(clause, 'hypothetical')
    clause.mood = 'ask'
    return
  }
  setMood(clause, 'none')
  clause.expectsVerb = false
}

function isAction(clause: Clause, at: number): boolean {
  if (DETERMINERS.has(wordAt(clause, at - 1))) return false
  const kind = lexicon().verbs.match(clause.tokens, at)?.value.kind
  return kind !== undefined && kind !== 'make' && kind !== 'run' && kind !== 'modify' && kind !== 'open'
}
