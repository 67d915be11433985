import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Circumstances } from '../../packages/core/src/policy/model/circumstances.ts'
import type { PolicySet } from '../../packages/core/src/policy/model/rule.ts'
import type { Supervision } from '../../packages/core/src/policy/model/supervision.ts'
import type { RiskLevel } from '../../packages/core/src/risk/report/level.ts'
import type { RiskReport } from '../../packages/core/src/risk/report/report.ts'
import { contained, isCommand, proofOf } from './contained.ts'
import { byGrant, covers } from './grants.ts'
import { applies, judge } from './judge.ts'
import { LEVELS, type Unit, type World } from './tri.ts'
import { unitsOf } from './units.ts'
import { type ModelVerdict, max, type PlainSettings, strict } from './verdict.ts'

/**
 * The reference model: docs/reference/judgement.md implemented as simply as possible. It shares only types and the command
 * parser with the product. Where they differ, one of them is wrong.
 *
 * The strictest verdict on the call at every level from the rated one to the one that `raises_to` states.
 */
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

/** The preset's checks of calls that change files; none if the call is denied. */
function presetChecks(supervision: Supervision, { risk }: World, { row }: PolicySet): readonly string[] {
  const changed = risk.paths.filter(({ use }) => use === 'write' || use === 'delete')
  const isDevice = (path: string) =>
    /^\/dev\/(null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d{1,4})$/.test(path)
  const real = changed.filter((path) => !isDevice(path.given) && !isDevice(path.real ?? path.given))
  return supervision === 'deny' || real.length === 0 ? [] : (row.checks?.changes ?? [])
}

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
