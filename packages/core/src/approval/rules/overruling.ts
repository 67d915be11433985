import type { PolicySet } from '../../policy/model/rule.ts'
import { type Supervision, supervisionRank } from '../../policy/model/supervision.ts'
import { mayMeet, newRules } from './required-act.ts'

/** A rule that a person’s own rule cannot lower. */
export interface Overruling {
  readonly id: string
  readonly layer: 'managed' | 'project'
  readonly file: string
  readonly supervision: Supervision
}

const MOST_NAMED = 5

/** Rules of an organization or a project that may concern the same calls as the new rules, and are stricter. */
export function overrulingRules(before: PolicySet, after: PolicySet): readonly Overruling[] {
  const added = newRules(before, after)
  return after.rules
    .flatMap(({ id, layer, file, supervision, floor, when }): readonly Overruling[] => {
      if (layer !== 'managed' && layer !== 'project') return []
      const isFinal = floor || supervision === 'deny' || layer === 'managed'
      const wins = added.some(
        (rule) => supervisionRank(rule.supervision) < supervisionRank(supervision) && mayMeet(rule.when, when),
      )
      return isFinal && wins ? [{ id, layer, file, supervision }] : []
    })
    .slice(0, MOST_NAMED)
}
