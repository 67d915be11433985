import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Json } from '../../packages/core/src/call/json/json.ts'
import { decompose } from '../../packages/core/src/command/decompose.ts'
import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import { grantableOptions } from '../../packages/core/src/command/programs/global-options.ts'
import { findVerb, hasFlag, wholeVerb } from '../../packages/core/src/command/programs/subcommand.ts'
import { isWithinShown, shownWords } from '../../packages/core/src/policy/match/shown-words.ts'
import type { Circumstances, Places } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Conditions, ValueTest } from '../../packages/core/src/policy/model/rule.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { HostUse, PathUse, RiskReport } from '../../packages/core/src/risk/report/report.ts'

/** The conditions of the policy language in the reference model: yes, no or unknown. */
export type Tri = 'no' | 'unknown' | 'yes'
export interface Unit {
  part: CommandPart | null
  path: PathUse | null
  hosts: readonly HostUse[]
  level: RiskLevel
  rowLevel: RiskLevel
  contained: boolean
  opaque: boolean
}
export interface World {
  call: FrozenCall
  risk: RiskReport
  now: Circumstances
}
/** Whether a match can only tighten: a deny or a floor, not under an odd number of `not` and `unless`. */
export interface Side {
  tightens: boolean
  negated: boolean
}

export const LEVELS = ['none', 'low', 'medium', 'high', 'critical']
const TRI: Tri[] = ['no', 'unknown', 'yes']
export const every = (all: Tri[]): Tri => TRI[Math.min(2, ...all.map((t) => TRI.indexOf(t)))] ?? 'no'
const some = (all: Tri[]): Tri => TRI[Math.max(0, ...all.map((t) => TRI.indexOf(t)))] ?? 'no'
export const opposite = (t: Tri): Tri => (t === 'yes' ? 'no' : t === 'no' ? 'yes' : 'unknown')
const tri = (holds: boolean): Tri => (holds ? 'yes' : 'no')

export const label = (call: FrozenCall) =>
  call.tool.server === null ? call.tool.name : `${call.tool.server}/${call.tool.name}`
export const nameMatches = (pattern: string, name: string) => textMatches(pattern.toLowerCase(), name.toLowerCase())

/** `*` matches any run of characters. */
export function textMatches(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return textMatches(pattern.slice(1), text) || (text !== '' && textMatches(pattern, text.slice(1)))
  return pattern[0] === text[0] && textMatches(pattern.slice(1), text.slice(1))
}

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

const isIn = (folder: string, path: string) =>
  folder
    .split('/')
    .filter(Boolean)
    .every((s, at) => path.split('/').filter(Boolean)[at] === s)
const place = (text: string, places: Places) =>
  text.replace(/^~(?=\/|$)/, places.home).replace(/^\$\{(\w+)\}/, (_, name: keyof Places) => places[name])

function pathHolds(test: NonNullable<Conditions['path']>, unit: Unit, places: Places, wide: boolean): Tri {
  const real = unit.path?.real
  if (!unit.path) return unit.opaque ? 'unknown' : 'no'
  if (real == null) return unit.path.within === undefined ? 'unknown' : belowHolds(test, unit.path.within, places, wide)
  const globbed = (pattern: string): boolean => {
    const rooted = place(pattern, places)
    if (pattern.startsWith('**') && segmentsMatch(pattern.split('/'), real.slice(1).split('/'))) return true
    const whole = rooted.startsWith('/') ? rooted : `${places.workspace}/${rooted}`
    return segmentsMatch(whole.slice(1).split('/'), real.slice(1).split('/'))
  }
  const folder = (text: string) => place(text, places)
  return tri(
    (!test.inside || test.inside.some((f) => isIn(folder(f), real))) &&
      !test.outside?.some((f) => isIn(folder(f), real)) &&
      (!test.glob || test.glob.some(globbed)) &&
      !test.except?.some(globbed),
  )
}

/** A glob can match anything below a folder; it loosens nothing. */
function belowHolds(test: NonNullable<Conditions['path']>, below: string, places: Places, wide: boolean): Tri {
  const among = (folders: readonly string[]): Tri => {
    if (folders.some((f) => isIn(place(f, places), below))) return 'yes'
    return folders.some((f) => isIn(below, place(f, places))) ? 'unknown' : 'no'
  }
  const found = every([test.inside ? among(test.inside) : 'yes', test.outside ? opposite(among(test.outside)) : 'yes'])
  return found === 'yes' && (!wide || test.glob || test.except) ? 'unknown' : found
}

/** `**` matches any number of segments, including none. */
export function segmentsMatch(pattern: string[], path: string[]): boolean {
  const [head, ...rest] = pattern
  if (head === undefined) return path.length === 0
  if (head === '**') return segmentsMatch(rest, path) || (path.length > 0 && segmentsMatch(pattern, path.slice(1)))
  return path.length > 0 && segmentMatches(head, path[0] ?? '') && segmentsMatch(rest, path.slice(1))
}

function segmentMatches(pattern: string, text: string): boolean {
  const braces = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern)
  if (braces)
    return (braces[2] ?? '').split(',').some((choice) => segmentMatches(`${braces[1]}${choice}${braces[3]}`, text))
  const source = pattern
    .replace(/[.+^$()|\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
    .replaceAll('[!', '[^')
  return new RegExp(`^${source}$`, 'su').test(text)
}

/** Undefined unless it is a plain word. */
function wordOf({ value, glob }: { readonly value: string | null; readonly glob: boolean }): string | undefined {
  return value === null || glob || value.startsWith('-') ? undefined : value
}

/** Matches the words of a verb in order; unknown if one is not a plain word. */
function wordsHold(wanted: readonly string[], words: readonly (string | undefined)[]): Tri {
  for (let at = 0; at < wanted.length; at += 1) {
    if (at >= words.length) return 'no'
    const word = words[at]
    if (word === undefined) return 'unknown'
    if (!textMatches(wanted[at] ?? '', word)) return 'no'
  }
  return 'yes'
}

/** The same words around the same verb; read narrowly, also nothing before, behind or beside them. */
function likeHolds(text: string, part: CommandPart, { call, now }: World, wide: boolean): Tri {
  const [like] = decompose(text).parts
  const verb = like && wholeVerb(like)
  const shown = like && verb ? shownWords(like, verb) : null
  if (!like || !verb || !shown || part.program === null) return 'unknown'
  if (part.program !== like.program) return 'no'
  if (findVerb(part).kind === 'unknown' || part.args.some((word) => word.value === null || word.glob)) return 'unknown'
  if (wholeVerb(part) !== verb || !isWithinShown(part, [verb], shown)) return 'no'
  const before = [...(grantableOptions(part.program)?.valued ?? [])].some((flag) => hasFlag(part, flag) !== 'no')
  const alone = part.assignments.length + part.via.length + part.redirections.length === 0 && part.stdin.kind === 'none'
  return wide ||
    (alone &&
      !before &&
      call.around?.beside.every(
        (name) => name === 'program' && call.args[name] === now.programs?.get(part.program ?? ''),
      ))
    ? 'yes'
    : 'unknown'
}

function commandHolds(test: NonNullable<Conditions['command']>, unit: Unit, world: World, wide: boolean): Tri {
  const { part } = unit
  if (!part) return unit.opaque ? 'unknown' : 'no'
  const bins = ['', '/bin/', '/usr/bin/', '/usr/local/bin/', '/sbin/', '/usr/sbin/', '/opt/homebrew/bin/']
  const itself = bins.some((bin) => part.path === `${bin}${part.program}`)
  const named = test.program?.some((program) => part.program !== null && textMatches(program, part.program))
  const verb = findVerb(part)
  const all: Tri[] = []
  if (test.program) all.push(part.program === null ? 'unknown' : !named ? 'no' : wide || itself ? 'yes' : 'unknown')
  if (test.verb)
    all.push(
      verb.kind === 'verb'
        ? some(test.verb.map((wanted) => wordsHold(wanted.split(' '), [verb.verb, ...verb.rest.map(wordOf)])))
        : verb.kind === 'none'
          ? 'no'
          : 'unknown',
    )
  if (test.flags) all.push(some(test.flags.map((flag) => hasFlag(part, flag))))
  if (test.like) all.push(likeHolds(test.like, part, world, wide))
  if (test.in) {
    const { places } = world.now
    const at = part.cwd || world.call.around?.cwd || world.call.cwd
    const here = (folder: string) => place(folder, places).replace(/^(?!\/)/, `${places.workspace}/`)
    all.push(part.cwd === null ? 'unknown' : tri(test.in.some((folder) => here(folder) === at)))
  }
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
