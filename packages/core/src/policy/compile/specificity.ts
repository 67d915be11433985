import type { Conditions, Layer, Rule } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'

/** Longer than any literal a policy file can hold. */
const EXACT = 1_000_000
const MAX_CONDITIONS = 9_999

const NEARNESS: { readonly [layer in Layer]: number } = { managed: 0, builtin: 0, preset: 1, project: 2, user: 3 }

/** Rank of a tool pattern: exact names highest, then globs by their literal length, then any tool. */
export function toolRank(pattern: string | null): number {
  if (pattern === null) return 0
  return pattern.includes('*') ? pattern.replaceAll('*', '').length : EXACT
}

/**
 * A number that orders base rules by layer, conditions on what the call does, the matching tool pattern, the number of
 * conditions, and strictness. The rule with the highest number is the base; rules with equal numbers count together.
 */
export function orderOf(rule: Rule, pattern: string | null): number {
  const counted = count(rule.when)
  const excepted = rule.unless ? count(rule.unless) : NOTHING
  const deep = counted.deep || excepted.deep ? 1 : 0
  const conditions = Math.min(counted.conditions + excepted.conditions, MAX_CONDITIONS)
  const place = (NEARNESS[rule.layer] * 2 + deep) * (EXACT + 1) + toolRank(pattern)
  return (place * (MAX_CONDITIONS + 1) + conditions) * 5 + supervisionRank(rule.supervision)
}

interface Count {
  readonly deep: boolean
  readonly conditions: number
}

/** Conditions that contain several tests. */
const NESTED: ReadonlySet<keyof Conditions> = new Set(['args', 'command', 'path', 'url', 'network'])

const NOTHING: Count = { deep: false, conditions: 0 }

/** Counts each test as one condition: every argument, and a command's program, verb and flags. `any`, `all` and `not` add nothing themselves. */
function count(when: Conditions): Count {
  let deep = false
  let conditions = 0
  for (const key of Object.keys(when) as (keyof Conditions)[]) {
    if (key === 'any' || key === 'all' || key === 'not') continue
    conditions += NESTED.has(key) ? Math.max(1, Object.keys(when[key] ?? {}).length) : 1
    deep ||=
      key === 'command' || key === 'path' || key === 'args' || key === 'url' || key === 'network' || key === 'kind'
  }
  for (const inner of [...(when.any ?? []), ...(when.all ?? []), ...(when.not ? [when.not] : [])]) {
    const counted = count(inner)
    conditions += counted.conditions
    deep ||= counted.deep
  }
  return { deep, conditions }
}
