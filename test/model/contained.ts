import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Bounds } from '../../packages/core/src/policy/model/containment.ts'
import type { PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { adds, byGrant } from './grants.ts'
import { LEVELS, type Unit, type World } from './tri.ts'
import { contacted } from './units.ts'
import { type Judged, type ModelVerdict, max, strict } from './verdict.ts'

export const isCommand = ({ call, risk }: World) => risk.parts.length > 0 || 'command' in call.descriptor

interface Placed {
  world: World
  set: PolicySet
  units: Unit[]
  judged: Judged[]
  sandboxed: boolean
  /** Every part is proven, as far as the preset asks for. */
  enough: boolean
}

/** Where a command runs: in the sandbox with what every rule allows, or outside; what may do neither unasked asks. */
export function contained(
  verdict: ModelVerdict,
  { world, set, units, judged, sandboxed, enough }: Placed,
): ModelVerdict {
  const { call, risk, now } = world
  const said = judged
    .map(({ voices }, at) =>
      voices.flatMap(({ rule }) =>
        rule && rule.contain !== undefined && !rule.floor && rule.layer !== 'managed' && !exceeded(rule, units[at])
          ? [rule.contain]
          : [],
      ),
    )
    .filter((one, at) => one.length > 0 || !harmless(units[at], world))
  const all = said.flat()
  const some = all.length > 0 && said.every((one) => one.length > 0)
  const outside = some && all.every((one) => one === false)
  const shared = (key: 'write' | 'read' | 'network' | 'credentials'): string[] => {
    const [first] = all
    if (!some || !first) return []
    return first[key].filter((item) => all.every((one) => one !== false && one[key].includes(item)))
  }
  const reads = risk.understood && risk.parts.length > 0 && risk.parts.every((part) => part.onlyReads === true)
  const home = (folder: string) => folder.replace(/^~/, now.places.home)
  const network = [...new Set([...shared('network'), ...contacted(risk.hosts)])]
  const bounds: Bounds = {
    workspace: reads ? 'read' : 'write',
    write: shared('write').map(home),
    read: shared('read').map(home),
    network,
    credentials: [
      ...new Set([...shared('credentials'), ...(network.length === 0 && projectOnly(risk) ? ['project'] : [])]),
    ],
  }
  const explicit = call.containable && some && !outside ? bounds : null
  const asked = strict(verdict.supervision) >= 2
  const exact = now.grants.some((one) => one.id === verdict.grant && one.scope.kind === 'exact' && !one.bounds)
  const mixed =
    contacted(risk.hosts).length > 0 && risk.parts.some((part) => !part.onlyReads && contacted(part.hosts).length === 0)
  const free = set.row.contained === 'never' || outside || (!asked && exact && strict(set.row.byRisk.low) <= 2)
  const insideOrProven = sandboxed
    ? set.row.contained === 'any' || enough
    : !call.outside && risk.needsOutside === undefined && enough
  if (
    !free &&
    (mixed || !insideOrProven) &&
    strict(verdict.supervision) < strict(max(['confirm', set.row.byRisk.low]))
  ) {
    const rule = 'builtin.uncontained|builtin|builtin|1'
    const contributors = [...new Set([rule, ...verdict.contributors])].sort()
    return { ...verdict, supervision: max(['confirm', set.row.byRisk.low]), rule, contributors, grant: null }
  }
  if (asked) return { ...verdict, contain: explicit }
  if (free) return { ...verdict, contain: set.row.contained === 'never' || outside ? null : explicit }
  if (sandboxed) {
    const adding = now.grants.filter(
      (one) => (one.scope.kind === 'network' ? !reads : one.bounds) && adds(one, world, units),
    )
    const first = [...adding].sort(byGrant)[0]?.id ?? null
    const more = (key: 'write' | 'read' | 'network' | 'credentials') =>
      adding.flatMap(({ scope, bounds: own }) => {
        if (scope.kind !== 'network') return own?.[key] ?? []
        return key === 'network' ? [scope.port === undefined ? scope.host : `${scope.host}:${scope.port}`] : []
      })
    const both = (key: 'write' | 'read' | 'network' | 'credentials') => [...new Set([...shared(key), ...more(key)])]
    const reached = [...new Set([...both('network'), ...contacted(risk.hosts)])]
    const widened: Bounds = {
      ...bounds,
      write: both('write').map(home),
      read: both('read').map(home),
      network: reached,
      credentials: [
        ...new Set([...both('credentials'), ...(reached.length === 0 && projectOnly(risk) ? ['project'] : [])]),
      ],
    }
    return { ...verdict, contain: widened, grant: verdict.grant ?? first }
  }
  return verdict
}

/** Code of the project sees its secrets, unless another part of the command could read them. */
const projectOnly = ({ parts, understood }: RiskReport) =>
  understood &&
  parts.some((part) => part.runsProject) &&
  parts.every((part) => part.runsProject || (part.onlyReads && part.paths.length === 0))

/** A proven part that is rated none may run anywhere. */
function harmless(unit: Unit | undefined, { call, risk }: World): boolean {
  const part = risk.parts.find(({ command }) => command === unit?.part)
  return unit !== undefined && risk.understood && unit.level === 'none' && part !== undefined && holdsHere(part, call)
}

/** A proof that needs harmless settings of the repository holds only for callers that see to it; one that needs them read, for none. */
const holdsHere = (part: RiskReport['parts'][number], call: FrozenCall) =>
  part.proven !== undefined && (part.provided === undefined || (part.provided !== 'settings' && call.containable))

/** What the words of every part prove together. */
export function proofOf({ call, risk }: World): 'reads' | 'changes' | null {
  if (!risk.understood || risk.parts.length === 0 || !risk.parts.every((part) => holdsHere(part, call))) return null
  return risk.level === 'none' && risk.parts.every(({ proven }) => proven === 'reads') ? 'reads' : 'changes'
}

const exceeded = (rule: Rule, unit: Unit | undefined) =>
  strict(rule.supervision) < 2 && unit !== undefined && LEVELS.indexOf(unit.level) > LEVELS.indexOf(rule.upTo)
