import { intentKnowledge } from '../knowledge/intent.ts'
import type { IntentThresholds } from './model/intent.ts'

/** The thresholds that a policy sets, for reading an agent's words. */
export function intentThresholds(said: {
  readonly thresholds?: Pick<IntentThresholds, 'records' | 'amount'>
  readonly inProduction?: boolean
}): IntentThresholds {
  const { records, amount } = said.thresholds ?? INTENT_THRESHOLDS
  const { productionWords } = INTENT_THRESHOLDS
  return { records, amount, productionWords, ...(said.inProduction === true ? { inProduction: true } : {}) }
}

let productionWords: ReadonlySet<string> | undefined

/** More than 100 records, an amount above 1000, and the words for production. */
export const INTENT_THRESHOLDS: IntentThresholds = {
  records: 100,
  amount: 1000,
  get productionWords() {
    productionWords ??= new Set(intentKnowledge().classes.production)
    return productionWords
  },
}
