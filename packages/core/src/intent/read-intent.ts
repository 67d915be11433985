import type { RiskLevel } from '../risk/report/level.ts'
import { commandIn, type NamedCommand } from './grammar/announced-command.ts'
import type { RatedAction } from './grammar/rate-action.ts'
import { NO_INTENT, type SentenceIntent } from './grammar/sentence-intent.ts'
import { walkSentence } from './grammar/sentence-walker.ts'
import { introducesPlan, isPrintedAnswer, isReaderQuestion } from './grammar/surrounding-text.ts'
import { readUnspacedSentence } from './grammar/unspaced-sentence.ts'
import { type ActionType, atLeast, type Intent, type IntentSign, type IntentThresholds, rank } from './model/intent.ts'
import { asTags, type IntentTags, readTags } from './tags.ts'
import { readSentences, type Sentence } from './text/sentence.ts'
import { INTENT_THRESHOLDS } from './thresholds.ts'

/**
 * Reads what an agent writes to its user: does it ask for permission, announce something risky, or express doubt? Pure,
 * and linear in the length of the text. Tags and claims of approval may only raise the result. Thresholds that are not given
 * are `INTENT_THRESHOLDS`.
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
  given: Partial<IntentThresholds> = {},
): Intent {
  const thresholds = { ...INTENT_THRESHOLDS, ...given }
  const signs: IntentSign[] = []
  const described: IntentSign[] = []
  let reportsApproval = false
  let isProceeding = false
  let isPlan = true
  let before: SentenceIntent | null = null
  const shown = new ShownCode()
  const sentences: string[] = []
  for (const sentence of readSentences(text)) {
    const at = sentences.push(sentence.shown) - 1
    if (isPrintedAnswer(sentence)) while (signs.at(-1)?.kind === 'ask' && signs.at(-1)?.sentence === at - 1) signs.pop()
    const found: SentenceIntent = isReaderQuestion(sentence)
      ? NO_INTENT
      : readSentence(sentence, isPlan && sentence.isItem, before, shown.command, thresholds)
    shown.read(sentence)
    isPlan = introducesPlan(sentence, isPlan)
    for (const sign of signsOf(found, at)) (sign.required || sign.kind !== 'harmless' ? signs : described).push(sign)
    for (const { mode, action } of found.statements)
      if (mode === 'described' && action !== null) described.push(signOf('ask', action, at, true))
    if (found.isProceeding && !found.statements.some(({ mode }) => mode === 'announced'))
      signs.push(...announcedBefore(described, at))
    if (before?.isUnsure === true) signs.push(...doubtedBefore(found, at))
    reportsApproval ||= found.reportsApproval
    isProceeding ||= found.isProceeding || found.statements.some(({ mode }) => mode === 'announced')
    before = found
  }
  if (reportsApproval && isProceeding) signs.push(plainSign('claim', -1, 'medium'))
  for (const tag of [...readTags(text), ...(tags === null ? [] : [asTags(tags) ?? {}])]) signs.push(...tagSigns(tag))
  // A question that names no action is about what was described.
  if (signs.some(({ kind, action }) => kind === 'ask' && action === 'other')) signs.push(...worst(described))
  return {
    ...combine(signs),
    signs: signs.toSorted((one, other) => one.sentence - other.sentence),
    sentences,
  }
}

/** The last command shown, for as long as `it` may refer to it. */
class ShownCode {
  #command: NamedCommand | null = null
  #age = 0

  get command(): NamedCommand | null {
    return this.#age <= 3 ? this.#command : null
  }

  read({ tokens }: Sentence): void {
    this.#age++
    for (const { excerpt } of tokens) {
      if (excerpt === undefined || excerpt.kind === 'quote') continue
      this.#command = commandIn(excerpt.text)
      this.#age = 0
    }
  }
}

function announced(command: NamedCommand): SentenceIntent['statements'][number] {
  return { mode: 'announced', action: { ...command, scope: {} }, isHarmless: false }
}

function readSentence(
  sentence: Sentence,
  isPlan: boolean,
  before: SentenceIntent | null,
  shown: NamedCommand | null,
  thresholds: IntentThresholds,
): SentenceIntent {
  const [only] = sentence.tokens
  if (sentence.tokens.length === 1 && only?.excerpt?.kind === 'fence') {
    const command = before?.runsNextCode === true ? commandIn(only.excerpt.text) : null
    return command === null ? NO_INTENT : { ...NO_INTENT, statements: [announced(command)] }
  }
  const found = readUnspacedSentence(sentence, thresholds) ?? walkSentence(sentence, isPlan, thresholds)
  return found.runsShownCode && shown !== null
    ? { ...found, statements: [...found.statements, announced(shown)] }
    : found
}

function signsOf(found: SentenceIntent, at: number): readonly IntentSign[] {
  const signs = found.statements.flatMap(({ mode, action, isHarmless }): readonly IntentSign[] => {
    if (mode === 'described') return []
    if (isHarmless) return [{ ...plainSign('harmless', at, 'none'), required: false, action: 'none' }]
    if (mode === 'asked') return [action === null ? plainSign('ask', at, 'medium') : signOf('ask', action, at, true)]
    if (action === null) return []
    if (mode === 'doubted') return rank(action.level) < rank('medium') ? [] : [signOf('doubt', action, at, true)]
    return [signOf('announcement', action, at, mustWait(action))]
  })
  const isDoubt = found.isDoubt && !signs.some(({ kind }) => kind === 'doubt')
  return [
    ...signs,
    ...(isDoubt ? [plainSign('doubt', at, 'medium')] : []),
    ...(found.isWarning ? [plainSign('warning', at, 'high')] : []),
    ...(found.claimsApproval ? [plainSign('claim', at, 'medium')] : []),
  ]
}

/** Felt by others at once, or hard to undo: an announcement waits from medium risk up. */
const FELT_AT_ONCE: ReadonlySet<ActionType> = new Set([
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

/** Whether an announced action must be confirmed first. In a test environment only high risk must. */
function mustWait({ action, level, scope }: RatedAction): boolean {
  if (rank(level) >= rank('high')) return true
  return level === 'medium' && scope.environment !== 'sandbox' && FELT_AT_ONCE.has(action)
}

function signOf(
  kind: IntentSign['kind'],
  { action, level, scope }: RatedAction,
  sentence: number,
  required: boolean,
): IntentSign {
  return { kind, required, level: kind === 'ask' ? atLeast(level, 'medium') : level, action, scope, sentence }
}

function plainSign(kind: IntentSign['kind'], sentence: number, level: RiskLevel): IntentSign {
  return { kind, required: true, level, action: 'other', scope: {}, sentence }
}

function tagSigns({ confirmation_required, risk_level, action_type, scope }: IntentTags): readonly IntentSign[] {
  const required = confirmation_required === true || (risk_level !== undefined && rank(risk_level) >= rank('high'))
  const level = required ? atLeast(risk_level ?? 'none', 'medium') : (risk_level ?? 'none')
  return [{ kind: 'tag', required, level, action: action_type ?? 'other', scope: scope ?? {}, sentence: -1 }]
}

/** `I can't tell whose bucket this is. Removing it anyway.`: what is announced right after a doubt. */
function doubtedBefore({ statements }: SentenceIntent, at: number): readonly IntentSign[] {
  return statements.flatMap(({ mode, action, isHarmless }) =>
    mode === 'announced' && action !== null && !isHarmless && FELT_AT_ONCE.has(action.action)
      ? [signOf('doubt', { ...action, level: atLeast(action.level, 'medium') }, at, true)]
      : [],
  )
}

/** `The best option is to drop it. I'll do that.`: announces what was just described. */
function announcedBefore(described: readonly IntentSign[], at: number): readonly IntentSign[] {
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
