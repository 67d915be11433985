import { wordClass } from '../../knowledge/intent.ts'
import type { IntentThresholds } from '../model/intent.ts'
import type { Sentence } from '../text/sentence.ts'
import type { Token } from '../text/tokenizer.ts'
import { type Setting, settingOf } from './object.ts'
import type { RatedAction } from './rate-action.ts'
import type { Statement, StatementMode } from './sentence-intent.ts'

/** How the verbs of a clause are meant. */
export type Mood =
  | 'none'
  | 'announce'
  | 'ask'
  | 'offer'
  | 'ability'
  | 'someone_else'
  | 'past'
  | 'hypothetical'
  | 'condition'
  | 'imperative'

/** The state of reading one sentence. */
export interface Clause {
  readonly sentence: Sentence
  /** Without fillers. */
  readonly tokens: readonly Token[]
  readonly isNow: boolean
  readonly isPlan: boolean
  readonly thresholds: IntentThresholds
  readonly setting: Setting
  /** It happens automatically: explained, not announced. */
  readonly isHabit: boolean
  readonly statements: Statement[]
  /** What the agent could do if the user likes. */
  readonly offered: RatedAction[]
  mood: Mood
  /** A verb may come next. */
  expectsVerb: boolean
  negated: boolean
  /** The kind of verb that governs the clause. */
  mainVerb: 'act' | 'run' | 'make' | 'unknown' | null
  /** Inside `write a script to …`. */
  isInside: boolean
  /** The verb may end the clause. */
  isVerbFinal: boolean
  clauseStart: number
  isConditional: boolean
  isHypothetical: boolean
  isInvited: boolean
  /** The words of the first doubt. */
  doubt: { readonly from: number; readonly to: number } | null
  claimsApproval: boolean
  reportsApproval: boolean
  isProceeding: boolean
  isWarning: boolean
  runsNextCode: boolean
  runsShownCode: boolean
  /** A question whose verb is still to come. */
  pendingQuestion: 'ask' | 'offer' | null
}

/** How far a noun of action may be from its verb. */
export const NEAR = 8

const NOW = wordClass('now')
const QUESTION_WORDS = wordClass('question_words')
const FILLERS = wordClass('fillers')

/** The start of a sentence: an instruction until a cue changes the mood. */
export function startClause(sentence: Sentence, isPlan: boolean, thresholds: IntentThresholds): Clause {
  return {
    sentence,
    tokens: sentence.tokens.filter(({ word, kind }) => kind !== 'word' || !FILLERS.has(word)),
    isNow: sentence.tokens.some(({ word }) => NOW.has(word)),
    isPlan,
    thresholds,
    setting: settingOf(sentence.tokens, thresholds),
    isHabit: sentence.tokens.some(({ word }) => word === 'automatically'),
    statements: [],
    offered: [],
    mood: 'imperative',
    expectsVerb: true,
    negated: false,
    mainVerb: null,
    isInside: false,
    isVerbFinal: false,
    clauseStart: 0,
    isConditional: false,
    isHypothetical: false,
    isInvited: false,
    doubt: null,
    claimsApproval: false,
    reportsApproval: false,
    isProceeding: false,
    isWarning: false,
    runsNextCode: false,
    runsShownCode: false,
    pendingQuestion: null,
  }
}

/** The word at a position; empty past the end. */
export function wordAt(clause: Clause, at: number): string {
  return clause.tokens[at]?.word ?? ''
}

export function setMood(clause: Clause, mood: Mood): void {
  clause.mood = mood
  clause.expectsVerb = true
  clause.negated = false
  clause.isInside = false
  clause.mainVerb = null
}

export function isAgentActing(clause: Clause): boolean {
  return (
    clause.mood === 'announce' ||
    clause.mood === 'ask' ||
    (clause.mood === 'imperative' && (clause.isPlan || clause.sentence.isQuestion))
  )
}

export function followsQuestionWord(clause: Clause, at: number): boolean {
  for (let here = at - 1; here >= Math.max(clause.clauseStart, at - 6); here--)
    if (QUESTION_WORDS.has(wordAt(clause, here))) return true
  return false
}

export function stateAction(clause: Clause, mood: Mood, action: RatedAction): void {
  if (clause.negated || clause.isInside) return
  const asked =
    mood === 'ask' || mood === 'offer' || (mood === 'ability' && (clause.isInvited || clause.sentence.isQuestion))
  if (asked) settleQuestion(clause, action)
  else if (mood === 'announce' && !clause.isHypothetical) addStatement(clause, 'announced', action)
  else if (clause.doubt !== null) addStatement(clause, 'doubted', action)
  else addStatement(clause, 'described', action)
  if (mood === 'ability') clause.offered.push(action)
}

export function askHarmless(clause: Clause): void {
  if (clause.pendingQuestion === null) return
  clause.pendingQuestion = null
  clause.statements.push({ mode: 'asked', action: null, isHarmless: true })
}

/** Records a pending question with its action; without one it asks about everything before it. */
export function settleQuestion(clause: Clause, action: RatedAction | null): void {
  if (action !== null) addStatement(clause, 'asked', action)
  else if (clause.pendingQuestion !== null) addStatement(clause, 'asked', null)
  clause.pendingQuestion = null
}

export function addStatement(clause: Clause, mode: StatementMode, action: RatedAction | null): void {
  clause.statements.push({ mode, action, isHarmless: false })
}
