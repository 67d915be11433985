import { wordClass } from '../../knowledge/intent.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import type { Token } from '../text/tokenizer.ts'
import { addStatement, type Clause, NEAR, setMood, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { rateAction } from './rate-action.ts'
import { isDescribing, isOperation } from './subject.ts'

/** Words of a subject that are read. */
const SUBJECT = 16
/** Words in which a trailing condition is searched for. */
const FAR = 40
const PASSIVE = wordClass('passive')
const PASSIVE_FOREIGN = wordClass('foreign_future_passive')

/** `… will be deleted`, `this will delete …`, `… is about to be dropped`. */
export function readFuture(clause: Clause, at: number): boolean {
  const [one, two, three] = [clause.tokens[at]?.word, clause.tokens[at + 1]?.word, clause.tokens[at + 2]?.word]
  const isFuture =
    one === 'will' ||
    isComing(clause, at) ||
    ((one === 'is' || one === 'are') &&
      (two === 'being' || two === 'getting' || ((two === 'going' || two === 'about') && three === 'to')))
  const isForeign = PASSIVE_FOREIGN.has(one ?? '')
  if (one === 'will' && continuesAnnouncement(clause, at)) {
    setMood(clause, 'announce')
    return true
  }
  if ((!isFuture && !isForeign) || clause.mood === 'someone_else' || clause.mood === 'ask') return false
  const subjectStart = Math.max(clause.clauseStart, at - SUBJECT)
  const isHidden =
    clause.isConditional ||
    clause.isHypothetical ||
    clause.isHabit ||
    clause.mood === 'condition' ||
    hasTrailingCondition(clause, at) ||
    isByOthers(clause, at)
  const isExplained = isDescribing(clause.tokens, subjectStart, at)
  const subject = clause.tokens.slice(subjectStart, at)
  const isNegated = clause.negated || subject.some(({ word }) => word === 'no' || word === 'nothing' || word === 'none')
  for (let here = at + 1; here < Math.min(clause.tokens.length, at + (isForeign ? 10 : 5)); here++) {
    const word = wordAt(clause, here)
    if (word === 'not' || word === 'never' || word === 'nicht' || clause.tokens[here]?.kind === 'stop') break
    const verb = lexicon().verbs.match(clause.tokens, here)
    if (verb === null || verb.value.kind === 'make' || verb.value.kind === 'run' || verb.value.kind === 'proceed')
      continue
    const isPassive =
      verb.value.form === 'past' && (isForeign || PASSIVE.has(wordAt(clause, here - 1)) || here === at + 1)
    const isActive = verb.value.form === 'base' && isOperation(subject)
    if (!isPassive && !isActive) continue
    const between = isForeign ? clause.tokens.slice(at + 1, here) : []
    const object = isPassive
      ? objectOf(
          [...subject, ...between, ...clause.tokens.slice(here + verb.length, here + verb.length + NEAR)],
          clause.setting,
        )
      : readObject(clause.tokens, here + verb.length, clause.setting)
    const isDestroyed = verb.value.kind === 'destroy' && isPassive && subject.every(isNamedInCode)
    if (!isHidden && !isNegated && (!isExplained || isDestroyed))
      addStatement(clause, 'announced', rateAction(verb.value.kind, object, clause.thresholds))
    break
  }
  setMood(clause, 'none')
  clause.expectsVerb = false
  return true
}

/** ```users` will be truncated``: a table, rather than a part of a program. */
function isNamedInCode({ kind, word, excerpt }: Token): boolean {
  if (kind !== 'code') return /^(?:the|and|,)$/.test(word)
  return /^[a-z][\w.-]*$/.test(excerpt?.text ?? '')
}

const COMING = wordClass('coming')

/** `The contacts are unsubscribed next`, `After that the buckets get deleted`. */
function isComing({ tokens, sentence }: Clause, at: number): boolean {
  if (
    !/^(?:is|are|gets?)$/.test(tokens[at]?.word ?? '') ||
    lexicon().verbs.match(tokens, at + 1)?.value.form !== 'past'
  )
    return false
  const isAfter = sentence.tokens[0]?.word === 'after' && sentence.tokens[1]?.word === 'that'
  return isAfter || sentence.tokens.some(({ word }) => COMING.has(word))
}

const AND = wordClass('continuations')

/** `I started it and will …`. */
function continuesAnnouncement(clause: Clause, at: number): boolean {
  const first = wordAt(clause, 0)
  return (first === 'i' || first === 'we') && AND.has(wordAt(clause, at - 1)) && !clause.isConditional
}

const OTHERS = wordClass('other_parties')

/** `… will be published by the marketing team`. */
function isByOthers(clause: Clause, from: number): boolean {
  const after = clause.tokens.slice(from, from + NEAR + 4)
  const by = after.findIndex(({ word }) => word === 'by')
  return by > 0 && after.slice(by + 1, by + 6).some(({ word }) => OTHERS.has(word))
}

const OFTEN = wordClass('periods')
const CONDITIONS = wordClass('conditions')

function hasTrailingCondition(clause: Clause, from: number): boolean {
  for (let at = from; at < Math.min(clause.tokens.length, from + FAR); at++) {
    const word = wordAt(clause, at)
    const next = wordAt(clause, at + 1)
    if (CONDITIONS.has(word) && clause.tokens[at + 1]?.kind !== 'stop') return next !== 'i' && next !== 'we'
    if (word === 'every' && OFTEN.has(next)) return true
  }
  return false
}
