// Calls and circumstances for the tests in this folder. The extension keeps it out of the build.
import { hash } from 'node:crypto'
import type { Call, FrozenCall } from '../call/call.ts'
import { freezeCall } from '../call/freeze/freeze-call.ts'
import { decompose } from '../command/decompose.ts'
import type { RiskCircumstances } from './path/located-path.ts'
import { rateRisk } from './rate-risk.ts'
import type { RiskReport } from './report/report.ts'

export const PLACES = { workspace: '/home/you/app', home: '/home/you', gate: '/home/you/.countersign', temp: '/tmp' }

/** No file system: paths are resolved as spelled. */
export const WORLD: RiskCircumstances = { places: PLACES, resolved: new Map() }

/** A real frozen call. */
export function frozen(call: Call): FrozenCall {
  return freezeCall(call, {
    crypto: { sha256: (data) => hash('sha256', data, 'hex') },
    session: null,
    cwd: PLACES.workspace,
    newId: () => 'call-1',
  })
}

/** Rates a call that is not a command. */
export function rateCall(call: Call, world: RiskCircumstances = WORLD): RiskReport {
  return rateRisk(frozen(call), null, world)
}

/** Rates a shell command. */
export function rateShell(command: string, world: RiskCircumstances = WORLD): RiskReport {
  const call = frozen({ tool: 'bash', args: { command }, description: { kind: 'execute', command } })
  return rateRisk(call, decompose(command), world)
}
