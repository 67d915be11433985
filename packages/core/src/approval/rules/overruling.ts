import type { PolicySet } from '../../policy/model/rule.ts'
import { type Supervision, supervisionRank } from '../../policy/model/supervision.ts'
import { mayMeet, newRules } from './required-act.ts'

/** A rule that a new rule of a person cannot lower. */
export interface Overruling {
  readonly id: string
  readonly layer: 'managed' | 'project' | 'user'
  readonly file: string
  readonly supervision: Supervision
}

const MOST_NAMED = 5

/** Rules that may concern the same calls as the new rules, are stricter, and win: floors, denials, and an organization's. */
export function overrulingRules(before: PolicySet, after: PolicySet): readonly Overruling[] {
  const added = newRules(before, after)
  return after.rules
    .flatMap(({ id, layer, file, supervision, floor, when }): readonly Overruling[] => {
      if (layer !== 'managed' && layer !== 'project' && layer !== 'user') return []
      const isFinal = floor || supervision === 'deny' || layer === 'managed'
      const wins = added.some(
        (rule) => supervisionRank(rule.supervision) < supervisionRank(supervision) && mayMeet(rule.when, when),
      )
      return isFinal && wins ? [{ id, layer, file, supervision }] : []
    })
    .slice(0, MOST_NAMED)
}
