import { CountersignError } from '@countersign/core'
import { type Home, systemClock } from '@countersign/node'
import type { HostName } from '../../contract/host-name.ts'
import type { Asking } from '../../sessions/host-setup.ts'
import { applyFile, applySetup } from '../../settings/apply-setup.ts'
import { untrustedCodexHooks } from '../../settings/codex-trust.ts'
import type { Machine } from '../../settings/detect-agents.ts'
import { AGENTS } from '../../settings/hosts/agents.ts'
import { type PlanOptions, planSetup, planTrust } from '../../settings/plan-setup.ts'

/** One agent in a temporary home folder. */
export interface GatedPlace {
  readonly host: HostName
  /** Codex is asked whether it trusts the hooks. */
  readonly program: string | null
  readonly version: string | null
  readonly machine: Machine
  readonly home: Home
  readonly launcher: readonly string[]
  readonly asking?: Asking
  /** How long the agent waits for a hook at most, in seconds. */
  readonly patienceS?: number
}

/** Puts an agent behind the gate with the code of `countersign init`, and for Codex also trusts the hooks. */
export async function putBehindGate(place: GatedPlace): Promise<void> {
  const { host, program, version, machine, home } = place
  const agent = AGENTS.find(({ name }) => name === host)
  if (agent === undefined) throw new CountersignError('CS_INTERNAL', `\`${host}\` is not an agent`)
  const options: PlanOptions = {
    machine,
    scope: 'user',
    home,
    launcher: place.launcher,
    ...(place.asking === undefined ? {} : { asking: place.asking }),
    ...(place.patienceS === undefined ? {} : { patienceS: place.patienceS }),
  }
  const plan = planSetup({ agent, program, version, inProject: false }, options)
  if (plan.problem !== null) throw new CountersignError('CS_CLIENT_CONFIG', plan.problem.why)
  applySetup(plan, home, systemClock.now())
  if (host !== 'codex' || program === null) return
  const untrusted = await untrustedCodexHooks(program, machine)
  if (untrusted === null)
    throw new CountersignError('CS_CLIENT_CONFIG', 'Codex does not list its hooks; update it, or check `/hooks` there')
  if (untrusted.length > 0) applyFile(planTrust(untrusted, options), home, systemClock.now())
}
