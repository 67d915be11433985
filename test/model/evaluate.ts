import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { CommandPart } from '../../packages/core/src/command/model/decomposition.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { Grant } from '../../packages/core/src/policy/model/grant.ts'
import type { Conditions, PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { Supervision } from '../../packages/core/src/policy/model/supervision.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { PathUse, RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { every, holds, LEVELS, label, nameMatches, opposite, type Tri, type Unit, type World } from './conditions.ts'

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
}

const STRICT: Supervision[] = ['automatic', 'notify', 'confirm', 'manual', 'deny']
const strict = (s: Supervision) => STRICT.indexOf(s)
const max = (all: Supervision[]) => all.reduce((a, b) => (strict(b) > strict(a) ? b : a), 'automatic' as Supervision)

export function modelEvaluate(call: FrozenCall, risk: RiskReport, set: PolicySet, now: Circumstances): ModelVerdict {
  const world = { call, risk, now }
  const units = unitsOf(risk)
  const grant = now.grants.filter((one) => covers(one, world, units)).sort(byGrant)[0] ?? null
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
  return {
    supervision,
    rule: (supervision !== top ? limitName : winner?.decider) ?? '',
    contributors: [...new Set(names)].sort(),
    checks: [...new Set(speaking.flatMap((v) => v.rule?.checks ?? []))].sort(),
    settings: settingsOf(speaking.flatMap((v) => (v.rule?.settings ? [v.rule.settings] : []))),
    timeoutMs: timeouts.length > 0 ? Math.min(...timeouts) : set.timeoutMs,
    grant: strict(supervision) < 2 && judged.some((one) => one.granted) ? (grant?.id ?? null) : null,
    limit: limit?.name ?? null,
  }
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

function unitsOf(risk: RiskReport): Unit[] {
  const spread = (part: CommandPart | null, level: RiskLevel, paths: readonly PathUse[]): Unit[] =>
    (paths.length === 0 ? [null] : paths).map((path) => ({ part, path, level, opaque: false }))
  if (risk.parts.length === 0) return spread(null, risk.level, risk.paths)
  const units = risk.parts.flatMap((p) => spread(p.command, p.level, p.paths))
  const above = risk.parts.every((p) => LEVELS.indexOf(risk.level) > LEVELS.indexOf(p.level))
  if (!risk.understood || above) units.push({ part: null, path: null, level: risk.level, opaque: !risk.understood })
  return units
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
    return { supervision: 'deny', decider: first(denies), voices: denies.map(voice), granted: false }

  let base: { supervision: Supervision; decider: string; voices: Contribution[] } | null = null
  const row = { supervision: set.row.byRisk[unit.level], decider: preset(set, unit.level) }
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
  const own = yes.filter((rule) => !isFloor(rule))
  const byPreset = base && !own.some((rule) => rule.layer === 'user' || rule.layer === 'project')
  if (base && byPreset && own.some((rule) => rule.layer === 'preset') && strict(base.supervision) < 2 && ask) {
    const why = call.requiresConfirmation ? 'declared' : call.source === 'mcp' ? 'mcp' : null
    const decider = `builtin.${why}-confirm|builtin|builtin|1`
    if (why) base = { supervision: 'confirm', decider, voices: [...base.voices, { name: decider, rule: null }] }
  }
  if (!base) {
    const answers = [row]
    if (call.descriptor.source === 'nobody')
      answers.push({ supervision: set.row.undescribed, decider: preset(set, 'undescribed') })
    if (ask && call.requiresConfirmation)
      answers.push({ supervision: 'confirm', decider: 'builtin.declared-confirm|builtin|builtin|1' })
    if (ask && call.source === 'mcp')
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
  const supervision = max([answer, ...raises.map((raise) => raise.to)])
  const raised = raises.filter((raise) => raise.to === supervision).map((raise) => raise.rule)
  const decider = supervision === answer ? base.decider : first(raised)
  return { supervision, decider, voices: [...base.voices, ...raises.map((raise) => voice(raise.rule))], granted }
}

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
  const deep = leaves.some((leaf) => ['command', 'path', 'args', 'url', 'kind'].includes(leaf))
  const matching = (rule.when.tool ?? []).filter((pattern) => nameMatches(pattern, label(world.call)))
  const literal = matching.map((pattern) => (pattern.includes('*') ? pattern.split('*').join('').length : 1e6))
  return [deep ? 1 : 0, Math.max(0, ...literal), leaves.length, strict(rule.supervision)]
}

function leavesOf(when: Conditions): string[] {
  const { any = [], all = [], not, ...rest } = when
  const inner = [...any, ...all, ...(not ? [not] : [])].flatMap(leavesOf)
  const several = ['args', 'command', 'path', 'url']
  const own = Object.entries(rest).flatMap(([key, test]) =>
    several.includes(key) ? Object.keys(test).map(() => key) : [key],
  )
  return [...own, ...inner]
}

function applies(rule: Rule, unit: Unit, world: World): Tri {
  const tightens = rule.supervision === 'deny' || rule.floor || rule.layer === 'managed'
  const unless = rule.unless ? holds(rule.unless, unit, world, { tightens, negated: true }) : 'no'
  return every([holds(rule.when, unit, world, { tightens, negated: false }), opposite(unless)])
}

const byGrant = (a: Grant, b: Grant) =>
  Number(a.lifetime.kind === 'uses') - Number(b.lifetime.kind === 'uses') || (a.id < b.id ? -1 : 1)

function covers(grant: Grant, world: World, units: Unit[]): boolean {
  const { call, risk, now } = world
  const { scope, lifetime } = grant
  const shell = call.descriptor.kind === 'execute' || 'command' in call.descriptor || risk.parts.length > 0
  if (grant.session !== call.session || grant.agent.join('\n') !== [...call.agent.parents, call.agent.name].join('\n'))
    return false
  if (lifetime.kind === 'until' && now.now >= lifetime.at) return false
  if (call.session === null && (scope.kind !== 'exact' || lifetime.kind === 'session')) return false
  if (scope.kind === 'exact') return scope.grantKey === call.grantKey
  if (scope.kind === 'server') return !shell && scope.server === call.tool.server
  if (scope.kind === 'tool')
    return (
      !shell &&
      JSON.stringify([scope.server, scope.tool, scope.definition]) ===
        JSON.stringify([call.tool.server, call.tool.name, call.tool.definition])
    )
  const when = scope.when as Conditions
  if (shell && !(when.command?.program && scope.around)) return false
  if (scope.around && scope.around.key !== call.around?.key) return false
  return units.every((unit) => holds(when, unit, world, { tightens: false, negated: false }) === 'yes')
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
