import { lexicon } from '../lexicon/lexicon.ts'
import type { IntentThresholds } from '../model/intent.ts'
import type { Sentence } from '../text/sentence.ts'
import type { Token } from '../text/tokenizer.ts'
import { words } from '../text/words.ts'
import { type Setting, settingOf } from './object.ts'
import type { RatedAction } from './rate-action.ts'
import type { Saying, Voice } from './sentence-intent.ts'

/** In what mood the verbs of a clause stand. */
export type Mood = 'none' | 'own' | 'ask' | 'offer' | 'can' | 'you' | 'past' | 'thought' | 'condition' | 'imperative'

/** Where a walk over a sentence stands. Lives for one walk; nothing else holds it. */
export interface Clause {
  readonly sentence: Sentence
  /** Without the words that change nothing. */
  readonly tokens: readonly Token[]
  readonly isNow: boolean
  readonly isPlan: boolean
  readonly thresholds: IntentThresholds
  readonly setting: Setting
  /** It happens by itself, again and again: explained, not announced. */
  readonly isHabit: boolean
  readonly sayings: Saying[]
  /** What the speaker could do, should the listener like it. */
  readonly offered: RatedAction[]
  mood: Mood
  /** A verb may stand here. */
  slot: boolean
  negated: boolean
  /** What kind of verb rules the clause. */
  ruled: 'act' | 'run' | 'make' | 'unknown' | null
  /** Inside `write a script to …`. */
  isInside: boolean
  /** The verb may end the clause. */
  isVerbFinal: boolean
  clauseStart: number
  isConditional: boolean
  isThought: boolean
  isInvited: boolean
  isDoubt: boolean
  claim: boolean
  hearsay: boolean
  isProceeding: boolean
  warning: boolean
  runsNext: boolean
  runsShown: boolean
  /** An ask whose verb is still to come. */
  pendingAsk: 'ask' | 'offer' | null
}

/** How far a noun of action may stand from its verb. */
export const NEAR = 8

const NOW = words('now next then today tonight immediately minutes shortly jetzt ahora maintenant agora')

const WH = words(
  'what which where how when why who whom whose qué cuál cómo quel quelle comment was welche welcher wie qual',
)

/** A walk that has not begun. A sentence starts as if somebody were told to do something. */
export function openClause(sentence: Sentence, isPlan: boolean, thresholds: IntentThresholds): Clause {
  const { fillers } = lexicon()
  return {
    sentence,
    tokens: sentence.tokens.filter(({ word, kind }) => kind !== 'word' || !fillers.has(word)),
    isNow: sentence.tokens.some(({ word }) => NOW.has(word)),
    isPlan,
    thresholds,
    setting: settingOf(sentence.tokens, thresholds),
    isHabit: sentence.tokens.some(({ word }) => word === 'automatically'),
    sayings: [],
    offered: [],
    mood: 'imperative',
    slot: true,
    negated: false,
    ruled: null,
    isInside: false,
    isVerbFinal: false,
    clauseStart: 0,
    isConditional: false,
    isThought: false,
    isInvited: false,
    isDoubt: false,
    claim: false,
    hearsay: false,
    isProceeding: false,
    warning: false,
    runsNext: false,
    runsShown: false,
    pendingAsk: null,
  }
}

/** The word at a place; empty past the end. */
export function wordAt(clause: Clause, at: number): string {
  return clause.tokens[at]?.word ?? ''
}

export function govern(clause: Clause, mood: Mood): void {
  clause.mood = mood
  clause.slot = true
  clause.negated = false
  clause.isInside = false
  clause.ruled = null
}

export function isOwnVoice(clause: Clause): boolean {
  return (
    clause.mood === 'own' ||
    clause.mood === 'ask' ||
    (clause.mood === 'imperative' && (clause.isPlan || clause.sentence.isQuestion))
  )
}

export function isAfterWh(clause: Clause, at: number): boolean {
  for (let here = at - 1; here >= Math.max(clause.clauseStart, at - 6); here--)
    if (WH.has(wordAt(clause, here))) return true
  return false
}

export function speak(clause: Clause, mood: Mood, action: RatedAction): void {
  if (clause.negated || clause.isInside) return
  const asked =
    mood === 'ask' || mood === 'offer' || (mood === 'can' && (clause.isInvited || clause.sentence.isQuestion))
  if (asked) settleAsk(clause, action)
  else if (mood === 'own' && !clause.isThought) say(clause, 'announced', action)
  else if (clause.isDoubt) say(clause, 'doubted', action)
  else say(clause, 'described', action)
  if (mood === 'can') clause.offered.push(action)
}

export function harmless(clause: Clause): void {
  if (clause.pendingAsk === null) return
  clause.pendingAsk = null
  clause.sayings.push({ voice: 'asked', action: null, isHarmless: true })
}

/** An ask is said once its verb is known; without one it asks for everything before it. */
export function settleAsk(clause: Clause, action: RatedAction | null): void {
  if (action !== null) say(clause, 'asked', action)
  else if (clause.pendingAsk !== null) say(clause, 'asked', null)
  clause.pendingAsk = null
}

export function say(clause: Clause, voice: Voice, action: RatedAction | null): void {
  clause.sayings.push({ voice, action, isHarmless: false })
}
