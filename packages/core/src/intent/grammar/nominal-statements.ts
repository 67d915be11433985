import { wordClass } from '../../knowledge/intent.ts'
import { rank } from '../model/intent.ts'
import { addStatement, type Clause, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { rateAction } from './rate-action.ts'
import { readNoun } from './run-statements.ts'
import { isDescribing } from './subject.ts'

/** `begins with a review`: how, and not when. */
const MANNER = /^(?:with|by|as)$/
const ALL = wordClass('all')
const UNSTOPPED = wordClass('unless_stopped')
const PERIODS = wordClass('weekly_periods')
const PAST = wordClass('past_auxiliaries')

/** `Removal of the old cluster is next`: the noun before a predicate of time is announced. */
export function readUpcoming(clause: Clause, at: number, next: number): void {
  const from = clause.clauseStart
  if (at === from || clause.negated || isExplained(clause, at) || MANNER.test(wordAt(clause, next))) return
  // `The drop in traffic …`
  if (wordAt(clause, from + 2) === 'in') return
  readNoun({ ...clause, tokens: clause.tokens.slice(0, at), mood: 'announce' }, from, 'announce')
}

/** `This goes to 9,000 readers unless stopped`: a message that leaves by itself. */
export function readDelivery(clause: Clause, at: number, next: number): void {
  const isPromised = clause.tokens[at]?.word === 'will'
  if (clause.negated || (isPromised ? !isCounted(clause, at) : isExplained(clause, at) || !isScheduled(clause))) return
  const reached = readObject(clause.tokens, next, clause.setting)
  const isSubject = isPromised || reached.head.size === 0
  const object = isSubject ? objectOf(clause.tokens.slice(clause.clauseStart, at), clause.setting) : reached
  const action = rateAction('send', object, clause.thresholds)
  if (rank(action.level) >= rank('medium')) addStatement(clause, 'announced', action)
}

/** `Step 4: deletion of the old namespaces`: the noun behind a label, or alone as a step of a plan. */
export function readLabelled(clause: Clause, from: number): boolean {
  const at = clause.tokens.slice(from, from + 3).findIndex((_, here) => wordAt(clause, from + here + 1) === 'of')
  return at >= 0 && readNoun(clause, from, 'announce') !== null
}

/** `Several thousand customers will receive …`. */
function isCounted(clause: Clause, at: number): boolean {
  return (
    !clause.isConditional &&
    clause.tokens.slice(clause.clauseStart, at).some(({ kind, word }) => kind === 'number' || ALL.has(word))
  )
}

function isExplained(clause: Clause, at: number): boolean {
  return (
    clause.isConditional ||
    clause.isHypothetical ||
    clause.isHabit ||
    clause.tokens.some(({ word }, here) => word === 'every' && PERIODS.has(wordAt(clause, here + 1))) ||
    clause.sentence.isQuestion ||
    clause.tokens.slice(clause.clauseStart, at).some(({ word }) => PAST.has(word)) ||
    isDescribing(clause.tokens, clause.clauseStart, at)
  )
}

/** A time is named, or that somebody may still stop it. */
function isScheduled(clause: Clause): boolean {
  return (
    clause.isNow ||
    clause.tokens.some(({ word }, at) => UNSTOPPED.has(word) || (word === 'in' && isNumber(clause, at + 1)))
  )
}

function isNumber(clause: Clause, at: number): boolean {
  return clause.tokens[at]?.kind === 'number'
}
