import {
  ADJECTIVAL,
  CHINESE,
  EAST_ASIAN_ALL,
  EAST_ASIAN_CODE,
  EAST_ASIAN_PRODUCTION,
  EAST_ASIAN_SANDBOX,
  EAST_ASIAN_SCRATCH,
  EAST_ASIAN_VERBS,
  type EastAsianWords,
  JAPANESE,
} from '../languages/east-asian.ts'
import type { IntentScope, IntentThresholds } from '../model/intent.ts'
import type { Thing } from '../model/thing.ts'
import type { ProfileName } from '../severity/profiles.ts'
import type { Sentence } from '../text/sentence.ts'
import type { ReadObject } from './object.ts'
import { type RatedAction, rateAction } from './rate-action.ts'
import { type Heard, type Saying, SILENCE } from './sentence-intent.ts'

const HAN_OR_KANA = /[\u3040-\u30ff\u3400-\u9fff]/
const KANA = /[\u3040-\u30ff]/
const UNITS: Readonly<Record<string, number>> = { 千: 1e3, 万: 1e4, 萬: 1e4, 百: 100, 億: 1e8, 亿: 1e8 }
const MONEY = /^(?:元|円|美元|美金|欧元|人民币|ドル|块)/

/** Hears a sentence written in Chinese or Japanese; null when it is neither. Words are looked for, not segmented. */
export function hearEastAsian({ text: whole }: Sentence, thresholds: IntentThresholds): Heard | null {
  if (!HAN_OR_KANA.test(whole)) return null
  const text = whole.replace(ADJECTIVAL, '')
  const words = KANA.test(text) ? JAPANESE : CHINESE
  const has = (list: readonly string[]) => list.some((word) => text.includes(word))
  const action = actionIn(text, thresholds)
  const doubt = has(words.doubt)
  const sayings = sayingsOf(words, text, action, doubt)
  return { ...SILENCE, sayings, claim: has(words.claim), warning: has(words.warning), doubt }
}

function sayingsOf(words: EastAsianWords, text: string, action: RatedAction | null, doubt: boolean): readonly Saying[] {
  const has = (list: readonly string[]) => list.some((word) => text.includes(word))
  const ask = (found: RatedAction | null): readonly Saying[] => [{ voice: 'asked', action: found, isHarmless: false }]
  const isIdle = has(words.harmless) && action === null
  if (has(words.asks) && !isIdle) return ask(action)
  if (action === null) return []
  if (has(words.questions) && !isDone(words, text)) return ask(action)
  if (doubt) return [{ voice: 'doubted', action, isHarmless: false }]
  const isOwn = has(words.own) && !has(words.not) && !has(words.thought) && !isDone(words, text)
  if (isOwn) return [{ voice: 'announced', action, isHarmless: false }]
  return has(words.not) || isDone(words, text) ? [] : [{ voice: 'described', action, isHarmless: false }]
}

/** What is done is no announcement; a mere `了` leaves an open intention open. */
function isDone({ past, aspect, firm }: EastAsianWords, text: string): boolean {
  if (past.some((word) => text.includes(word))) return true
  return aspect.some((word) => text.includes(word)) && !firm.some((word) => text.includes(word))
}

function actionIn(text: string, thresholds: IntentThresholds): RatedAction | null {
  const found = (Object.entries(EAST_ASIAN_VERBS) as [ProfileName, readonly string[]][]).find(([, list]) =>
    list.some((word) => text.includes(word)),
  )
  if (found === undefined) return null
  const rated = rateAction(found[0], objectIn(text), thresholds)
  return rated.action === 'none' ? null : rated
}

function objectIn(text: string): ReadObject {
  const has = (list: readonly string[]) => list.some((word) => text.includes(word))
  const things: readonly Thing[] = has(EAST_ASIAN_CODE)
    ? ['code']
    : ['data', 'schema', 'infra', 'message', 'people', 'entity', 'guard', 'access', 'contract']
  const head = new Set<Thing>(things)
  return {
    scope: scopeIn(text),
    head,
    within: head,
    around: head,
    named: null,
    isSystem: false,
    isEvery: has(EAST_ASIAN_ALL) && !has(EAST_ASIAN_CODE),
    isScratch: has(EAST_ASIAN_SCRATCH),
  }
}

function scopeIn(text: string): IntentScope {
  const has = (list: readonly string[]) => list.some((word) => text.includes(word))
  const [digits = '', unit = ''] = /\d[\d,.]*/.test(text) ? numberIn(text) : []
  const scale = UNITS[unit[0] ?? ''] ?? 1
  const value = Number(digits.replaceAll(',', '')) * scale
  const counted = unit.slice(scale > 1 ? 1 : 0)
  const hasCount = digits !== '' && Number.isFinite(value)
  const environment = has(EAST_ASIAN_PRODUCTION) ? 'production' : has(EAST_ASIAN_SANDBOX) ? 'sandbox' : undefined
  const isMoney = hasCount && (MONEY.test(counted) || /[$¥€£]/.test(text))
  return {
    ...(hasCount && !isMoney ? { records: value, ...typeIn(counted) } : {}),
    ...(isMoney ? { amount: value, currency: MONEY.exec(counted)?.[0] ?? '' } : {}),
    ...(has(EAST_ASIAN_ALL) ? { all: true } : {}),
    ...(environment === undefined ? {} : { environment }),
  }
}

/** The first number, and the characters after it. */
function numberIn(text: string): readonly [string, string] {
  const found = /\d[\d,.]*/.exec(text)
  const after = (found?.index ?? 0) + (found?.[0].length ?? 0)
  return [found?.[0] ?? '', text.slice(after, after + 12)]
}

/** `个用户账户…`: what stands after the measure word. */
function typeIn(counted: string): Pick<IntentScope, 'type'> {
  const type = /^(?:个|個|条|條|件|人|名|份|张|封)の?([\u30a0-\u30ff\u3400-\u9fff]{1,10})/.exec(counted)?.[1]
  return type === undefined ? {} : { type }
}
