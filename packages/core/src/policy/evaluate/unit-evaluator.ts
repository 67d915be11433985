import { riskRank } from '../../risk/report/level.ts'
import type { Answering, Policy } from '../compile/compiled-policy.ts'
import type { CompiledRule } from '../compile/compiled-rule.ts'
import type { Entry } from '../compile/rule-bucket.ts'
import { compareRefs, type RuleStand, type Voice } from '../compile/verdict-contribution.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { NO, YES } from '../match/three-valued-logic.ts'
import { supervisionRank } from '../model/supervision.ts'

const AUTOMATIC = supervisionRank('automatic')
const CONFIRM = supervisionRank('confirm')
const MANUAL = supervisionRank('manual')
const DENY = supervisionRank('deny')
const MEDIUM = riskRank('medium')

/** How one unit comes out. */
export interface UnitJudgement {
  readonly rank: number
  /** What decided: a deny, a floor above the base, or the base. */
  readonly decider: Voice
  /** Who else had a say. */
  readonly others: readonly Voice[]
  /** A grant stood in for a person's confirmation. */
  readonly granted: boolean
}

const NOBODY: readonly Voice[] = []

/** Weighs one unit of a call against the rules that were found for it. */
export class Scale {
  readonly #unit: Unit
  readonly #about: Case
  readonly #level: number
  #denies: CompiledRule[] | null = null
  #floors: CompiledRule[] | null = null
  /** Rules that could not be ruled out and would tighten. */
  #open: CompiledRule[] | null = null
  #base: Entry | null = null
  /** Base rules equal to `#base` in every way that counts. */
  #equals: CompiledRule[] | null = null

  constructor(unit: Unit, about: Case) {
    this.#unit = unit
    this.#about = about
    this.#level = riskRank(unit.level)
  }

  visit(entries: readonly Entry[]): void {
    for (const entry of entries) this.#weigh(entry)
  }

  #weigh(entry: Entry): void {
    const { rule } = entry
    const answer = rule.applies(this.#unit, this.#about)
    if (answer === NO) return
    if (answer === YES) {
      if (rule.effect === 'base') this.#compete(entry)
      else if (rule.effect === 'deny') this.#denies = put(this.#denies, rule)
      else this.#floors = put(this.#floors, rule)
    } else if (rule.ref.layer !== 'builtin' && (rule.effect !== 'base' || rule.rank >= CONFIRM))
      this.#open = put(this.#open, rule)
  }

  #compete(entry: Entry): void {
    if (this.#base === null || entry.order > this.#base.order) {
      this.#base = entry
      this.#equals = null
    } else if (entry.order === this.#base.order && entry.rule !== this.#base.rule)
      this.#equals = put(this.#equals, entry.rule)
  }

  /** The answer for the unit; `isGranted` is asked only where a grant could change it. */
  settle(policy: Policy, isGranted: () => boolean): UnitJudgement {
    // INVARIANT: L2, a deny is terminal: nothing below is looked at.
    if (this.#denies) return spoken(DENY, this.#denies, 'matched')
    const base = this.#answer(policy)
    const granted = base.rank === CONFIRM && this.#level <= MEDIUM && isGranted()
    const rank = granted ? AUTOMATIC : base.rank
    if (!this.#floors && !this.#open) return rank === base.rank && !granted ? base : { ...base, rank, granted }
    return this.#raise(base, rank, granted)
  }

  /** What rules alone ask for, whatever a preset's row or a declaration would say; null when they let it run unasked. */
  demand(): UnitJudgement | null {
    if (this.#denies) return spoken(DENY, this.#denies, 'matched')
    const base = this.#base?.rule
    const asking = base !== undefined && base.rank >= CONFIRM ? [base, ...(this.#equals ?? [])] : []
    const raises = [
      ...[...asking, ...(this.#floors ?? [])].map((rule) => ({ rank: rule.rank, voice: rule.voice('matched') })),
      ...(this.#open ?? []).map((rule) => ({ rank: Math.min(rule.rank, MANUAL), voice: rule.voice('open') })),
    ]
    const top = raises.reduce((most, { rank }) => Math.max(most, rank), AUTOMATIC)
    const voices = raises.filter(({ rank }) => rank === top).map(({ voice }) => voice)
    return top < CONFIRM ? null : settled(top, voices)
  }

  /** INVARIANT: L4, floors and open rules never compete for the base; they only raise what it came to. */
  #raise(base: UnitJudgement, rank: number, granted: boolean): UnitJudgement {
    const raises = [
      ...(this.#floors ?? []).map((rule) => ({ rank: rule.rank, voice: rule.voice('matched') })),
      ...(this.#open ?? []).map((rule) => ({ rank: Math.min(rule.rank, MANUAL), voice: rule.voice('open') })),
    ]
    const top = raises.reduce((most, raise) => Math.max(most, raise.rank), rank)
    const voices = [base.decider, ...base.others, ...raises.map((raise) => raise.voice)]
    if (top === rank) return { rank, decider: base.decider, others: voices.slice(1), granted }
    const { decider } = settled(
      top,
      raises.filter((raise) => raise.rank === top).map((raise) => raise.voice),
    )
    return { rank: top, decider, others: voices.filter((voice) => voice !== decider), granted }
  }

  #answer(policy: Policy): UnitJudgement {
    const row = policy.row[this.#level]
    if (row === undefined) throw new RangeError('no such risk')
    if (this.#base === null) return this.#declared(policy, row)
    const { rule } = this.#base
    const rules = this.#equals ? [rule, ...this.#equals] : null
    const upTo = rules ? Math.min(...rules.map((one) => one.upTo)) : rule.upTo
    const exceeded = rule.rank < CONFIRM && this.#level > upTo
    const stand = exceeded ? 'exceeded' : 'matched'
    const speaking = rules ? spoken(rule.rank, rules, stand) : one(rule.rank, rule.voice(stand))
    const answer = exceeded ? beyond(speaking, row) : speaking
    return rule.ref.layer === 'preset' ? this.#declaredBeside(answer, policy) : answer
  }

  /** No rule speaks: the preset's row, and what the tool itself asks for. */
  #declared(policy: Policy, row: Answering): UnitJudgement {
    const { call } = this.#about
    let answer = row
    if (call.descriptor.source === 'nobody' && policy.undescribed.rank > answer.rank) answer = policy.undescribed
    const declared = this.#declaration(policy)
    if (declared !== null && declared.rank > answer.rank) answer = declared
    return one(answer.rank, answer.voice)
  }

  /** A preset answers where no rule of a person speaks: its own rules do not outvote what the tool asks for. */
  #declaredBeside(speaking: UnitJudgement, policy: Policy): UnitJudgement {
    const declared = this.#declaration(policy)
    if (declared === null || declared.rank <= speaking.rank) return speaking
    const others = [speaking.decider, ...speaking.others]
    return { rank: declared.rank, decider: declared.voice, others, granted: false }
  }

  #declaration({ set, declared, fromServer }: Policy): Answering | null {
    const { call } = this.#about
    if (set.row.ignoresDeclarations) return null
    return call.requiresConfirmation ? declared : call.source === 'mcp' ? fromServer : null
  }
}

/** A rule's answer past its `up_to`: the preset's row, where that is stricter. */
function beyond(speaking: UnitJudgement, row: Answering): UnitJudgement {
  if (row.rank <= speaking.rank) return { ...speaking, others: [...speaking.others, row.voice] }
  return { rank: row.rank, decider: row.voice, others: [speaking.decider, ...speaking.others], granted: false }
}

function put(rules: CompiledRule[] | null, rule: CompiledRule): CompiledRule[] {
  if (rules === null) return [rule]
  rules.push(rule)
  return rules
}

function one(rank: number, decider: Voice): UnitJudgement {
  return { rank, decider, others: NOBODY, granted: false }
}

function spoken(rank: number, rules: readonly CompiledRule[], stand: RuleStand): UnitJudgement {
  const [first] = rules
  if (first && rules.length === 1) return one(rank, first.voice(stand))
  return settled(
    rank,
    rules.map((rule) => rule.voice(stand)),
  )
}

/** Several voices of equal weight: the first by name speaks for them. */
function settled(rank: number, voices: readonly Voice[]): UnitJudgement {
  const first = voices[0]
  if (first === undefined) throw new RangeError('a verdict needs a voice')
  const decider = voices.reduce((least, voice) => (compareRefs(voice.rule, least.rule) < 0 ? voice : least))
  return { rank, decider, others: voices.filter((voice) => voice !== decider), granted: false }
}
