import { PRODUCTION_WORDS } from './lexicon/object-categories.ts'
import type { IntentThresholds } from './model/intent.ts'

/** More than a hundred records, more than a thousand of money, and what people call production. */
export const INTENT_THRESHOLDS: IntentThresholds = { records: 100, amount: 1000, productionWords: PRODUCTION_WORDS }
