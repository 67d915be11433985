import { type VerbKind, wordClass } from '../../knowledge/intent.ts'
import { lexicon, type VerbEntry } from '../lexicon/lexicon.ts'
import { atMost } from '../model/intent.ts'
import {
  addStatement,
  askHarmless,
  type Clause,
  followsQuestionWord,
  type Mood,
  NEAR,
  stateAction,
  wordAt,
} from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { rateAction } from './rate-action.ts'
import { readNoun, readRunVerb } from './run-statements.ts'
import { isDescribing, isOperation } from './subject.ts'

const GERMAN_SUBJECTS = wordClass('german_subjects')
const ACTING = wordClass('acting_settings')
const RELATIVE = wordClass('relative_pronouns')
const UNSAVED = wordClass('unsaved_work')
const MADE = wordClass('made_by_agent')
const WRITING = wordClass('writing')
const MODALS = wordClass('question_modals')
const DETERMINERS = wordClass('determiners')
const FINITE = wordClass('finite_verbs')
const EXPLAINING = wordClass('explaining')

export function readVerb(clause: Clause, { kind, form }: VerbEntry, at: number, length: number): number {
  const before = wordAt(clause, at - 1)
  if (
    form === 'ing' &&
    (before === 'by' || before === 'after' || before === 'start' || before === 'begin') &&
    clause.mood === 'announce' &&
    !clause.negated
  )
    clause.expectsVerb = true
  if (form === 'past' && (before === 'i' || before === 'we')) {
    clause.mood = 'past'
    clause.expectsVerb = false
    return length
  }
  if (form === 'third') return third(clause, kind, at, length)
  // `… lösche ich`: the subject follows.
  if (form === 'self' && GERMAN_SUBJECTS.has(wordAt(clause, at + length)) && !clause.isConditional)
    return act(clause, kind, at, length + 1, clause.sentence.isQuestion ? 'ask' : 'announce')
  const isOwn = clause.mood === 'announce' || (clause.mood === 'imperative' && clause.isNow)
  if (form === 'self' && clause.expectsVerb && (clause.mood === 'ask' || clause.mood === 'offer'))
    return act(clause, kind, at, length, clause.mood)
  if (
    form === 'self' &&
    ((clause.expectsVerb && isOwn) || /(?:ré|remos|rei|rai|erò|irò|eremo)$/.test(wordAt(clause, at)))
  )
    return act(clause, kind, at, length, 'announce')
  if (form === 'past' && isPassiveAsk(clause, before)) return act(clause, kind, at, length, 'ask', clause.clauseStart)
  if (form === 'past' || form === 'self' || !clause.expectsVerb) return 1
  if (clause.mood === 'imperative' || clause.mood === 'none') return ungoverned(clause, kind, form, at, length)
  if (clause.mood === 'someone_else' || clause.mood === 'past' || clause.mood === 'condition') {
    clause.expectsVerb = false
    return 1
  }
  return act(clause, kind, at, length, clause.mood)
}

/** An announced verb that is not in the lexicon: its scope and environment still count. */
export function readUnknownVerb(clause: Clause, at: number): void {
  clause.mainVerb = 'unknown'
  const isDoing = clause.mood === 'imperative' && /^[a-z-]{3,}ing$/.test(wordAt(clause, at))
  if (
    (clause.mood !== 'announce' && !isDoing) ||
    clause.negated ||
    clause.isVerbFinal ||
    !/^[a-z-]{3,}$/.test(wordAt(clause, at))
  )
    return
  const object = readObject(clause.tokens, at + 1, clause.setting)
  if (object.around.has('request')) return // logs and metrics are only read
  const action = rateAction('modify', object, clause.thresholds)
  if (action.level === 'high' || action.level === 'critical') stateAction(clause, 'announce', action)
}

/** `Should the rows be deleted?`, `Do you want them removed?` */
function isPassiveAsk(clause: Clause, before: string): boolean {
  if (!clause.sentence.isQuestion || clause.negated) return false
  if (clause.mood === 'ask' && clause.mainVerb !== 'act' && before !== 'the' && before !== 'was') return true
  return before === 'be' && MODALS.has(wordAt(clause, 0))
}

/** `This deletes …`: a description that a question may be about. */
function third(clause: Clause, kind: VerbKind, at: number, length: number): number {
  if (kind === 'make' || kind === 'run' || kind === 'proceed') return length
  const from = Math.max(clause.clauseStart, at - 16)
  const action = () => rateAction(kind, readObject(clause.tokens, at + length, clause.setting), clause.thresholds)
  if (isConsequence(clause, at)) {
    stateAction(clause, 'announce', action())
    return length
  }
  const isFuture = ROMANCE_FUTURE.test(wordAt(clause, at)) && !clause.isConditional && !clause.negated
  if (isFuture && !isDescribing(clause.tokens, from, at)) addStatement(clause, 'announced', action())
  else if (isOperation(clause.tokens.slice(from, at)))
    addStatement(
      clause,
      clause.tokens.slice(from, at).some(({ word }) => word === 'next') ? 'announced' : 'described',
      action(),
    )
  return length
}

/** `I'll apply the plan, which destroys …`, `I'll add a lifecycle rule that expires …`: what the announced act leads to. */
function isConsequence(clause: Clause, at: number): boolean {
  if (clause.mood !== 'announce' || clause.negated || clause.mainVerb === 'make' || clause.mainVerb === null)
    return false
  if (!RELATIVE.has(wordAt(clause, at - 1))) return false
  if (wordAt(clause, at - 1) === 'which' && wordAt(clause, at - 2) === ',') return true
  return clause.tokens.slice(Math.max(0, at - NEAR), at).some(({ word }) => ACTING.has(word))
}

/** `se eliminarán`, `supprimera`: a future without a named subject. */
const ROMANCE_FUTURE = /(?:rá|rán|rão|ra|ront|rà|ranno)$/

/** A verb that no cue governs: `Delete …`, `Deleting …`, `I delete …`. */
function ungoverned(clause: Clause, kind: VerbKind, form: VerbEntry['form'], at: number, length: number): number {
  const before = wordAt(clause, at - 1)
  const isAny = at > 0 && (kind === 'destroy' || kind === 'remove') && /^an?$/.test(wordAt(clause, at + length))
  if (form === 'ing' && (isAny || isGerundSubject(clause, at + length))) {
    clause.mood = 'hypothetical'
    return act(clause, kind, at, length, 'hypothetical')
  }
  if (form === 'ing') return act(clause, kind, at, length, clause.sentence.isQuestion && at <= 1 ? 'ask' : 'announce')
  if (clause.sentence.isQuestion && clause.statements.length === 0 && isFirst(clause, at))
    return act(clause, kind, at, length, 'ask')
  if (before === 'i' || before === 'we')
    return act(clause, kind, at, length, clause.isNow ? 'announce' : 'hypothetical')
  return act(clause, kind, at, length, clause.isPlan ? 'announce' : 'imperative')
}

/** `write to the production database`. */
function writesInto(clause: Clause, from: number): boolean {
  const at = clause.tokens
    .slice(from, from + NEAR)
    .findIndex(({ word }) => word === 'to' || word === 'into' || word === 'in' || word === 'on')
  if (at < 0) return false
  const { productionWords } = clause.thresholds
  return clause.tokens.slice(from + at + 1, from + at + 3).some(({ word }) => productionWords.has(word))
}

function isFirst(clause: Clause, at: number): boolean {
  return (
    at === 0 ||
    (at < 6 &&
      clause.tokens
        .slice(0, at)
        .every(
          ({ word, kind }) => kind === 'stop' || word === 'so' || word === 'and' || word === 'ok' || word === 'okay',
        ))
  )
}

function isGerundSubject(clause: Clause, from: number): boolean {
  const isAny = /^an?$/.test(wordAt(clause, from))
  for (let at = from; at < Math.min(clause.tokens.length, from + 24); at++) {
    const token = clause.tokens[at]
    if (token === undefined || token.kind === 'stop') return false
    if (RELATIVE.has(token.word) || (at > from && EXPLAINING.has(token.word))) return false
    const isNoun = clause.tokens[at - 1]?.kind === 'number' || DETERMINERS.has(wordAt(clause, at - 1))
    if (FINITE.has(token.word) && !isNoun) return true
    if (isAny && lexicon().verbs.match(clause.tokens, at)?.value.form === 'third') return true
  }
  return false
}

/** `revert my last edit`, `restore the file I changed`. */
function isOwnWork(clause: Clause, from: number): boolean {
  return clause.tokens.slice(from, from + NEAR).some(({ word }, at, rest) => {
    if (word === 'i')
      return lexicon().verbs.match(rest, at + 1)?.value.form === 'past' || MADE.has(rest[at + 1]?.word ?? '')
    return word === 'my' && rest.slice(at + 1, at + 4).some((one) => UNSAVED.has(one.word))
  })
}

function act(clause: Clause, kind: VerbKind, at: number, length: number, mood: Mood, from?: number): number {
  clause.expectsVerb = false
  if (clause.mood === 'imperative' || clause.mood === 'none') clause.mood = mood
  const asked =
    mood === 'ask' || mood === 'offer' || (mood === 'ability' && (clause.isInvited || clause.sentence.isQuestion))
  if (asked && clause.pendingQuestion === null && !followsQuestionWord(clause, at))
    clause.pendingQuestion = mood === 'ask' ? 'ask' : 'offer'
  if (kind === 'make') {
    clause.mainVerb = 'make'
    if (WRITING.has(wordAt(clause, at)) && writesInto(clause, at + length)) {
      stateAction(clause, mood, { action: 'modify', level: 'high', scope: { environment: 'production' } })
      return length
    }
    if (asked) askHarmless(clause)
    return length
  }
  if (kind === 'proceed') {
    if (asked && readObject(clause.tokens, at + length, clause.setting).head.has('talk')) {
      askHarmless(clause)
      return length
    }
    const next = wordAt(clause, at + length)
    if (next === 'with' || next === 'to' || next === 'and' || next === 'by')
      clause.expectsVerb = next !== 'with' || readNoun(clause, at + length + 1, mood) === null
    clause.mainVerb = 'run'
    if (mood === 'announce' && !clause.negated && !/^(?:continu|resum|mov|carr|advanc)/.test(wordAt(clause, at)))
      clause.isProceeding = true
    return length + (next === 'with' || next === 'to' ? 1 : 0)
  }
  if (kind === 'run') return readRunVerb(clause, at, length, mood)
  clause.mainVerb = 'act'
  const isLast = clause.isVerbFinal && (clause.tokens[at + length]?.kind ?? 'stop') === 'stop'
  const start = from ?? (isLast ? clause.clauseStart : undefined)
  const object =
    start === undefined
      ? readObject(clause.tokens, at + length, clause.setting)
      : objectOf(clause.tokens.slice(Math.max(start, at - 16), at), clause.setting)
  const isMoney =
    kind === 'modify' &&
    (object.scope.amount !== undefined || object.within.has('money')) &&
    /^mov/.test(wordAt(clause, at))
  const rated = rateAction(isMoney ? 'transfer' : kind, object, clause.thresholds)
  const action =
    kind === 'rollback' && isOwnWork(clause, at + length) ? { ...rated, level: atMost(rated.level, 'low') } : rated
  if (action.action === 'none' || (kind === 'reveal' && followsQuestionWord(clause, at))) {
    if (kind === 'reveal' || kind === 'export') clause.mainVerb = 'make'
    if (asked && (clause.mainVerb === 'make' || object.head.has('talk'))) askHarmless(clause)
    return length
  }
  // `Would you like me to add a test?`
  if (kind === 'open' && asked && (object.head.has('code') || object.head.has('scratch'))) {
    askHarmless(clause)
    return length
  }
  stateAction(clause, mood, action)
  return length
}
