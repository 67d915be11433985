import { lexicon } from '../lexicon/lexicon.ts'
import type { ProfileName } from '../severity/profiles.ts'
import type { Token } from '../text/tokenizer.ts'
import { words } from '../text/words.ts'
import { commandIn, type NamedCommand } from './announced-command.ts'
import { type Clause, harmless, type Mood, NEAR, speak, wordAt } from './clause.ts'
import { objectOf, readObject } from './object.ts'
import { type RatedAction, rateAction } from './rate-action.ts'

/** Words before a noun of action. */
export const LEADS = words('with off for by con com avec mit of on à a al au')
/** Who runs it with every right, or runs whatever comes in. */
const POWERFUL = words('root sudo superuser administrator bash sh')
/** What stands for code that was shown. */
const SHOWN = words('it this that them these those the both')
const RUNNABLE = words(
  'script scripts job command this it sql patch plan update changes change statement statements that fix playbook',
)
/** After a noun of action these say that it is only looked at or written. */
const ABOUT = words('test tests guide docs check checks plan preview file files')

/** `run`, `execute`, `proceed with`: the object says what is done. */
export function hearRun(clause: Clause, at: number, length: number, mood: Mood): number {
  clause.ruled = 'run'
  const from = at + length
  const first = wordAt(clause, at)
  const particle = separated(clause, at, length)
  if (particle !== null) {
    speak(clause, mood, rateAction(particle, readObject(clause.tokens, from, clause.setting), clause.thresholds))
    return length
  }
  const rest = clause.tokens.slice(from, from + NEAR)
  // `… is what I'll run`: what was shown stands before.
  const isBehind = mood === 'own' && rest.every(({ kind, word }) => kind === 'stop' || word === 'next')
  const code = (isBehind ? clause.tokens.slice(Math.max(0, at - 2 * NEAR), at) : rest).find(
    ({ kind }) => kind === 'code',
  )
  if (code?.cut !== undefined) {
    const command = commandIn(code.cut.text)
    if (command !== null) {
      speak(clause, mood, { ...command, scope: {} })
      return length
    }
  }
  const isPowerful = clause.tokens.slice(from, from + NEAR).some(({ word }) => POWERFUL.has(word))
  if (!isPowerful && hearNoun(clause, from, mood) !== null) return length
  if (isPowerful) {
    speak(clause, mood, { action: 'execute', level: 'high', scope: {} })
    return length
  }
  if (onProduction(clause, first, from, mood) || forMoney(clause, from, mood)) return length
  if (first === 'use' && (mood === 'ask' || mood === 'offer')) harmless(clause)
  const isEnd = clause.tokens
    .slice(from, from + NEAR)
    .some(({ word }) => word === ':' || word === 'following' || word === 'this')
  if (SHOWN.has(wordAt(clause, from)) && mood === 'own' && !clause.negated) clause.runsShown = true
  if (isEnd && (mood === 'own' || mood === 'ask') && !clause.negated) clause.runsNext = true
  return length
}

/** `take the site down`, `turn monitoring off`. */
function separated(clause: Clause, at: number, length: number): ProfileName | null {
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
  speak(clause, mood, rateAction('pay', object, clause.thresholds))
  return true
}

/** `apply the plan to production`, `run this script against prod`; running a test there or a query is none. */
function onProduction(clause: Clause, first: string, from: number, mood: Mood): boolean {
  const object = readObject(clause.tokens, from, clause.setting)
  const isStrong = /^(?:appl|execut|perform|trigger|launch|flip)/.test(first)
  const isKnown = clause.tokens.slice(from, from + 5).some(({ word }) => RUNNABLE.has(word))
  if (object.scope.environment !== 'production' || !(isStrong || isKnown) || clause.negated) return false
  speak(clause, mood, { action: 'execute', level: 'high', scope: object.scope })
  return true
}

/** A noun of action near a place, said in a mood; after a word that leads to it, where one is given. */
export function hearNoun(clause: Clause, from: number, mood: Mood, lead?: number): RatedAction | null {
  if (lead !== undefined && !LEADS.has(wordAt(clause, lead))) return null
  for (let at = from; at < Math.min(clause.tokens.length, from + NEAR); at++) {
    const { word, kind } = clause.tokens[at] ?? { word: '', kind: 'stop' }
    if (kind === 'stop' || word === 'to' || word === 'for' || word === 'and' || word === 'on') break
    const noun = lexicon().nouns.match(clause.tokens, at)
    if (noun === null) continue
    const does = noun.value
    const end = at + noun.length
    const next = wordAt(clause, end)
    if (ABOUT.has(next)) return null
    const before = clause.tokens.slice(from, at)
    const after = clause.tokens.slice(end, end + NEAR)
    const object = objectOf([...before, ...after.filter((one, here) => here > 0 || one.word !== 'of')], clause.setting)
    const action = rateAction(does, object, clause.thresholds)
    if (action.action === 'none') return null
    speak(clause, mood, action)
    return action
  }
  return null
}

export function hearNamed(clause: Clause, command: NamedCommand, at: number): number {
  const isTemporary = clause.tokens
    .slice(at)
    .some(({ word }) => /^(?:node_modules|dist|build|\.next|\/tmp.*|tmp|coverage|target)$/.test(word))
  const level = isTemporary && command.action === 'delete' ? 'low' : command.level
  const object = objectOf(clause.tokens.slice(at + 2, at + 2 + NEAR), clause.setting)
  clause.slot = false
  speak(clause, clause.mood, { ...command, level, scope: object.scope })
  return 2
}

export function hearCode(clause: Clause, token: Token): number {
  const command = token.cut === undefined ? null : commandIn(token.cut.text)
  clause.slot = false
  if (command !== null) speak(clause, clause.mood, { ...command, scope: {} })
  return 1
}
