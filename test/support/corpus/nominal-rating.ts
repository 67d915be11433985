import { hash } from 'node:crypto'
import { freezeCall } from '../../../packages/core/src/call/freeze/freeze-call.ts'
import { decompose } from '../../../packages/core/src/command/decompose.ts'
import type { RiskCircumstances } from '../../../packages/core/src/risk/path/located-path.ts'
import { rateRisk } from '../../../packages/core/src/risk/rate-risk.ts'
import type { RiskReport } from '../../../packages/core/src/risk/report/report.ts'

/** Invented folders for the rows of the corpora, the same on every machine. */
export const NOMINAL_PLACES = {
  workspace: '/home/user/project',
  home: '/home/user',
  gate: '/home/user/.countersign',
  temp: '/tmp',
}

/** Resolves paths as spelled, without reading the disk. */
export const NOMINAL_WORLD: RiskCircumstances = { places: NOMINAL_PLACES, resolved: new Map() }

const PORTS = {
  crypto: { sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex') },
  session: null,
  cwd: NOMINAL_PLACES.workspace,
  newId: () => 'row',
}

/** The frozen call of a shell command. */
export function shellCall(command: string): ReturnType<typeof freezeCall> {
  return freezeCall({ tool: 'bash', args: { command }, description: { kind: 'execute', command } }, PORTS)
}

/** Rates a shell command in these folders. */
export function rateNominal(command: string): RiskReport {
  return rateRisk(shellCall(command), decompose(command), NOMINAL_WORLD)
}
