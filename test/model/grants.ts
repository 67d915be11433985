import { isDeepStrictEqual } from 'node:util'
import type { Grant } from '../../packages/core/src/policy/model/grant.ts'
import type { Conditions } from '../../packages/core/src/policy/model/rule.ts'
import type { HostUse } from '../../packages/core/src/risk/report/report.ts'
import { holds, hostMatches } from './conditions.ts'
import type { Unit, World } from './tri.ts'
import { contacted, unitsOf } from './units.ts'

/** Grants that last are used before those that are used up. */
export const byGrant = (a: Grant, b: Grant) =>
  Number(a.lifetime.kind === 'uses') - Number(b.lifetime.kind === 'uses') || (a.id < b.id ? -1 : 1)

function isFor({ session, agent, scope, lifetime }: Grant, { call, now }: World): boolean {
  if (session !== call.session || agent.join('\n') !== [...call.agent.parents, call.agent.name].join('\n')) return false
  if (lifetime.kind === 'until' && now.now >= lifetime.at) return false
  return call.session !== null || (['exact', 'network'].includes(scope.kind) && lifetime.kind !== 'session')
}

/** Whether a grant lets a call run that would be asked about. */
export function covers(grant: Grant, world: World, units: Unit[]): boolean {
  const { call, risk } = world
  const { scope } = grant
  const shell = call.descriptor.kind === 'execute' || 'command' in call.descriptor || risk.parts.length > 0
  if (!isFor(grant, world) || scope.kind === 'network') return false
  if (scope.kind === 'exact') return scope.grantKey === call.grantKey
  if (scope.kind === 'server') return !shell && scope.server === call.tool.server
  if (scope.kind !== 'pattern') {
    const [granted, called] = [scope, { ...call.tool, tool: call.tool.name }].map((one) =>
      JSON.stringify([one.server, one.tool, one.definition]),
    )
    if (shell || granted !== called) return false
    if (scope.kind === 'tool') return true
    if (scope.kind === 'fields') {
      const rest = Object.entries(call.args).filter(
        ([key, value]) => !scope.free.includes(key) || typeof value !== 'string',
      )
      return isDeepStrictEqual(Object.fromEntries(rest), scope.fixed)
    }
    const within = (real: string) =>
      scope.kind === 'file' ? real === scope.path : real.startsWith(`${scope.path}/`) && !isSecret(real)
    return units.every(({ path }) => typeof path?.real === 'string' && within(path.real))
  }
  const when = scope.when as Conditions
  if (shell && !(when.command?.program && scope.around)) return false
  if (scope.around && scope.around.key !== call.around?.key) return false
  return units.every((unit) => holds(when, unit, world, { tightens: false, negated: false }) === 'yes')
}

/** Whether a grant adds its bounds or its host to the sandbox of a call. */
export const adds = (grant: Grant, world: World, units: Unit[]) =>
  grant.scope.kind === 'network' ? isFor(grant, world) : covers(grant, world, units)

/** Whether a grant names a host that a call contacts for the first time. */
export function grantNames(grant: Grant, world: World, use: HostUse): boolean {
  const { scope } = grant
  if (scope.kind === 'exact') return covers(grant, world, [])
  // The card of a pattern grant showed the hosts that its repeats may reach.
  if (scope.kind === 'pattern')
    return (
      contacted([use]).some((host) => grant.bounds?.network.includes(host)) &&
      covers(grant, world, unitsOf(world.risk, false))
    )
  if (scope.kind !== 'network' || !isFor(grant, world)) return false
  return hostMatches(scope.port === undefined ? scope.host : `${scope.host}:${scope.port}`, use, false)
}

/** Of the paths of the random cases, those that a folder does not stand for. */
function isSecret(real: string): boolean {
  return /\/\.env[^/]*$|\/\.ssh\//.test(real)
}
