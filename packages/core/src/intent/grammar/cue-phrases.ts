import type { Cue } from '../languages/cue.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import { words } from '../text/words.ts'
import { type Clause, govern, harmless, isAfterWh, say, settleAsk, wordAt } from './clause.ts'
import { readObject } from './object.ts'
import { hearNoun } from './run-statements.ts'
import { isAtHand } from './subject.ts'

const NEUTRAL_QUESTION = words('ok okay alright good fine safe cool happy clear permission approved authorization')
const CONFIRMS = words('confirma confirme confirmas confirmar confirmez confirmes-tu')
/** What introduces the leave that a report says was given. */
const AFTERWARDS = words('after once when with upon on given as since')
/** Where these languages say no before the verb. */
const BEFORE_VERB = words('no não nao nunca ne n jamás jamais')
/** Where the verb may end the clause. */
const GERMAN_SUBJECTS = words('ich wir')
/** `is dangerous`: of what is at hand, or of things in general. */
const FEATURE = words('seems looks feels sounds is appears')
const DETERMINERS = words('your the a an my our their this that')
const FRENCH_SUBJECTS = words('je on')
const SPEAKERS = words('i me we us')
const OPEN_CONFIRM = words('to before and so this with if or first it deletion deployment you')
const FACTS = words('which what where who when how whether your')
const WISHES =
  words(`want proceed approve agree should okay ok deletion deployment removal continue payment refund migration purchase transfer
  action operation go fine before happy plan order may must like would`)

/** Whether a cue counts where it stands. */
export function takesCue(clause: Clause, cue: Cue, at: number): boolean {
  if (cue === 'bare') return at === clause.clauseStart
  if (cue === 'light') return clause.slot
  if (cue === 'can' && clause.mood === 'you') return false
  if (cue === 'ask' && FRENCH_SUBJECTS.has(wordAt(clause, at))) return clause.sentence.isQuestion
  if (cue === 'you' && wordAt(clause, at) === 'comment') return !(clause.slot && clause.mood === 'own') // French for how
  if (cue === 'wish') return clause.sentence.isQuestion
  const isReported = AFTERWARDS.has(wordAt(clause, at)) || AFTERWARDS.has(wordAt(clause, at - 1))
  if ((cue === 'wait' || cue === 'claim') && clause.mood === 'past' && isReported) return false
  if (cue === 'wait' && clause.negated && wordAt(clause, at) === 'unless') return false
  if (cue === 'wait' && CONFIRMS.has(wordAt(clause, at))) return clause.slot || clause.sentence.isQuestion
  if (cue === 'claim' || cue === 'hearsay' || cue === 'warning' || cue === 'doubt' || cue === 'wait') return true
  if (cue === 'confirm' && /^(?:confirm|approve)$/.test(wordAt(clause, at)))
    return clause.slot && clause.mood === 'imperative'
  if (cue === 'ask' && NEUTRAL_QUESTION.has(wordAt(clause, at))) return clause.sentence.isQuestion
  if (cue === 'thought' && at > 0 && clause.mood === 'own' && clause.slot) return true
  return true
}

export function hearCue(clause: Clause, cue: Cue, at: number, length: number): void {
  const next = at + length
  clause.isVerbFinal = GERMAN_SUBJECTS.has(wordAt(clause, next - 1)) || GERMAN_SUBJECTS.has(wordAt(clause, at))
  switch (cue) {
    case 'own':
    case 'bare':
      governOwn(clause, cue === 'bare' && clause.sentence.isQuestion && at === 0, at)
      hearNoun(clause, next, clause.mood, next - 1)
      return
    case 'ask':
    case 'offer':
      govern(clause, cue)
      if (isAfterWh(clause, at)) {
        clause.pendingAsk = null
        // What would you like to call it: the listener does it.
        if (wordAt(clause, at + 1) === 'you' && !clause.tokens.slice(at, next).some(({ word }) => SPEAKERS.has(word))) {
          govern(clause, 'none')
          clause.slot = false
          return
        }
      } else clause.pendingAsk = cue
      hearNoun(clause, next, cue, next - 1)
      return
    case 'wish':
      govern(clause, 'ask')
      return
    case 'can':
      govern(clause, 'can')
      return
    case 'invite':
      clause.isInvited = true
      return
    case 'wait':
      settleAsk(clause, null)
      if (!clause.negated || clause.tokens[at]?.word !== 'requires') say(clause, 'asked', null)
      govern(clause, 'own')
      return
    case 'confirm':
      hearConfirm(clause, next)
      return
    case 'you':
    case 'past':
    case 'thought':
      settleAsk(clause, null)
      govern(clause, cue)
      if (cue === 'thought' && length > 1) clause.isThought = true
      clause.slot = false
      return
    case 'condition':
      govern(clause, 'condition')
      clause.isConditional = true
      clause.slot = false
      return
    case 'claim':
      clause.claim = true
      return
    case 'unasked':
      if (clause.mood === 'own' && !clause.negated) clause.claim = true
      else clause.negated = true
      return
    case 'proceeding':
      clause.isProceeding = true
      return
    case 'hearsay':
      clause.hearsay = true
      return
    case 'warning':
      if (isAtHand(clause.tokens, clause.clauseStart, at) && !clause.negated) clause.warning = true
      return
    case 'doubt':
      if (FEATURE.has(wordAt(clause, at)) && !isAtHand(clause.tokens, clause.clauseStart, at)) return
      clause.isDoubt = true
      govern(clause, 'thought')
      return
    case 'idle':
      clause.pendingAsk = null
      govern(clause, 'none')
      clause.slot = false
      clause.clauseStart = next
      return
    case 'light':
      if (clause.sentence.isQuestion && at === clause.clauseStart && clause.mood === 'imperative') {
        govern(clause, 'ask')
        clause.pendingAsk = 'ask'
      }
      if (clause.pendingAsk !== null && readObject(clause.tokens, next, clause.setting).head.has('talk'))
        harmless(clause)
      hearNoun(clause, next, clause.mood, next - 1)
      return
    case 'not':
      clause.negated = true
      return
  }
}

function governOwn(clause: Clause, isAsk: boolean, at: number): void {
  const isRefused = BEFORE_VERB.has(wordAt(clause, at - 1))
  govern(clause, isAsk ? 'ask' : 'own')
  clause.negated = isRefused
  if (isAsk) clause.pendingAsk = 'ask'
}

/** Confirm what? A fact is no ask. */
function hearConfirm(clause: Clause, from: number): void {
  const next = clause.tokens[from]
  const word = next?.word ?? ''
  const ahead = clause.tokens.slice(from, from + 10).map((token) => token.word)
  const isOpen = next === undefined || next.kind === 'stop' || OPEN_CONFIRM.has(word)
  const isWish = ahead.some((one) => WISHES.has(one)) || ahead.some((_, here) => isAction(clause, from + here))
  const isFact = FACTS.has(word) && !isWish
  if ((isOpen && !(word === 'if' && !isWish) && !(word === 'you' && !isWish)) || (isWish && !isFact)) {
    settleAsk(clause, null)
    say(clause, 'asked', hearNoun(clause, from, 'thought'))
    govern(clause, 'thought')
    clause.mood = 'ask'
    return
  }
  govern(clause, 'none')
  clause.slot = false
}

function isAction(clause: Clause, at: number): boolean {
  if (DETERMINERS.has(wordAt(clause, at - 1))) return false
  const does = lexicon().verbs.match(clause.tokens, at)?.value.does
  return does !== undefined && does !== 'make' && does !== 'run' && does !== 'modify' && does !== 'open'
}
