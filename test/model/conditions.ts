import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Json } from '../../packages/core/src/call/json/json.ts'
import type { Conditions, ValueTest } from '../../packages/core/src/policy/model/rule.ts'
import type { HostUse } from '../../packages/core/src/risk/report/report.ts'
import { commandHolds } from './command-conditions.ts'
import { pathHolds } from './path-conditions.ts'
import {
  every,
  LEVELS,
  label,
  nameMatches,
  opposite,
  type Side,
  some,
  type Tri,
  textMatches,
  tri,
  type Unit,
  type World,
} from './tri.ts'

export function holds(when: Conditions, unit: Unit, world: World, side: Side): Tri {
  const { call, now } = world
  const wide = side.tightens !== side.negated
  const all: Tri[] = []
  if (when.tool) all.push(tri(when.tool.some((p) => nameMatches(p, label(call)))))
  if (when.server) all.push(tri(when.server.some((p) => call.tool.server !== null && nameMatches(p, call.tool.server))))
  if (when.kind) {
    const used = unit.path !== null && when.kind.includes(unit.path.use)
    if (when.kind.includes(call.descriptor.kind) || (wide && used)) all.push('yes')
    else all.push(wide && unit.opaque ? 'unknown' : 'no')
  }
  if (when.agent) {
    const names = wide ? [call.agent.name, ...call.agent.parents] : [call.agent.name]
    const named = when.agent.some((p) => names.some((name) => nameMatches(p, name)))
    if (named) all.push(wide ? 'yes' : 'unknown')
    else all.push(!side.tightens && side.negated ? 'unknown' : 'no')
  }
  for (const [name, test] of Object.entries(when.args ?? {})) all.push(argument(call.args, name, test, wide))
  if (when.path) all.push(pathHolds(when.path, unit, now.places, wide))
  if (when.command) all.push(commandHolds(when.command, unit, world, wide))
  if (when.url) all.push(urlHolds(when.url, call))
  if (when.network) all.push(networkHolds(when.network.host, unit, wide))
  const level = LEVELS.indexOf(unit.level)
  if (when.risk?.at_least) all.push(tri(level >= LEVELS.indexOf(when.risk.at_least)))
  if (when.risk?.at_most) all.push(tri(level <= LEVELS.indexOf(when.risk.at_most)))
  const hints = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
    ...call.annotations,
  }
  for (const [hint, value] of Object.entries(when.annotations ?? {}))
    all.push(tri(hints[hint as keyof typeof hints] === value))
  if (when.hours) all.push(hoursHold(when.hours, now.now))
  if (when.all) all.push(every(when.all.map((inner) => holds(inner, unit, world, side))))
  if (when.any) all.push(some(when.any.map((inner) => holds(inner, unit, world, side))))
  if (when.not) all.push(opposite(holds(when.not, unit, world, { ...side, negated: !side.negated })))
  return every(all)
}

/** A list matches by any element if that tightens, by all if it loosens. */
function argument(args: Json, name: string, test: ValueTest, wide: boolean): Tri {
  const over = (all: Tri[]): Tri => (wide ? some(all) : every(all))
  const lead = (value: Json, names: string[]): Tri | null => {
    if (names.length === 0) return value_(value)
    if (value === null || typeof value !== 'object') return null
    if (Array.isArray(value)) return value.length === 0 ? null : over(value.map((one) => lead(one, names) ?? 'no'))
    const next = Object.entries(value).find(([key]) => key === names[0])
    return next ? lead(next[1], names.slice(1)) : null
  }
  const value_ = (value: Json): Tri => {
    if (!Array.isArray(value)) return valueHolds(test, value)
    if ((test.equals !== undefined || test.in !== undefined) && valueHolds(test, value) === 'yes') return 'yes'
    return value.length === 0 ? 'no' : over(value.map(value_))
  }
  return lead(args, name.split('.')) ?? 'no'
}

function valueHolds(test: ValueTest, value: Json): Tri {
  const sorted = (v: Json): Json =>
    v === null || typeof v !== 'object'
      ? v
      : Array.isArray(v)
        ? v.map(sorted)
        : Object.fromEntries(
            Object.entries(v)
              .sort()
              .map(([k, x]) => [k, sorted(x)]),
          )
  const same = (a: Json, b: Json) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^[-+]?[0-9.]+$/.test(value.trim())
        ? Number(value)
        : Number.NaN
  const text = (matches: (t: string) => boolean): Tri =>
    value === null ? 'no' : typeof value === 'object' ? 'unknown' : tri(matches(`${value}`))
  const { equals, above, below, glob, regex } = test
  const all: Tri[] = []
  if (equals !== undefined) all.push(tri(same(value, equals)))
  if (test.in !== undefined) all.push(tri(test.in.some((one) => same(value, one))))
  if (above !== undefined) all.push(Number.isNaN(number) ? 'unknown' : tri(number > above))
  if (below !== undefined) all.push(Number.isNaN(number) ? 'unknown' : tri(number < below))
  if (glob !== undefined) all.push(text((t) => textMatches(glob, t)))
  if (regex !== undefined) all.push(text((t) => new RegExp(regex).test(t)))
  return every(all)
}

function parseUrl(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

/** A rule that allows must name every host, one that tightens any of them. */
function networkHolds(patterns: readonly string[], { hosts, opaque }: Unit, wide: boolean): Tri {
  if (hosts.length === 0) return opaque ? 'unknown' : 'no'
  const all = hosts.map((use) => (use.host === null ? 'unknown' : tri(patterns.some((p) => hostMatches(p, use, wide)))))
  return wide ? some(all) : every(all)
}

/** `name`, `*.name`, with a port for others than 80 and 443; a rule that tightens means every port. */
export function hostMatches(pattern: string, { host, port }: HostUse, wide: boolean): boolean {
  const [name = '', given] = pattern.split(':')
  if (host === null || !textMatches(name, host)) return false
  if (port === null) return wide || given === undefined
  return given === undefined ? wide || port === 80 || port === 443 : Number(given) === port
}

function urlHolds(test: NonNullable<Conditions['url']>, call: FrozenCall): Tri {
  const { url, kind } = call.descriptor
  if (url === undefined) return 'no'
  const parsed = parseUrl(url)
  if (!parsed) return 'unknown'
  const { protocol, hostname } = parsed
  const stated = call.args['method']
  const method =
    typeof stated === 'string'
      ? stated.toUpperCase()
      : (kind === 'fetch' || kind === 'read') && !('body' in call.args)
        ? 'GET'
        : null
  const all: Tri[] = []
  if (test.scheme) all.push(tri(test.scheme.some((scheme) => `${scheme}:` === protocol)))
  if (test.host) all.push(tri(test.host.some((host) => nameMatches(host, hostname.replace(/\.$/, '')))))
  if (test.method) all.push(method === null ? 'unknown' : tri(test.method.includes(method)))
  return every(all)
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function hoursHold(test: NonNullable<Conditions['hours']>, now: number): Tri {
  const timeZone = test.zone ?? 'UTC'
  const format =
    clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  clocks.set(timeZone, format)
  const [date, clock = ''] = format.format(now).split(' ')
  const day = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][new Date(`${date}T00:00:00Z`).getUTCDay()] ?? ''
  const within = (range: string) => {
    const [from = '', to = ''] = range.split('-')
    return from < to ? clock >= from && clock < to : clock >= from || clock < to
  }
  return tri(
    (!test.inside || within(test.inside)) &&
      !(test.outside && within(test.outside)) &&
      (!test.days || test.days.includes(day)),
  )
}
