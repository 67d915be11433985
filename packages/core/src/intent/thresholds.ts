import { intentKnowledge } from '../knowledge/intent.ts'
import type { IntentThresholds } from './model/intent.ts'

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
