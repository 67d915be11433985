import type { IntentThresholds } from './model/intent.ts'

/** The thresholds that a policy sets, for reading an agent's words. Separate, so that a rating doesn't load the words. */
export function intentThresholds(said: {
  readonly thresholds?: Pick<IntentThresholds, 'records' | 'amount'>
  readonly inProduction?: boolean
}): Partial<IntentThresholds> {
  return { ...said.thresholds, ...(said.inProduction === true ? { inProduction: true } : {}) }
}
