import { riskRank } from '../../risk/report/level.ts'
import type { HostUse } from '../../risk/report/report.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { compileRule } from '../match/conditions.ts'
import { compileNamedHosts } from '../match/network.ts'
import type { Reading } from '../match/three-valued-logic.ts'
import type { Rule } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'
import type { RuleRef } from '../model/verdict.ts'
import { type LiteralKey, literalKey } from './literal-key.ts'
import { type Contribution, type MatchStatus, ruleContribution } from './verdict-contribution.ts'

/** A deny is final, a floor only raises, and base rules compete for the answer. */
export type Effect = 'deny' | 'floor' | 'base'

/** A rule ready to judge. Its conditions and texts are compiled on first use. */
export class CompiledRule {
  readonly source: Rule
  readonly effect: Effect
  readonly rank: number
  readonly upTo: number
  readonly ref: RuleRef
  #test: ((unit: Unit, about: Case) => 0 | 1 | 2) | null = null
  #key: { readonly found: LiteralKey | null } | null = null
  #hosts: { readonly named: ((use: HostUse) => boolean) | null } | null = null
  readonly #contributions: { [status in MatchStatus]?: Contribution } = {}

  constructor(rule: Rule) {
    this.source = rule
    this.effect = effectOf(rule)
    this.rank = supervisionRank(rule.supervision)
    this.upTo = riskRank(rule.upTo)
    this.ref = { id: rule.id, layer: rule.layer, file: rule.file, line: rule.line }
  }

  /** Whether the rule applies. The tool pattern was already checked by the index. */
  applies(unit: Unit, about: Case): 0 | 1 | 2 {
    this.#test ??= this.#compile()
    return this.#test(unit, about)
  }

  /** The literal the index uses, computed once. */
  get key(): LiteralKey | null {
    this.#key ??= { found: literalKey(this.source.when) }
    return this.#key.found
  }

  /** Whether the rule lets calls run unasked and names this host. */
  names(use: HostUse): boolean {
    this.#hosts ??= { named: this.#namesHosts ? compileNamedHosts(this.source.when) : null }
    return this.#hosts.named?.(use) ?? false
  }

  get #namesHosts(): boolean {
    return this.effect === 'base' && this.rank < supervisionRank('confirm')
  }

  contribution(status: MatchStatus): Contribution {
    this.#contributions[status] ??= ruleContribution(this.source, this.ref, status)
    return this.#contributions[status]
  }

  #compile(): (unit: Unit, about: Case) => 0 | 1 | 2 {
    const { tool: _found, ...rest } = this.source.when
    return compileRule(rest, this.source.unless, readingOf(this.source))
  }
}

/** INVARIANT: a managed file only tightens. */
export function effectOf(rule: Rule): Effect {
  if (rule.supervision === 'deny') return 'deny'
  return rule.floor || rule.layer === 'managed' ? 'floor' : 'base'
}

/**
 * Whether a rule applies to nested calls that can't be read. Rules people wrote do, and so do a preset's floors and denies.
 * The other rules of a preset are covered by the risk, which is high for such calls.
 */
export function countsUnseen(rule: Rule): boolean {
  return rule.layer !== 'builtin' && (rule.layer !== 'preset' || effectOf(rule) !== 'base')
}

/** Doubt goes against the call: conditions that can only tighten match broadly, the others narrowly. */
export function readingOf(rule: Rule): Reading {
  return { tightens: effectOf(rule) !== 'base', negated: false }
}
