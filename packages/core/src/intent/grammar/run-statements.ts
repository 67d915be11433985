import type { VerbGroup } from '../../knowledge/intent.ts'
import { wordClass } from '../../knowledge/intent.ts'
import { lexicon } from '../lexicon/lexicon.ts'
import type { Token } from '../text/tokenizer.ts'
import { commandIn, type NamedCommand } from './announced-command.ts'
import { askHarmless, type Clause, type Mood, NEAR, stateAction, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { type RatedAction, rateAction } from './rate-action.ts'

export const LEADS = wordClass('noun_leads')
const POWERFUL = wordClass('powerful')
const SHOWN = wordClass('shown_code')
const RUNNABLE = wordClass('runnable')
const ABOUT = wordClass('about_actions')
const REHEARSED = wordClass('about_actions_before')

/** `run`, `execute`, `proceed with`: the object tells the action. */
export function readRunVerb(clause: Clause, at: number, length: number, mood: Mood): number {
  clause.mainVerb = 'run'
  const from = at + length
  const first = wordAt(clause, at)
  const particle = separated(clause, at, length)
  if (particle !== null) {
    stateAction(clause, mood, rateAction(particle, readObject(clause.tokens, from, clause.setting), clause.thresholds))
    return length
  }
  const rest = clause.tokens.slice(from, from + NEAR)
  // `… is what I'll run`: the code comes before the verb.
  const isBefore = mood === 'announce' && rest.every(({ kind, word }) => kind === 'stop' || word === 'next')
  const code = (isBefore ? clause.tokens.slice(Math.max(0, at - 2 * NEAR), at) : rest).find(
    ({ kind }) => kind === 'code',
  )
  if (code?.excerpt !== undefined) {
    const command = commandIn(code.excerpt.text)
    if (command !== null) {
      stateAction(clause, mood, { ...command, scope: {} })
      return length
    }
  }
  const isPowerful = clause.tokens.slice(from, from + NEAR).some(({ word }) => POWERFUL.has(word))
  if (!isPowerful && readNoun(clause, from, mood) !== null) return length
  if (isPowerful) {
    stateAction(clause, mood, { action: 'execute', level: 'high', scope: {} })
    return length
  }
  if (onProduction(clause, first, from, mood) || forMoney(clause, from, mood)) return length
  if (first === 'use' && (mood === 'ask' || mood === 'offer')) askHarmless(clause)
  const isEnd = clause.tokens
    .slice(from, from + NEAR)
    .some(({ word }) => word === ':' || word === 'following' || word === 'this')
  if (SHOWN.has(wordAt(clause, from)) && mood === 'announce' && !clause.negated) clause.runsShownCode = true
  if (isEnd && (mood === 'announce' || mood === 'ask') && !clause.negated) clause.runsNextCode = true
  return length
}

/** `take the site down`, `turn monitoring off`. */
function separated(clause: Clause, at: number, length: number): VerbGroup | null {
  if (!/^(?:tak|bring|turn|put|pull|shut|tear)/.test(wordAt(clause, at))) return null
  const rest = clause.tokens.slice(at + length, at + length + NEAR)
  const isDown = rest.some(({ word }) => word === 'down' || word === 'offline')
  if (isDown) return wordAt(clause, at).startsWith('tear') ? 'destroy' : 'stop'
  return rest.some(({ word }) => word === 'off') ? 'disable' : null
}

/** `execute 15 trades worth $200,000`. */
function forMoney(clause: Clause, from: number, mood: Mood): boolean {
  const object = readObject(clause.tokens, from, clause.setting)
  if (object.scope.amount === undefined) return false
  stateAction(clause, mood, rateAction('pay', object, clause.thresholds))
  return true
}

/** `apply the plan to production`, `run this script against prod`; not a test or a query. */
function onProduction(clause: Clause, first: string, from: number, mood: Mood): boolean {
  const object = readObject(clause.tokens, from, clause.setting)
  const isStrong = /^(?:appl|execut|perform|trigger|launch|flip)/.test(first)
  const isKnown = clause.tokens.slice(from, from + 5).some(({ word }) => RUNNABLE.has(word))
  if (object.scope.environment !== 'production' || !(isStrong || isKnown) || clause.negated) return false
  stateAction(clause, mood, { action: 'execute', level: 'high', scope: object.scope })
  return true
}

/** Reads a noun of action near a position. `lead` is the position of a word that must introduce it. */
export function readNoun(clause: Clause, from: number, mood: Mood, lead?: number): RatedAction | null {
  if (lead !== undefined && !LEADS.has(wordAt(clause, lead))) return null
  for (let at = from; at < Math.min(clause.tokens.length, from + NEAR); at++) {
    const { word, kind } = clause.tokens[at] ?? { word: '', kind: 'stop' }
    if (kind === 'stop' || word === 'to' || word === 'for' || word === 'and' || word === 'on') break
    const noun = lexicon().nouns.match(clause.tokens, at)
    if (noun === null) continue
    const end = at + noun.length
    const next = wordAt(clause, end)
    if (ABOUT.has(next)) return null
    const before = clause.tokens.slice(from, at)
    if (before.some((one) => REHEARSED.has(one.word))) return null
    const after = clause.tokens.slice(end, end + NEAR)
    const object = objectOf([...before, ...after.filter((one, here) => here > 0 || one.word !== 'of')], clause.setting)
    const action = rateAction(noun.value, object, clause.thresholds)
    if (action.action === 'none') return null
    stateAction(clause, mood, action)
    return action
  }
  return null
}

export function readNamedCommand(clause: Clause, command: NamedCommand, at: number): number {
  const isTemporary = clause.tokens
    .slice(at)
    .some(({ word }) => /^(?:node_modules|dist|build|\.next|\/tmp.*|tmp|coverage|target)$/.test(word))
  const level = isTemporary && command.action === 'delete' ? 'low' : command.level
  const object = objectOf(clause.tokens.slice(at + 2, at + 2 + NEAR), clause.setting)
  clause.expectsVerb = false
  stateAction(clause, clause.mood, { ...command, level, scope: object.scope })
  return 2
}

export function readCode(clause: Clause, token: Token): number {
  const command = token.excerpt === undefined ? null : commandIn(token.excerpt.text)
  clause.expectsVerb = false
  if (command !== null) stateAction(clause, clause.mood, { ...command, scope: {} })
  return 1
}
