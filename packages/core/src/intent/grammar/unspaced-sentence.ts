import { intentKnowledge, type ObjectCategory, type UnspacedWords, type VerbGroup } from '../../knowledge/intent.ts'
import type { IntentScope, IntentThresholds } from '../model/intent.ts'
import type { Sentence } from '../text/sentence.ts'
import type { ReadObject } from './object.ts'
import { type RatedAction, rateAction } from './rate-action.ts'
import { NO_INTENT, type SentenceIntent, type Statement } from './sentence-intent.ts'

const HAN_OR_KANA = /[\u3040-\u30ff\u3400-\u9fff]/
const KANA = /[\u3040-\u30ff]/
const UNITS: Readonly<Record<string, number>> = { 千: 1e3, 万: 1e4, 萬: 1e4, 百: 100, 億: 1e8, 亿: 1e8 }
const MONEY = /^(?:元|円|美元|美金|欧元|人民币|ドル|块)/

let ignoredWords: RegExp | undefined

/** Reads a sentence in Chinese or Japanese, which have no spaces between words; null for other languages. */
export function readUnspacedSentence({ text: whole }: Sentence, thresholds: IntentThresholds): SentenceIntent | null {
  if (!HAN_OR_KANA.test(whole)) return null
  const { chinese, japanese, ignored } = intentKnowledge().unspaced
  ignoredWords ??= new RegExp(ignored.join('|'), 'g')
  const text = whole.replace(ignoredWords, '')
  const words = KANA.test(text) ? japanese : chinese
  const action = actionIn(text, thresholds)
  const isDoubt = hasAny(text, words.doubt)
  return {
    ...NO_INTENT,
    statements: statementsOf(words, text, action, isDoubt),
    claimsApproval: hasAny(text, words.claimed_approval),
    isWarning: hasAny(text, words.irreversible),
    isDoubt,
    isUnsure: isDoubt,
  }
}

function hasAny(text: string, words: readonly string[]): boolean {
  return words.some((word) => text.includes(word))
}

function statementsOf(
  words: UnspacedWords,
  text: string,
  action: RatedAction | null,
  isDoubt: boolean,
): readonly Statement[] {
  const ask = (asked: RatedAction | null): readonly Statement[] => [{ mode: 'asked', action: asked, isHarmless: false }]
  const isHarmless = hasAny(text, words.harmless) && action === null
  if (hasAny(text, words.asks) && !isHarmless) return ask(action)
  if (action === null) return []
  if (hasAny(text, words.questions) && !isDone(words, text)) return ask(action)
  if (isDoubt) return [{ mode: 'doubted', action, isHarmless: false }]
  const isNegated = hasAny(text, words.negation)
  const isOpen = !isNegated && !isDone(words, text)
  if (isOpen && hasAny(text, words.announce) && !hasAny(text, words.hypothetical))
    return [{ mode: 'announced', action, isHarmless: false }]
  return isOpen ? [{ mode: 'described', action, isHarmless: false }] : []
}

/** A finished action is not announced. A mere `了` does not finish a firm intention. */
function isDone({ past, completion_marks, firm_intention }: UnspacedWords, text: string): boolean {
  return hasAny(text, past) || (hasAny(text, completion_marks) && !hasAny(text, firm_intention))
}

function actionIn(text: string, thresholds: IntentThresholds): RatedAction | null {
  const { verbs } = intentKnowledge().unspaced
  const found = (Object.entries(verbs) as [VerbGroup, readonly string[]][]).find(([, list]) => hasAny(text, list))
  if (found === undefined) return null
  const rated = rateAction(found[0], objectIn(text), thresholds)
  return rated.action === 'none' ? null : rated
}

const ANY_OBJECT = [
  'data',
  'schema',
  'infra',
  'message',
  'people',
  'entity',
  'guard',
  'access',
  'contract',
] as const satisfies readonly ObjectCategory[]

function objectIn(text: string): ReadObject {
  const { code, all, scratch } = intentKnowledge().unspaced
  const isCode = hasAny(text, code)
  const head = new Set<ObjectCategory>(isCode ? ['code'] : ANY_OBJECT)
  return {
    scope: scopeIn(text),
    head,
    within: head,
    around: head,
    named: null,
    isSystem: false,
    isEvery: hasAny(text, all) && !isCode,
    isScratch: hasAny(text, scratch),
  }
}

function scopeIn(text: string): IntentScope {
  const { all, production, sandbox } = intentKnowledge().unspaced
  const [digits, unit] = firstNumber(text)
  const scale = UNITS[unit[0] ?? ''] ?? 1
  const value = Number(digits.replaceAll(',', '')) * scale
  const counted = unit.slice(scale > 1 ? 1 : 0)
  const hasCount = digits !== '' && Number.isFinite(value)
  const environment = hasAny(text, production) ? 'production' : hasAny(text, sandbox) ? 'sandbox' : undefined
  const isMoney = hasCount && (MONEY.test(counted) || /[$¥€£]/.test(text))
  return {
    ...(hasCount && !isMoney ? { records: value, ...typeIn(counted) } : {}),
    ...(isMoney ? { amount: value, currency: MONEY.exec(counted)?.[0] ?? '' } : {}),
    ...(hasAny(text, all) ? { all: true } : {}),
    ...(environment === undefined ? {} : { environment }),
  }
}

/** The first number, and the characters after it; both empty without one. */
function firstNumber(text: string): readonly [digits: string, after: string] {
  const found = /\d[\d,.]*/.exec(text)
  if (found === null) return ['', '']
  const end = found.index + found[0].length
  return [found[0], text.slice(end, end + 12)]
}

/** The noun after a measure word: `个用户账户…`. */
function typeIn(counted: string): Pick<IntentScope, 'type'> {
  const type = /^(?:个|個|条|條|件|人|名|份|张|封)の?([\u30a0-\u30ff\u3400-\u9fff]{1,10})/.exec(counted)?.[1]
  return type === undefined ? {} : { type }
}
