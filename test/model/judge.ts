import type { FrozenCall } from '../../packages/core/src/call/call.ts'
import type { Conditions, PolicySet, Rule } from '../../packages/core/src/policy/model/rule.ts'
import type { Supervision } from '../../packages/core/src/policy/model/supervision.ts'
import type { HostUse } from '../../packages/core/src/risk/report/report.ts'
import { holds, hostMatches } from './conditions.ts'
import { byGrant, grantNames } from './grants.ts'
import { every, LEVELS, label, nameMatches, opposite, type Tri, type Unit, type World } from './tri.ts'
import { type Contribution, type Judged, max, strict } from './verdict.ts'

/** One part of a call: which rules apply to it, what the base is, and what raises it. */
export function judge(unit: Unit, world: World, set: PolicySet, hasGrant: boolean): Judged {
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

export function applies(rule: Rule, unit: Unit, world: World, raises = false): Tri {
  const tightens = raises || rule.supervision === 'deny' || rule.floor || rule.layer === 'managed'
  const unless = rule.unless ? holds(rule.unless, unit, world, { tightens, negated: true }) : 'no'
  return every([holds(rule.when, unit, world, { tightens, negated: false }), opposite(unless)])
}
