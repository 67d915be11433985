import { lexicon, type VerbEntry } from '../lexicon/lexicon.ts'
import type { IntentThresholds } from '../model/intent.ts'
import type { Sentence } from '../text/sentence.ts'
import { words } from '../text/words.ts'
import { commandAt } from './announced-command.ts'
import { type Clause, govern, isOwnVoice, openClause, say, settleAsk } from './clause.ts'
import { hearCue, takesCue } from './cue-phrases.ts'
import { hearFuture } from './future-statements.ts'
import { asksForLeave } from './permission-request.ts'
import { hearCode, hearNamed, hearNoun, LEADS } from './run-statements.ts'
import { type Heard, SILENCE } from './sentence-intent.ts'
import { hearUnknown, hearVerb } from './verb-statements.ts'

const JOINTS = words('and or but & , ; : ( ) — then plus y e et und ou oder aber puis luego dann depois')
/** What may stand before a sentence without being a part of it. */
const INTERJECTIONS = words(
  'ok okay alright great sure so well right cool perfect fine good yes yep yeah hey hi no lol done understood got it heads-up sorry thanks first next second third finally lastly last right-now ahora mismo luego entonces después maintenant ensuite donc bien jetzt nun dann agora depois então ora',
)
const SUBORDINATE = words('because since although whereas porque parce weil')

/** Walks one sentence from left to right, once, and tells what it announces, asks and describes. */
export function walkSentence(sentence: Sentence, isPlan: boolean, thresholds: IntentThresholds): Heard {
  const clause = openClause(sentence, isPlan, thresholds)
  if (isNote(clause)) return SILENCE
  for (let at = 0; at < clause.tokens.length; ) at += Math.max(1, step(clause, at))
  settleAsk(clause, null)
  if (clause.sayings.every(({ voice }) => voice !== 'asked') && asksForLeave(clause.tokens)) say(clause, 'asked', null)
  if (clause.isInvited) for (const action of clause.offered) say(clause, 'asked', action)
  const { sayings, claim, hearsay, isProceeding, warning, isDoubt, runsNext, runsShown } = clause
  return { sayings, claim, hearsay, isProceeding, warning, doubt: isDoubt, runsNext, runsShown }
}

const NOTES = words('todo fixme faq q a xxx nit')

/** A note or a printed question: written down for somebody, some day. */
function isNote({ tokens }: Clause): boolean {
  return NOTES.has(tokens[0]?.word ?? '') && (tokens[1]?.kind === 'stop' || tokens[0]?.word === 'todo')
}

/** Takes what stands at a place; gives how many tokens it was. */
function step(clause: Clause, at: number): number {
  const token = clause.tokens[at]
  if (token === undefined) return 1
  const cue = lexicon().cues.match(clause.tokens, at)
  if (cue !== null && takesCue(clause, cue.value, at)) {
    hearCue(clause, cue.value, at, cue.length)
    return cue.length
  }
  if (token.word === 'between') clause.isInside = true
  if (JOINTS.has(token.word)) return join(clause, token.word, at)
  if (SUBORDINATE.has(token.word)) return leave(clause)
  if (token.word === 'to' || token.word === 'zu') return hearTo(clause, at)
  if (hearFuture(clause, at)) return 1
  const command = clause.negated || clause.ruled === 'make' ? null : commandAt(clause.tokens, at)
  if (command !== null && isOwnVoice(clause)) return hearNamed(clause, command, at)
  const verb = lexicon().verbs.match(clause.tokens, at)
  const apart = clause.slot && (verb?.length ?? 1) === 1 ? takenApart(clause, at) : null
  if (apart !== null) return hearVerb(clause, apart, at, 1)
  if (verb !== null) return hearVerb(clause, verb.value, at, verb.length)
  if (token.kind === 'code' && clause.slot && isOwnVoice(clause)) return hearCode(clause, token)
  if (clause.slot && LEADS.has(token.word) && isOwnVoice(clause) && hearNoun(clause, at + 1, clause.mood) !== null)
    return 1
  if (clause.slot && token.kind !== 'stop') {
    if (clause.mood === 'imperative' && (token.word === 'i' || token.word === 'we')) return 1
    if (INTERJECTIONS.has(token.word) && at <= clause.clauseStart + 1) return 1
    if (clause.mood !== 'none' && clause.ruled === null) hearUnknown(clause, at)
    clause.slot = clause.isVerbFinal && (clause.mood === 'own' || clause.mood === 'ask')
  }
  return 1
}

/** How far a particle may stand from its verb. */
const APART = 6

/** `take the site down`: the verb that the word at a place is together with a later one. */
function takenApart({ tokens }: Clause, at: number): VerbEntry | null {
  const particles = lexicon().apart.get(tokens[at]?.word ?? '')
  if (particles === undefined) return null
  for (let here = at + 2; here < Math.min(tokens.length, at + APART + 1); here++) {
    const { word, kind } = tokens[here] ?? { word: '', kind: 'stop' }
    if (kind === 'stop' || word === 'and' || word === 'to') return null
    const found = particles.get(word)
    if (found !== undefined) return found
  }
  return null
}

function join(clause: Clause, word: string, at: number): number {
  if (clause.mood === 'condition' && (word === ',' || word === 'then')) govern(clause, 'imperative')
  if (word !== 'and' && word !== 'or') {
    clause.negated = false
    clause.isInside = false
  }
  if (word === ';' || word === '(' || word === ':' || word === '—')
    clause.mood = clause.mood === 'own' || clause.mood === 'ask' ? clause.mood : 'imperative'
  clause.slot = !clause.isInside
  clause.clauseStart = at + 1
  return 1
}

function leave(clause: Clause): number {
  govern(clause, 'none')
  clause.slot = false
  return 1
}

function hearTo(clause: Clause, at: number): number {
  if (at === 0) {
    govern(clause, 'you')
    clause.slot = false
  } else if (clause.ruled === 'make') clause.isInside = true
  else if (isOwnVoice(clause) || clause.mood === 'offer' || clause.mood === 'can') clause.slot = true
  else if (clause.mood !== 'past') {
    clause.mood = 'thought'
    clause.slot = true
  }
  return 1
}
