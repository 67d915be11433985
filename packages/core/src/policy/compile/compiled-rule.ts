import { riskRank } from '../../risk/report/level.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { compileRule } from '../match/conditions.ts'
import type { Reading } from '../match/three-valued-logic.ts'
import type { Rule } from '../model/rule.ts'
import { supervisionRank } from '../model/supervision.ts'
import type { RuleRef } from '../model/verdict.ts'
import { type LiteralKey, literalKey } from './literal-key.ts'
import { type RuleStand, ruleVoice, type Voice } from './verdict-contribution.ts'

/** How a rule weighs in: a deny ends the matter, a floor only raises, a base rule competes for the answer. */
export type Effect = 'deny' | 'floor' | 'base'

/** A rule ready to judge. Its conditions are compiled when they are first asked, its words when they are first needed. */
export class CompiledRule {
  readonly source: Rule
  readonly effect: Effect
  readonly rank: number
  readonly upTo: number
  readonly ref: RuleRef
  #test: ((unit: Unit, about: Case) => 0 | 1 | 2) | null = null
  #key: { readonly found: LiteralKey | null } | null = null
  readonly #voices: { [stand in RuleStand]?: Voice } = {}

  constructor(rule: Rule) {
    this.source = rule
    this.effect = effectOf(rule)
    this.rank = supervisionRank(rule.supervision)
    this.upTo = riskRank(rule.upTo)
    this.ref = { id: rule.id, layer: rule.layer, file: rule.file, line: rule.line }
  }

  /** Whether the rule applies, its tool pattern aside: that is what it was found by. */
  applies(unit: Unit, about: Case): 0 | 1 | 2 {
    this.#test ??= this.#compile()
    return this.#test(unit, about)
  }

  /** The literal it is shelved by; found out once, whatever the number of shelves. */
  get key(): LiteralKey | null {
    this.#key ??= { found: literalKey(this.source.when) }
    return this.#key.found
  }

  voice(stand: RuleStand): Voice {
    this.#voices[stand] ??= ruleVoice(this.source, this.ref, stand)
    return this.#voices[stand]
  }

  #compile(): (unit: Unit, about: Case) => 0 | 1 | 2 {
    const { tool: _found, ...rest } = this.source.when
    return compileRule(rest, this.source.unless, readingOf(this.source))
  }
}

/** INVARIANT: a managed file only tightens, however it was loaded. */
export function effectOf(rule: Rule): Effect {
  if (rule.supervision === 'deny') return 'deny'
  return rule.floor || rule.layer === 'managed' ? 'floor' : 'base'
}

/**
 * Whether a rule counts for what nobody can look into: what people wrote does, and of a preset what only tightens. What a
 * preset answers where nobody wrote anything goes by risk, which is high there.
 */
export function countsUnseen(rule: Rule): boolean {
  return rule.layer !== 'builtin' && (rule.layer !== 'preset' || effectOf(rule) !== 'base')
}

/** Doubt goes against the call: what may only tighten is read widely, the rest narrowly. */
export function readingOf(rule: Rule): Reading {
  return { tightens: effectOf(rule) !== 'base', negated: false }
}
