import type { Call, FrozenCall } from '../call/call.ts'
import { freezeCall } from '../call/freeze/freeze-call.ts'
import { decomposeCall } from '../command/decompose-call.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { Places } from './path/category.ts'
import { rateRisk } from './rate-risk.ts'
import type { RiskReport } from './report/report.ts'

/** A call and its risk. */
export interface AssessedCall {
  readonly call: FrozenCall
  readonly risk: RiskReport
}

/**
 * Rates a call without a file system or a policy: paths lead where they are spelled, so that the same call gets the same
 * rating everywhere. The gate itself rates with resolved paths.
 */
export function assessCall(given: Call, places: Places, crypto: Pick<Crypto, 'sha256'>): AssessedCall {
  const call = freezeCall(given, { crypto, session: null, cwd: places.workspace, newId: () => 'assessed' })
  return { call, risk: rateRisk(call, decomposeCall(call), { places, resolved: new Map() }) }
}
