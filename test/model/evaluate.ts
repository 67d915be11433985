import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Bounds } from '../../packages/core/src/policy/model/containment.ts'
import type { Conditions, PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { Supervision } from '../../packages/core/src/policy/model/supervision.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { HostUse, RiskReport } from '../../packages/core/src/risk/report/report.ts'
import {
  every,
  holds,
  hostMatches,
  LEVELS,
  label,
  nameMatches,
  opposite,
  type Tri,
  type Unit,
  type World,
} from './conditions.ts'
import { adds, byGrant, covers, grantNames } from './grants.ts'
import { contacted, unitsOf } from './units.ts'

/**
 * The reference model: docs/reference/judgement.md implemented as simply as possible. It shares only types and the command
 * parser with the product. Where they differ, one of them is wrong.
 */
export interface ModelVerdict {
  supervision: Supervision
  rule: string
  contributors: string[]
  checks: string[]
  settings: PlainSettings
  timeoutMs: number
  grant: string | null
  limit: string | null
  contain: Bounds | null
}

const STRICT: Supervision[] = ['automatic', 'notify', 'confirm', 'manual', 'deny']
const strict = (s: Supervision) => STRICT.indexOf(s)
const max = (all: Supervision[]) => all.reduce((a, b) => (strict(b) > strict(a) ? b : a), 'automatic' as Supervision)

/** The strictest verdict on the call at every level from the rated one to the one that `raises_to` states. */
export function modelEvaluate(call: FrozenCall, risk: RiskReport, set: PolicySet, now: Circumstances): ModelVerdict {
  const [rated, ...raised] = LEVELS.map((_, rank) => evaluateAt(rank, call, risk, set, now))
  if (rated === undefined) throw new RangeError('there is a level')
  return raised.reduce((one, other) => {
    const [winner, loser] = strict(other.supervision) > strict(one.supervision) ? [other, one] : [one, other]
    if (winner.supervision === 'deny') return winner
    return {
      ...winner,
      contributors: [...new Set([...winner.contributors, ...loser.contributors])].sort(),
      checks: [...new Set([...winner.checks, ...loser.checks])].sort(),
      settings: settingsOf([winner.settings, loser.settings]),
      timeoutMs: Math.min(winner.timeoutMs, loser.timeoutMs),
    }
  }, rated)
}

/** A unit at the level that rules state for it, but not above `rank`. Rules see the rated level. */
function stated(unit: Unit, rank: number, world: World, set: PolicySet): Unit {
  const raising = set.rules.filter((rule) => rule.raisesTo && applies(rule, unit, world, true) !== 'no')
  const to = Math.min(rank, Math.max(0, ...raising.map((rule) => LEVELS.indexOf(rule.raisesTo ?? 'none'))))
  const up = (level: RiskLevel) => LEVELS[Math.max(to, LEVELS.indexOf(level))] as RiskLevel
  return { ...unit, level: up(unit.level), rowLevel: up(unit.rowLevel) }
}

function evaluateAt(
  rank: number,
  call: FrozenCall,
  risk: RiskReport,
  set: PolicySet,
  now: Circumstances,
): ModelVerdict {
  const world = { call, risk, now }
  const sandboxed =
    now.sandbox === 'works' &&
    call.containable &&
    !call.outside &&
    risk.needsOutside === undefined &&
    set.row.contained !== 'never' &&
    isCommand(world)
  const proof = proofOf(world)
  const enough = proof === 'reads' || (proof === 'changes' && set.row.contained === 'any')
  const rated = unitsOf(risk, sandboxed || (isCommand(world) && !call.outside && enough))
  const units = rated.map((unit) => stated(unit, rank, world, set))
  const grant = now.grants.filter((one) => covers(one, world, rated)).sort(byGrant)[0] ?? null
  const judged = units.map((unit) => judge(unit, world, set, grant !== null))
  const top = max(judged.map((one) => one.supervision))
  const limit = passed(world, set)
  const supervision = limit && top !== 'deny' ? max([top, 'confirm']) : top
  const winner = judged.find((one) => one.supervision === top)
  const speaking = judged.filter((one) => top !== 'deny' || one.supervision === 'deny').flatMap((one) => one.voices)
  const limitName = limit && `limits.${limit.name}|${limit.layer}|${limit.file}|${limit.line}`
  const setting = judged.filter((one) => one.supervision === top).flatMap((one) => one.voices)
  const names = [...setting.map((v) => v.name), ...(limitName && top !== 'deny' ? [limitName] : [])]
  const timeouts = speaking.flatMap((v) => v.rule?.timeoutMs ?? [])
  const used = judged.some((one) => one.granted)
    ? (grant?.id ?? null)
    : (judged.find((one) => one.named !== null)?.named ?? null)
  const plain: ModelVerdict = {
    supervision,
    rule: (supervision !== top ? limitName : winner?.decider) ?? '',
    contributors: [...new Set(names)].sort(),
    checks: [...new Set(speaking.flatMap((v) => v.rule?.checks ?? []))].sort(),
    settings: settingsOf(speaking.flatMap((v) => (v.rule?.settings ? [v.rule.settings] : []))),
    timeoutMs: timeouts.length > 0 ? Math.min(...timeouts) : set.timeoutMs,
    grant: strict(supervision) < 2 ? used : null,
    limit: limit?.name ?? null,
    contain: null,
  }
  const placed = isCommand(world) ? contained(plain, { world, set, units, judged, sandboxed, enough }) : plain
  const checks = [...new Set([...placed.checks, ...presetChecks(placed.supervision, world, set)])].sort()
  return { ...placed, checks }
}

const isCommand = ({ call, risk }: World) => risk.parts.length > 0 || 'command' in call.descriptor

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
function contained(verdict: ModelVerdict, { world, set, units, judged, sandboxed, enough }: Placed): ModelVerdict {
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
function proofOf({ call, risk }: World): 'reads' | 'changes' | null {
  if (!risk.understood || risk.parts.length === 0 || !risk.parts.every((part) => holdsHere(part, call))) return null
  return risk.level === 'none' && risk.parts.every(({ proven }) => proven === 'reads') ? 'reads' : 'changes'
}

const exceeded = (rule: Rule, unit: Unit | undefined) =>
  strict(rule.supervision) < 2 && unit !== undefined && LEVELS.indexOf(unit.level) > LEVELS.indexOf(rule.upTo)

/** The preset's checks of calls that change files; none if the call is denied. */
function presetChecks(supervision: Supervision, { risk }: World, { row }: PolicySet): readonly string[] {
  const changed = risk.paths.filter(({ use }) => use === 'write' || use === 'delete')
  const isDevice = (path: string) =>
    /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d{1,4})$/.test(path)
  const real = changed.filter((path) => !isDevice(path.given) && !isDevice(path.real ?? path.given))
  return supervision === 'deny' || real.length === 0 ? [] : (row.checks?.changes ?? [])
}

type PlainSettings = Record<string, Record<string, unknown>>

/** `size` uses the smallest limit, `url` the hosts that all rules allow; the model knows no other option. */
function settingsOf(all: readonly object[]): PlainSettings {
  const said = all as readonly { size?: { most: number }; url?: { allow: string[] } }[]
  const sizes = said.flatMap((one) => one.size?.most ?? [])
  const hosts = said.flatMap((one) => (one.url ? [one.url.allow] : []))
  const common = (hosts[0] ?? []).filter((host) => hosts.every((list) => list.includes(host)))
  return {
    ...(sizes.length > 0 ? { size: { most: Math.min(...sizes), deleted: 9, files: 9 } } : {}),
    ...(hosts.length > 0 ? { url: { allow: common, schemes: ['https'] } } : {}),
  }
}

interface Contribution {
  name: string
  rule: Rule | null
}
interface Judged {
  supervision: Supervision
  decider: string
  voices: Contribution[]
  granted: boolean
  named: string | null
}

function judge(unit: Unit, world: World, set: PolicySet, hasGrant: boolean): Judged {
  const name = (rule: Rule) => `${rule.id}|${rule.layer}|${rule.file}|${rule.line}`
  const voice = (rule: Rule): Contribution => ({ name: name(rule), rule })
  const first = (rules: Rule[]) => rules.map(name).sort(byName)[0] ?? ''
  const isFloor = (rule: Rule) => rule.floor || rule.layer === 'managed'
  const answers = set.rules.map((rule) => applies(rule, unit, world))
  const yes = set.rules.filter((_, at) => answers[at] === 'yes')
  const open = set.rules.filter((rule, at) => answers[at] === 'unknown' && rule.layer !== 'builtin')
  const denies = yes.filter((rule) => rule.supervision === 'deny')
  if (denies.length > 0)
    return { supervision: 'deny', decider: first(denies), voices: denies.map(voice), granted: false, named: null }

  let base: { supervision: Supervision; decider: string; voices: Contribution[] } | null = null
  const row = { supervision: set.row.byRisk[unit.rowLevel], decider: preset(set, unit.rowLevel) }
  for (const layer of ['user', 'project', 'preset', 'builtin']) {
    const rules = yes.filter((rule) => !isFloor(rule) && rule.layer === layer)
    if (rules.length === 0 || base) continue
    const best = rules.reduce((a, b) => (moreSpecific(b, a, world) ? b : a))
    const ties = rules.filter((rule) => !moreSpecific(best, rule, world) && rule.supervision === best.supervision)
    base = { supervision: best.supervision, decider: first(ties), voices: ties.map(voice) }
    if (strict(best.supervision) < 2 && ties.some((rule) => LEVELS.indexOf(unit.level) > LEVELS.indexOf(rule.upTo))) {
      const stricter = strict(row.supervision) > strict(best.supervision)
      base = { ...(stricter ? row : base), voices: [...base.voices, { name: row.decider, rule: null }] }
    }
  }
  const { call } = world
  const ask = !set.row.ignoresDeclarations
  const { server } = call.tool
  const isTrusted = call.source === 'mcp' && server !== null && world.now.trustedServers?.has(server) === true
  const hinted = call.annotations?.readOnlyHint === true && call.annotations.destructiveHint !== true
  const trustedRead = isTrusted && hinted && LEVELS.indexOf(unit.level) <= 1
  const own = yes.filter((rule) => !isFloor(rule))
  const byPreset = base && !own.some((rule) => rule.layer === 'user' || rule.layer === 'project')
  if (base && byPreset && own.some((rule) => rule.layer === 'preset') && strict(base.supervision) < 2 && ask) {
    const why = call.requiresConfirmation
      ? 'declared'
      : call.source === 'mcp' && !trustedRead
        ? 'mcp'
        : isGuess(call)
          ? 'guessed'
          : null
    const decider = `builtin.${why}-confirm|builtin|builtin|1`
    if (why) base = { supervision: 'confirm', decider, voices: [...base.voices, { name: decider, rule: null }] }
  }
  if (!base) {
    const answers = [row]
    if (call.descriptor.source === 'nobody' && !trustedRead)
      answers.push({ supervision: set.row.undescribed, decider: preset(set, 'undescribed') })
    if (ask && call.requiresConfirmation)
      answers.push({ supervision: 'confirm', decider: 'builtin.declared-confirm|builtin|builtin|1' })
    if (ask && isGuess(call))
      answers.push({ supervision: 'confirm', decider: 'builtin.guessed-confirm|builtin|builtin|1' })
    if (ask && call.source === 'mcp' && !trustedRead)
      answers.push({ supervision: 'confirm', decider: 'builtin.mcp-confirm|builtin|builtin|1' })
    const top = answers.reduce((a, b) => (strict(b.supervision) > strict(a.supervision) ? b : a))
    base = { ...top, voices: [{ name: top.decider, rule: null }] }
  }
  const granted = hasGrant && base.supervision === 'confirm' && LEVELS.indexOf(unit.level) <= 2
  const answer = granted ? 'automatic' : base.supervision
  const raises = [
    ...yes.filter(isFloor).map((rule) => ({ rule, to: rule.supervision })),
    ...open
      .filter((rule) => rule.supervision === 'deny' || isFloor(rule) || strict(rule.supervision) >= 2)
      .map((rule) => ({ rule, to: rule.supervision === 'deny' ? ('manual' as Supervision) : rule.supervision })),
  ]
  const contact = contactOf(unit, world, set, own)
  const to = contact.left ? (set.row.contact ?? 'confirm') : 'automatic'
  const supervision = max([answer, to, ...raises.map((raise) => raise.to)])
  const contactName = preset(set, 'contact')
  const raised = [
    ...raises.filter((raise) => raise.to === supervision).map((raise) => name(raise.rule)),
    ...(contact.left && to === supervision ? [contactName] : []),
  ]
  const decider = supervision === answer ? base.decider : (raised.sort(byName)[0] ?? '')
  const voices = [...base.voices, ...raises.map((raise) => voice(raise.rule))]
  if (contact.left) voices.push({ name: contactName, rule: null })
  return { supervision, decider, voices, granted, named: contact.grant }
}

/** First contact: a host must be named by the policy, an allowing rule or a grant; in the sandbox, not this machine. */
function contactOf(unit: Unit, world: World, set: PolicySet, own: Rule[]): { left: boolean; grant: string | null } {
  const contact = set.row.contact ?? 'confirm'
  if (contact === 'automatic') return { left: false, grant: null }
  const allowing = own.filter((rule) => strict(rule.supervision) < 2)
  const lists = set.network ? [set.network.named, ...set.network.within] : [[]]
  const unnamed = unit.hosts.filter((use) => {
    if (unit.contained && (use.host === 'localhost' || use.host === '127.0.0.1')) return false
    const isListed = lists.every((list) => list.some((p) => hostMatches(p, use, false)))
    return !(use.use === 'read' && isListed) && !allowing.some((rule) => ruleNames(rule.when, use))
  })
  const grants = unnamed.map((use) =>
    contact !== 'confirm' ? undefined : world.now.grants.filter((one) => grantNames(one, world, use)).sort(byGrant)[0],
  )
  const left = grants.includes(undefined)
  return { left, grant: left ? null : (grants[0]?.id ?? null) }
}

function ruleNames({ network, url, any = [], all = [] }: Conditions, use: HostUse): boolean {
  if (network?.host.some((p) => hostMatches(p, use, false))) return true
  if (url?.host?.some((p) => use.host !== null && nameMatches(p, use.host))) return true
  return [...any, ...all].some((inner) => ruleNames(inner, use))
}

const isGuess = (call: FrozenCall) => call.source === 'custom' && call.descriptor.source === 'guessed'
const preset = (set: PolicySet, row: string) => `preset.${set.row.preset}.${row}|preset|preset:${set.row.preset}|1`
const byName = (a: string, b: string) => {
  const [x, y] = [a.split('|'), b.split('|')]
  const key = (n: string[]) => [n[0], n[2], String(n[3]).padStart(9, '0'), n[1]].join('\u0000')
  return key(x) < key(y) ? -1 : key(x) > key(y) ? 1 : 0
}

/** Compares the conditions on the call first, then on the tool, then the number of conditions, then strictness. */
function moreSpecific(a: Rule, b: Rule, world: World): boolean {
  const [x, y] = [specificity(a, world), specificity(b, world)]
  const at = x.findIndex((n, index) => n !== y[index])
  return at >= 0 && (x[at] ?? 0) > (y[at] ?? 0)
}

function specificity(rule: Rule, world: World): number[] {
  const leaves = [...leavesOf(rule.when), ...(rule.unless ? leavesOf(rule.unless) : [])]
  const deep = leaves.some((leaf) => ['command', 'path', 'args', 'url', 'network', 'kind'].includes(leaf))
  const matching = (rule.when.tool ?? []).filter((pattern) => nameMatches(pattern, label(world.call)))
  const literal = matching.map((pattern) => (pattern.includes('*') ? pattern.split('*').join('').length : 1e6))
  return [deep ? 1 : 0, Math.max(0, ...literal), leaves.length, strict(rule.supervision)]
}

function leavesOf(when: Conditions): string[] {
  const { any = [], all = [], not, ...rest } = when
  const inner = [...any, ...all, ...(not ? [not] : [])].flatMap(leavesOf)
  const several = ['args', 'command', 'path', 'url', 'network']
  const own = Object.entries(rest).flatMap(([key, test]) =>
    several.includes(key) ? Object.keys(test).map(() => key) : [key],
  )
  return [...own, ...inner]
}

function applies(rule: Rule, unit: Unit, world: World, raises = false): Tri {
  const tightens = raises || rule.supervision === 'deny' || rule.floor || rule.layer === 'managed'
  const unless = rule.unless ? holds(rule.unless, unit, world, { tightens, negated: true }) : 'no'
  return every([holds(rule.when, unit, world, { tightens, negated: false }), opposite(unless)])
}

function passed({ call, risk, now }: World, set: PolicySet): PolicySet['limits'][number] | null {
  const files = new Set(risk.paths.filter((p) => p.use === 'write' || p.use === 'delete').map((p) => p.real ?? p.given))
    .size
  const content = call.args['content']
  const lines =
    (call.descriptor.kind === 'write' || risk.paths.some((p) => p.use === 'write')) && typeof content === 'string'
      ? content.split('\n').filter((line, at, all) => line !== '' || at < all.length - 1).length
      : 0
  const adds = { calls: 1, files, lines }
  const order = [...set.limits].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.most - b.most))
  return (
    order.find((limit) => (now.counters[limit.name] ?? Number.POSITIVE_INFINITY) + adds[limit.name] > limit.most) ??
    null
  )
}
