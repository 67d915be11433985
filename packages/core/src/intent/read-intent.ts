import type { RiskLevel } from '../risk/report/level.ts'
import { commandIn, type NamedCommand } from './grammar/announced-command.ts'
import { hearEastAsian } from './grammar/east-asian-sentence.ts'
import { isAnswer, isReadersQuestion } from './grammar/faq-text.ts'
import { planAfter } from './grammar/planned-steps.ts'
import type { RatedAction } from './grammar/rate-action.ts'
import { type Heard, SILENCE } from './grammar/sentence-intent.ts'
import { walkSentence } from './grammar/sentence-walker.ts'
import type { ActionType, Intent, IntentSign, IntentThresholds } from './model/intent.ts'
import { atLeast, rank } from './model/level-order.ts'
import { asTags, type IntentTags, readTags } from './tags.ts'
import { readSentences, type Sentence } from './text/sentence.ts'
import { words } from './text/words.ts'
import { INTENT_THRESHOLDS } from './thresholds.ts'

/**
 * Reads what an agent writes to its user: does it ask for leave, announce something risky, or doubt? Pure, and linear in
 * the length of the text. Tags, in the text or beside it, may only raise; so may the claim that somebody approved.
 *
 * ```ts
 * const { confirmation_required, risk_level, action_type, scope } = readIntent(
 *   "I'm about to delete these 500 user accounts. Should I proceed?",
 * )
 * console.log(confirmation_required, risk_level, action_type) // → true critical batch_delete
 * console.log(scope.records, scope.type) // → 500 user_accounts
 * ```
 */
export function readIntent(
  text: string,
  tags: IntentTags | null = null,
  thresholds: IntentThresholds = INTENT_THRESHOLDS,
): Intent {
  const signs: IntentSign[] = []
  const described: IntentSign[] = []
  let hasHearsay = false
  let isProceeding = false
  let isPlan = true
  let before: Heard | null = null
  const shown = new ShownCode()
  const sentences: string[] = []
  for (const sentence of readSentences(text)) {
    const at = sentences.push(sentence.shown) - 1
    if (isAnswer(sentence)) while (signs.at(-1)?.kind === 'ask' && signs.at(-1)?.sentence === at - 1) signs.pop()
    const heard: Heard = isReadersQuestion(sentence)
      ? SILENCE
      : hear(sentence, isPlan && sentence.isItem, before, shown.command, thresholds)
    shown.read(sentence)
    isPlan = planAfter(sentence, isPlan)
    for (const sign of signsOf(heard, sentence, at))
      (sign.required || sign.kind !== 'harmless' ? signs : described).push(sign)
    for (const { voice, action } of heard.sayings)
      if (voice === 'described' && action !== null) described.push(signOf('ask', action, at, true))
    if (heard.isProceeding && !heard.sayings.some(({ voice }) => voice === 'announced'))
      signs.push(...meant(described, at))
    hasHearsay ||= heard.hearsay
    isProceeding ||= heard.isProceeding || heard.sayings.some(({ voice }) => voice === 'announced')
    before = heard
  }
  if (hasHearsay && isProceeding) signs.push(bare('claim', -1, 'medium'))
  for (const tag of [...readTags(text), ...(tags === null ? [] : [asTags(tags) ?? {}])]) signs.push(...tagSigns(tag))
  // An ask that names nothing is about what was described.
  if (signs.some(({ kind, action }) => kind === 'ask' && action === 'other')) signs.push(...worst(described))
  return {
    ...combine(signs),
    signs: signs.toSorted((one, other) => one.sentence - other.sentence),
    sentences,
  }
}

/** The last command that was shown, for as long as `it` may mean it. */
class ShownCode {
  #command: NamedCommand | null = null
  #age = 0

  get command(): NamedCommand | null {
    return this.#age <= 3 ? this.#command : null
  }

  read({ tokens }: Sentence): void {
    this.#age++
    for (const { cut } of tokens) {
      if (cut === undefined || cut.kind === 'quote') continue
      this.#command = commandIn(cut.text)
      this.#age = 0
    }
  }
}

function announced(command: NamedCommand): Heard['sayings'][number] {
  return { voice: 'announced', action: { ...command, scope: {} }, isHarmless: false }
}

function hear(
  sentence: Sentence,
  isPlan: boolean,
  before: Heard | null,
  shown: NamedCommand | null,
  thresholds: IntentThresholds,
): Heard {
  const [only] = sentence.tokens
  if (sentence.tokens.length === 1 && only?.cut?.kind === 'fence') {
    const command = before?.runsNext === true ? commandIn(only.cut.text) : null
    return command === null ? SILENCE : { ...SILENCE, sayings: [announced(command)] }
  }
  const heard = hearEastAsian(sentence, thresholds) ?? walkSentence(sentence, isPlan, thresholds)
  return heard.runsShown && shown !== null ? { ...heard, sayings: [...heard.sayings, announced(shown)] } : heard
}

/** What makes a doubt one about harm, and not about where a file is. */
const HARM =
  words(`safe break breaks breaking lose losing loss corrupt corrupts irreversible production prod damage dangerous harm risky risk risks affect
  affects outage downtime undo destructive consequences side-effects unsafe drastic danger harmful reversible recover
  delete deleting deletes drop overwrite wipe sensible wise intended consequences allowed permitted permission authorized supposed
  rollback wrong fail fails failing unintended
  seguro perder romper riesgo sûr perdre casser risque sicher verlieren risiko certeza quebrar risco`)

function signsOf(heard: Heard, { tokens }: Sentence, at: number): readonly IntentSign[] {
  const signs = heard.sayings.flatMap(({ voice, action, isHarmless }): readonly IntentSign[] => {
    if (voice === 'described') return []
    if (isHarmless) return [{ ...bare('harmless', at, 'none'), required: false, action: 'none' }]
    if (voice === 'asked') return [action === null ? bare('ask', at, 'medium') : signOf('ask', action, at, true)]
    if (action === null) return []
    if (voice === 'doubted') return rank(action.level) < rank('medium') ? [] : [signOf('doubt', action, at, true)]
    return [signOf('announcement', action, at, mustWait(action))]
  })
  const isHarm = () => tokens.some(({ word }) => HARM.has(word))
  const isDoubt =
    heard.doubt &&
    !signs.some(({ kind }) => kind === 'doubt') &&
    (isHarm() || /[\u3040-\u9fff]/.test(tokens[0]?.word ?? ''))
  return [
    ...signs,
    ...(isDoubt ? [bare('doubt', at, 'medium')] : []),
    ...(heard.warning ? [bare('warning', at, 'high')] : []),
    ...(heard.claim ? [bare('claim', at, 'medium')] : []),
  ]
}

/** What others feel at once, or nobody brings back: such an announcement waits from medium up. */
const FELT: ReadonlySet<ActionType> = new Set([
  'delete',
  'batch_delete',
  'overwrite',
  'send',
  'batch_send',
  'disable',
  'restart',
  'migrate',
  'cancel',
  'pay',
])

/** Whether what is announced is to be confirmed first. In a test environment only what is high there too. */
function mustWait({ action, level, scope }: RatedAction): boolean {
  if (rank(level) >= rank('high')) return true
  return level === 'medium' && scope.environment !== 'sandbox' && FELT.has(action)
}

function signOf(
  kind: IntentSign['kind'],
  { action, level, scope }: RatedAction,
  sentence: number,
  required: boolean,
): IntentSign {
  return { kind, required, level: kind === 'ask' ? atLeast(level, 'medium') : level, action, scope, sentence }
}

function bare(kind: IntentSign['kind'], sentence: number, level: RiskLevel): IntentSign {
  return { kind, required: true, level, action: 'other', scope: {}, sentence }
}

function tagSigns({ confirmation_required, risk_level, action_type, scope }: IntentTags): readonly IntentSign[] {
  const required = confirmation_required === true || (risk_level !== undefined && rank(risk_level) >= rank('high'))
  const level = required ? atLeast(risk_level ?? 'none', 'medium') : (risk_level ?? 'none')
  return [{ kind: 'tag', required, level, action: action_type ?? 'other', scope: scope ?? {}, sentence: -1 }]
}

/** `The best option is to drop it. I'll do that.`: what was just described is announced. */
function meant(described: readonly IntentSign[], at: number): readonly IntentSign[] {
  const near = described.slice(-4).filter(({ sentence, level }) => sentence >= at - 2 && rank(level) >= rank('high'))
  return worst(near).map((sign) => ({ ...sign, kind: 'announcement', sentence: at }))
}

function worst(signs: readonly IntentSign[]): readonly IntentSign[] {
  const [top] = signs.toSorted(bySeverity)
  return top === undefined || top.action === 'none' ? [] : [top]
}

function bySeverity(one: IntentSign, other: IntentSign): number {
  const isNamed = (sign: IntentSign) => (sign.action === 'other' || sign.action === 'none' ? 0 : 1)
  return rank(other.level) - rank(one.level) || isNamed(other) - isNamed(one)
}

function combine(
  signs: readonly IntentSign[],
): Pick<Intent, 'confirmation_required' | 'risk_level' | 'action_type' | 'scope'> {
  const sorted = signs.filter(({ kind }) => kind !== 'harmless').toSorted(bySeverity)
  const named = sorted.find(({ action }) => action !== 'other' && action !== 'none') ?? sorted[0]
  const required = signs.some((sign) => sign.required)
  return {
    confirmation_required: required,
    risk_level: sorted[0]?.level ?? 'none',
    action_type: named?.action ?? 'none',
    scope: named?.scope ?? {},
  }
}
