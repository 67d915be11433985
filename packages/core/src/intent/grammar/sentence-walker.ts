import { wordClass } from '../../knowledge/intent.ts'
import { lexicon, separableVerb, type VerbEntry } from '../lexicon/lexicon.ts'
import type { IntentThresholds } from '../model/intent.ts'
import type { Sentence } from '../text/sentence.ts'
import { tokenize } from '../text/tokenizer.ts'
import { commandAt } from './announced-command.ts'
import { addStatement, type Clause, isAgentActing, setMood, settleQuestion, startClause } from './clause.ts'
import { cueApplies, readCue } from './cue-phrases.ts'
import { readFuture } from './future-statements.ts'
import { readLabelled } from './nominal-statements.ts'
import { doubtedAct, isDoubting, questionedAct } from './pending-acts.ts'
import { asksForPermission } from './permission-request.ts'
import { LEADS, readCode, readNamedCommand, readNoun } from './run-statements.ts'
import { NO_INTENT, type SentenceIntent } from './sentence-intent.ts'
import { isOperation } from './subject.ts'
import { readUnknownVerb, readVerb } from './verb-statements.ts'

const JOINTS = wordClass('joints')
const INTERJECTIONS = wordClass('interjections')
const SUBORDINATE = wordClass('subordinators')

/** Reads a sentence once, from left to right: what it announces, asks and describes. */
export function walkSentence(sentence: Sentence, isPlan: boolean, thresholds: IntentThresholds): SentenceIntent {
  const clause = startClause(sentence, isPlan, thresholds)
  if (isNote(clause)) return NO_INTENT
  if (isPlan) readLabelled(clause, 0)
  // `Now: …`
  if (clause.isNow && clause.tokens[0]?.word === ':') setMood(clause, 'announce')
  for (let at = 0; at < clause.tokens.length; ) at += Math.max(1, step(clause, at))
  settleQuestion(clause, null)
  if (clause.statements.every(({ mode }) => mode !== 'asked') && asksForPermission(clause.tokens))
    addStatement(clause, 'asked', null)
  if (clause.statements.every(({ mode }) => mode === 'described')) addPending(clause)
  if (clause.isInvited) for (const action of clause.offered) addStatement(clause, 'asked', action)
  const { statements, claimsApproval, reportsApproval, isProceeding, isWarning, runsNextCode, runsShownCode } = clause
  const [isDoubt, isUnsure] = [isHarmDoubted(clause), isDoubting(clause)]
  return {
    statements,
    claimsApproval,
    reportsApproval,
    isProceeding,
    isWarning,
    isDoubt,
    isUnsure,
    runsNextCode,
    runsShownCode,
  }
}

/** What a sentence without a known phrase doubts or asks about. */
function addPending(clause: Clause): void {
  const doubted = clause.mood === 'past' ? null : doubtedAct(clause)
  const questioned = doubted === null && clause.pendingQuestion === null ? questionedAct(clause) : null
  if (doubted !== null) addStatement(clause, 'doubted', doubted)
  if (questioned !== null) addStatement(clause, 'asked', questioned)
}

const HARM = wordClass('harm')
const HARMFUL = wordClass('harmful_kinds')
const WORDING = wordClass('wording_verbs')

/** A doubt counts if the sentence also names harm, besides the words of the doubt itself. */
function isHarmDoubted({ doubt, tokens }: Clause): boolean {
  if (doubt === null) return false
  return tokens.some(({ word, excerpt }, at) => {
    if (at >= doubt.from && at < doubt.to) return false
    return (
      HARM.has(word) || doesHarm(tokens, at, doubt.to) || (excerpt?.kind === 'quote' && isInstruction(excerpt.text))
    )
  })
}

/** `… that this script only touches old files`: what an operation does, or any deletion. */
function doesHarm(tokens: Clause['tokens'], at: number, from: number): boolean {
  const kind = lexicon().verbs.match(tokens, at)?.value.kind ?? lexicon().nouns.match(tokens, at)?.value
  if (kind === undefined) return false
  const subject = tokens.slice(at < from ? Math.max(0, at - 4) : from - 1, at)
  return kind === 'destroy' || kind === 'drop' || (HARMFUL.has(kind) && isOperation(subject))
}

/** `"Clean up #general" could mean two things`: an instruction in quotation marks. */
function isInstruction(text: string): boolean {
  const tokens = tokenize(text.slice(0, 200).toLowerCase(), [])
  const verb = lexicon().verbs.match(tokens, 0)?.value
  return tokens.length > 1 && verb?.form === 'base' && verb.kind !== 'make' && verb.kind !== 'run'
}

const NOTES = wordClass('note_openers')

/** A note or a printed question, not an intention. */
function isNote({ tokens }: Clause): boolean {
  return NOTES.has(tokens[0]?.word ?? '') && (tokens[1]?.kind === 'stop' || tokens[0]?.word === 'todo')
}

/** Reads what is at a position; returns how many tokens it took. */
function step(clause: Clause, at: number): number {
  const token = clause.tokens[at]
  if (token === undefined) return 1
  const cue = lexicon().cues.match(clause.tokens, at)
  if (cue !== null && cueApplies(clause, cue.value, at)) {
    readCue(clause, cue.value, at, cue.length)
    return cue.length
  }
  if (token.word === 'between' || WORDING.has(token.word)) clause.isInside = true
  if (JOINTS.has(token.word)) return join(clause, token.word, at)
  if (SUBORDINATE.has(token.word)) return endClause(clause)
  if (token.word === 'to' || token.word === 'zu') return readTo(clause, at)
  if (readFuture(clause, at)) return 1
  const command = clause.negated || clause.mainVerb === 'make' ? null : commandAt(clause.tokens, at)
  if (command !== null && isAgentActing(clause)) return readNamedCommand(clause, command, at)
  const verb = lexicon().verbs.match(clause.tokens, at)
  const apart = clause.expectsVerb && (verb?.length ?? 1) === 1 ? separatedVerb(clause, at) : null
  if (apart !== null) return readVerb(clause, apart, at, 1)
  if (verb !== null) return readVerb(clause, verb.value, at, verb.length)
  if (token.kind === 'code' && clause.expectsVerb && isAgentActing(clause)) return readCode(clause, token)
  if (
    clause.expectsVerb &&
    LEADS.has(token.word) &&
    isAgentActing(clause) &&
    readNoun(clause, at + 1, clause.mood) !== null
  )
    return 1
  if (clause.expectsVerb && token.kind !== 'stop') {
    if (clause.mood === 'imperative' && (token.word === 'i' || token.word === 'we')) return 1
    if (INTERJECTIONS.has(token.word) && at <= clause.clauseStart + 1) return 1
    if (clause.mood !== 'none' && clause.mainVerb === null) readUnknownVerb(clause, at)
    clause.expectsVerb = clause.isVerbFinal && (clause.mood === 'announce' || clause.mood === 'ask')
  }
  return 1
}

/** How far a particle may be from its verb. */
const APART = 6

/** `take the site down`: the verb that a word forms with a later particle. */
function separatedVerb({ tokens }: Clause, at: number): VerbEntry | null {
  const verb = tokens[at]?.word ?? ''
  for (let here = at + 2; here < Math.min(tokens.length, at + APART + 1); here++) {
    const { word, kind } = tokens[here] ?? { word: '', kind: 'stop' }
    if (kind === 'stop' || word === 'and' || word === 'to') return null
    const found = separableVerb(verb, word)
    if (found !== null) return found
  }
  return null
}

function join(clause: Clause, word: string, at: number): number {
  if (clause.mood === 'condition' && (word === ',' || word === 'then')) setMood(clause, 'imperative')
  if (word !== 'and' && word !== 'or') {
    clause.negated = false
    clause.isInside = false
  }
  if (word === ';' || word === '(' || word === ':' || word === '—')
    clause.mood = clause.mood === 'announce' || clause.mood === 'ask' ? clause.mood : 'imperative'
  clause.expectsVerb = !clause.isInside
  clause.clauseStart = at + 1
  return 1
}

function endClause(clause: Clause): number {
  setMood(clause, 'none')
  clause.expectsVerb = false
  return 1
}

function readTo(clause: Clause, at: number): number {
  if (at === 0) {
    setMood(clause, 'someone_else')
    clause.expectsVerb = false
  } else if (clause.mainVerb === 'make') clause.isInside = true
  else if (isAgentActing(clause) || clause.mood === 'offer' || clause.mood === 'ability') clause.expectsVerb = true
  else if (clause.mood !== 'past') {
    clause.mood = 'hypothetical'
    clause.expectsVerb = true
  }
  return 1
}
