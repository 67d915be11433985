import { lexicon, type VerbEntry } from '../lexicon/lexicon.ts'
import { words } from '../text/words.ts'
import { type Clause, harmless, isAfterWh, type Mood, NEAR, say, speak, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { rateAction } from './rate-action.ts'
import { hearNoun, hearRun } from './run-statements.ts'
import { isDescribing, isOperation } from './subject.ts'

const INVERTED = words('ich wir')
const RELATIVE = words('that which who whose')
const WRITING = words('write create writing creating save saving')
const MODALS = words('should shall can may must could')
const FINITE =
  words(`is are was were will would can could may might must should requires require means takes has have helps makes
  causes does do needs lets allows deletes removes breaks leads works involves seems became becomes triggers`)

export function hearVerb(clause: Clause, { does, form }: VerbEntry, at: number, length: number): number {
  const before = wordAt(clause, at - 1)
  if (
    form === 'ing' &&
    (before === 'by' || before === 'after' || before === 'start' || before === 'begin') &&
    clause.mood === 'own' &&
    !clause.negated
  )
    clause.slot = true
  if (form === 'past' && (before === 'i' || before === 'we')) {
    clause.mood = 'past'
    clause.slot = false
    return length
  }
  if (form === 'third') return third(clause, does, at, length)
  // `… lösche ich`: the subject follows.
  if (form === 'self' && INVERTED.has(wordAt(clause, at + length)) && !clause.isConditional)
    return act(clause, does, at, length + 1, clause.sentence.isQuestion ? 'ask' : 'own')
  const isOwn = clause.mood === 'own' || (clause.mood === 'imperative' && clause.isNow)
  if (form === 'self' && clause.slot && (clause.mood === 'ask' || clause.mood === 'offer'))
    return act(clause, does, at, length, clause.mood)
  if (form === 'self' && ((clause.slot && isOwn) || /(?:ré|remos|rei|rai)$/.test(wordAt(clause, at))))
    return act(clause, does, at, length, 'own')
  if (form === 'past' && isPassiveAsk(clause, before)) return act(clause, does, at, length, 'ask', clause.clauseStart)
  if (form === 'past' || form === 'self' || !clause.slot) return 1
  if (clause.mood === 'imperative' || clause.mood === 'none') return unruled(clause, does, form, at, length)
  if (clause.mood === 'you' || clause.mood === 'past' || clause.mood === 'condition') {
    clause.slot = false
    return 1
  }
  return act(clause, does, at, length, clause.mood)
}

/** A verb nobody listed, announced: how much it touches, and where, still counts. */
export function hearUnknown(clause: Clause, at: number): void {
  clause.ruled = 'unknown'
  const isDoing = clause.mood === 'imperative' && /^[a-z-]{3,}ing$/.test(wordAt(clause, at))
  if (
    (clause.mood !== 'own' && !isDoing) ||
    clause.negated ||
    clause.isVerbFinal ||
    !/^[a-z-]{3,}$/.test(wordAt(clause, at))
  )
    return
  const object = readObject(clause.tokens, at + 1, clause.setting)
  if (object.around.has('request')) return // logs and metrics are looked at
  const action = rateAction('modify', object, clause.thresholds)
  if (action.level === 'high' || action.level === 'critical') speak(clause, 'own', action)
}

/** `Should the rows be deleted?`, `Do you want them removed?` */
function isPassiveAsk(clause: Clause, before: string): boolean {
  if (!clause.sentence.isQuestion || clause.negated) return false
  if (clause.mood === 'ask' && clause.ruled !== 'act' && before !== 'the' && before !== 'was') return true
  return before === 'be' && MODALS.has(wordAt(clause, 0))
}

/** `This deletes …`: a description that an ask may be about. */
function third(clause: Clause, does: VerbEntry['does'], at: number, length: number): number {
  if (does === 'make' || does === 'run' || does === 'proceed') return length
  const from = Math.max(clause.clauseStart, at - 16)
  const action = () => rateAction(does, readObject(clause.tokens, at + length, clause.setting), clause.thresholds)
  const isFuture = ROMANCE_FUTURE.test(wordAt(clause, at)) && !clause.isConditional && !clause.negated
  if (isFuture && !isDescribing(clause.tokens, from, at)) say(clause, 'announced', action())
  else if (isOperation(clause.tokens.slice(from, at))) say(clause, 'described', action())
  return length
}

/** `se eliminarán`, `supprimera`: what will be done, by nobody named. */
const ROMANCE_FUTURE = /(?:rá|rán|rão|ra|ront)$/

/** A verb nobody rules: `Delete …`, `Deleting …`, `I delete …`. */
function unruled(clause: Clause, does: VerbEntry['does'], form: VerbEntry['form'], at: number, length: number): number {
  const before = wordAt(clause, at - 1)
  const isAny = at > 0 && (does === 'destroy' || does === 'remove') && /^an?$/.test(wordAt(clause, at + length))
  if (form === 'ing' && (isAny || isGerundSubject(clause, at + length))) {
    clause.mood = 'thought'
    return act(clause, does, at, length, 'thought')
  }
  if (form === 'ing') return act(clause, does, at, length, clause.sentence.isQuestion && at <= 1 ? 'ask' : 'own')
  if (clause.sentence.isQuestion && clause.sayings.length === 0 && isFirst(clause, at))
    return act(clause, does, at, length, 'ask')
  if (before === 'i' || before === 'we') return act(clause, does, at, length, clause.isNow ? 'own' : 'thought')
  return act(clause, does, at, length, clause.isPlan ? 'own' : 'imperative')
}

/** `write to the production database`: straight into it. */
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
    if (token === undefined || token.kind === 'stop' || RELATIVE.has(token.word)) return false
    if (FINITE.has(token.word)) return true
    if (isAny && lexicon().verbs.match(clause.tokens, at)?.value.form === 'third') return true
  }
  return false
}

function act(clause: Clause, does: VerbEntry['does'], at: number, length: number, mood: Mood, from?: number): number {
  clause.slot = false
  if (clause.mood === 'imperative' || clause.mood === 'none') clause.mood = mood
  const asked =
    mood === 'ask' || mood === 'offer' || (mood === 'can' && (clause.isInvited || clause.sentence.isQuestion))
  if (asked && clause.pendingAsk === null && !isAfterWh(clause, at))
    clause.pendingAsk = mood === 'ask' ? 'ask' : 'offer'
  if (does === 'make') {
    clause.ruled = 'make'
    if (WRITING.has(wordAt(clause, at)) && writesInto(clause, at + length)) {
      speak(clause, mood, { action: 'modify', level: 'high', scope: { environment: 'production' } })
      return length
    }
    if (asked) harmless(clause)
    return length
  }
  if (does === 'proceed') {
    if (asked && readObject(clause.tokens, at + length, clause.setting).head.has('talk')) {
      harmless(clause)
      return length
    }
    const next = wordAt(clause, at + length)
    if (next === 'with' || next === 'to' || next === 'and' || next === 'by')
      clause.slot = next !== 'with' || hearNoun(clause, at + length + 1, mood) === null
    clause.ruled = 'run'
    if (mood === 'own' && !clause.negated && !/^(?:continu|resum|mov|carr|advanc)/.test(wordAt(clause, at)))
      clause.isProceeding = true
    return length + (next === 'with' || next === 'to' ? 1 : 0)
  }
  if (does === 'run') return hearRun(clause, at, length, mood)
  clause.ruled = 'act'
  const isLast = clause.isVerbFinal && (clause.tokens[at + length]?.kind ?? 'stop') === 'stop'
  const start = from ?? (isLast ? clause.clauseStart : undefined)
  const object =
    start === undefined
      ? readObject(clause.tokens, at + length, clause.setting)
      : objectOf(clause.tokens.slice(Math.max(start, at - 16), at), clause.setting)
  const isMoney =
    does === 'modify' &&
    (object.scope.amount !== undefined || object.within.has('money')) &&
    /^mov/.test(wordAt(clause, at))
  const action = rateAction(isMoney ? 'transfer' : does, object, clause.thresholds)
  if (action.action === 'none' || (does === 'reveal' && isAfterWh(clause, at))) {
    if (does === 'reveal' || does === 'export') clause.ruled = 'make'
    if (asked && (clause.ruled === 'make' || object.head.has('talk'))) harmless(clause)
    return length
  }
  speak(clause, mood, action)
  return length
}
