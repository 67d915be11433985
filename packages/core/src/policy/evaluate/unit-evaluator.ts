import { riskRank } from '../../risk/report/level.ts'
import type { HostUse } from '../../risk/report/report.ts'
import type { DefaultAnswer, Policy } from '../compile/compiled-policy.ts'
import type { CompiledRule } from '../compile/compiled-rule.ts'
import type { Entry } from '../compile/rule-bucket.ts'
import { type Contribution, compareRefs, type MatchStatus } from '../compile/verdict-contribution.ts'
import type { Case, Unit } from '../match/call-unit.ts'
import { NO, YES } from '../match/three-valued-logic.ts'
import { supervisionRank } from '../model/supervision.ts'
import { judgeContact } from './first-contact.ts'

const AUTOMATIC = supervisionRank('automatic')
const CONFIRM = supervisionRank('confirm')
const MANUAL = supervisionRank('manual')
const DENY = supervisionRank('deny')
const LOW = riskRank('low')
const MEDIUM = riskRank('medium')

/** The result for one unit. */
export interface UnitJudgement {
  readonly rank: number
  /** The deny, the floor above the base, or the base that decided. */
  readonly decider: Contribution
  /** The other contributors. */
  readonly others: readonly Contribution[]
  /** Whether a grant replaced a person's confirmation. */
  readonly granted: boolean
  /** The grant that named a host of it, if one was needed. */
  readonly named?: string
}

/** What the grants of a call do for one unit. Asked only where they could change something. */
export interface UnitGrants {
  /** Whether one replaces the confirmation. */
  isGranted(): boolean
  /** The grant that names a host. */
  naming(use: HostUse): string | null
}

export const NO_GRANTS: UnitGrants = { isGranted: () => false, naming: () => null }

/** Something that requires at least a supervision. */
interface Raise {
  readonly rank: number
  readonly contribution: Contribution
}

const NO_CONTACT: { readonly raises: readonly Raise[]; readonly named?: string } = { raises: [] }

function withName(named: string | undefined): { readonly named?: string } {
  return named === undefined ? {} : { named }
}

const NOBODY: readonly Contribution[] = []

/** Evaluates one unit of a call against the rules found for it. */
export class UnitEvaluator {
  readonly #unit: Unit
  readonly #about: Case
  readonly #level: number
  readonly #rowLevel: number
  #denies: CompiledRule[] | null = null
  #floors: CompiledRule[] | null = null
  /** Rules that name hosts. */
  #naming: CompiledRule[] | null = null
  /** Rules that may apply and would tighten. */
  #open: CompiledRule[] | null = null
  #base: Entry | null = null
  /** Base rules with the same order as `#base`. */
  #equals: CompiledRule[] | null = null

  constructor(unit: Unit, about: Case) {
    this.#unit = unit
    this.#about = about
    this.#level = riskRank(unit.level)
    this.#rowLevel = riskRank(unit.rowLevel)
  }

  visit(entries: readonly Entry[]): void {
    for (const entry of entries) this.#weigh(entry)
  }

  #weigh(entry: Entry): void {
    const { rule } = entry
    const answer = rule.applies(this.#unit, this.#about)
    if (answer === NO) return
    if (answer === YES) {
      if (this.#unit.hosts.length > 0 && rule.effect === 'base') this.#naming = put(this.#naming, rule)
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

  /** The result for the unit. */
  settle(policy: Policy, grants: UnitGrants): UnitJudgement {
    // INVARIANT: L2, a deny is final.
    if (this.#denies) return contributed(DENY, this.#denies, 'matched')
    const base = this.#answer(policy)
    const granted = base.rank === CONFIRM && this.#level <= MEDIUM && grants.isGranted()
    const rank = granted ? AUTOMATIC : base.rank
    const contact = this.#contact(policy, grants)
    const { named } = contact
    if (!this.#floors && !this.#open && contact.raises.length === 0)
      return rank === base.rank && !granted && named === undefined
        ? base
        : { ...base, rank, granted, ...withName(named) }
    return { ...this.#raise(base, rank, granted, contact.raises), ...withName(named) }
  }

  #contact(policy: Policy, grants: UnitGrants): { readonly raises: readonly Raise[]; readonly named?: string } {
    if (this.#unit.hosts.length === 0) return NO_CONTACT
    const contact = judgeContact(this.#unit, policy, this.#naming ?? [], (use) => grants.naming(use))
    if (contact.kind === 'unnamed') return { raises: [contact] }
    return { raises: [], ...withName(contact.grant ?? undefined) }
  }

  /** What rules alone require, without declarations and, unless it `isStated`, the preset's row; null if they let it run unasked. */
  demand(policy: Policy, isStated = false): UnitJudgement | null {
    if (this.#denies) return contributed(DENY, this.#denies, 'matched')
    const base = this.#base?.rule
    const asking = base !== undefined && base.rank >= CONFIRM ? [base, ...(this.#equals ?? [])] : []
    const raises = [
      ...[...asking, ...(this.#floors ?? [])].map((rule) => ({
        rank: rule.rank,
        contribution: rule.contribution('matched'),
      })),
      ...(this.#open ?? []).map((rule) => ({
        rank: Math.min(rule.rank, MANUAL),
        contribution: rule.contribution('open'),
      })),
      ...this.#contact(policy, NO_GRANTS).raises,
      ...(isStated && (base === undefined || base.upTo < this.#level)
        ? policy.row.slice(this.#rowLevel).slice(0, 1)
        : []),
    ]
    const top = raises.reduce((most, { rank }) => Math.max(most, rank), AUTOMATIC)
    const contributions = raises.filter(({ rank }) => rank === top).map(({ contribution }) => contribution)
    return top < CONFIRM ? null : settled(top, contributions)
  }

  /** INVARIANT: L4, floors and open rules never compete for the base; they only raise its result. */
  #raise(base: UnitJudgement, rank: number, granted: boolean, more: readonly Raise[]): UnitJudgement {
    const raises = [
      ...(this.#floors ?? []).map((rule) => ({ rank: rule.rank, contribution: rule.contribution('matched') })),
      ...(this.#open ?? []).map((rule) => ({
        rank: Math.min(rule.rank, MANUAL),
        contribution: rule.contribution('open'),
      })),
      ...more,
    ]
    const top = raises.reduce((most, raise) => Math.max(most, raise.rank), rank)
    const contributions = [base.decider, ...base.others, ...raises.map((raise) => raise.contribution)]
    if (top === rank) return { rank, decider: base.decider, others: contributions.slice(1), granted }
    const { decider } = settled(
      top,
      raises.filter((raise) => raise.rank === top).map((raise) => raise.contribution),
    )
    return { rank: top, decider, others: contributions.filter((contribution) => contribution !== decider), granted }
  }

  #answer(policy: Policy): UnitJudgement {
    const row = policy.row[this.#rowLevel]
    if (row === undefined) throw new RangeError('no such risk')
    if (this.#base === null) return this.#declared(policy, row)
    const { rule } = this.#base
    const rules = this.#equals ? [rule, ...this.#equals] : null
    const upTo = rules ? Math.min(...rules.map((one) => one.upTo)) : rule.upTo
    const exceeded = rule.rank < CONFIRM && this.#level > upTo
    const status = exceeded ? 'exceeded' : 'matched'
    const answering = rules ? contributed(rule.rank, rules, status) : one(rule.rank, rule.contribution(status))
    const answer = exceeded ? beyond(answering, row) : answering
    return rule.ref.layer === 'preset' ? this.#declaredBeside(answer, policy) : answer
  }

  /** Without a rule: the preset's row, and what the tool declares. */
  #declared(policy: Policy, row: DefaultAnswer): UnitJudgement {
    const { call } = this.#about
    let answer = row
    const isUndescribed = call.descriptor.source === 'nobody' && !this.#isTrustedRead
    if (isUndescribed && policy.undescribed.rank > answer.rank) answer = policy.undescribed
    const declared = this.#declaration(policy)
    if (declared !== null && declared.rank > answer.rank) answer = declared
    return one(answer.rank, answer.contribution)
  }

  /** A preset's own rule does not override what the tool declares. */
  #declaredBeside(answering: UnitJudgement, policy: Policy): UnitJudgement {
    const declared = this.#declaration(policy)
    if (declared === null || declared.rank <= answering.rank) return answering
    const others = [answering.decider, ...answering.others]
    return { rank: declared.rank, decider: declared.contribution, others, granted: false }
  }

  /** A tool that a trusted server declares read-only, where nothing shows that the call does more. */
  get #isTrustedRead(): boolean {
    const { call, circumstances } = this.#about
    const { server } = call.tool
    if (call.source !== 'mcp' || server === null || this.#level > LOW) return false
    const { readOnlyHint, destructiveHint } = call.annotations ?? {}
    return readOnlyHint === true && destructiveHint !== true && circumstances.trustedServers?.has(server) === true
  }

  /** INVARIANT: L11, what nobody described runs unasked only by a person's rule or grant: a name is not a description. */
  #declaration({ set, declared, fromServer, guessed }: Policy): DefaultAnswer | null {
    const { call } = this.#about
    if (set.row.ignoresDeclarations) return null
    if (call.requiresConfirmation) return declared
    if (call.source === 'mcp') return this.#isTrustedRead ? null : fromServer
    if (call.source !== 'custom') return null
    const { source, kind } = call.descriptor
    if (source === 'own') return kind === 'read' ? null : declared
    return source === 'guessed' ? guessed : null
  }
}

/** The result above a rule's `up_to`: the preset's row if that is stricter. */
function beyond(answering: UnitJudgement, row: DefaultAnswer): UnitJudgement {
  if (row.rank <= answering.rank) return { ...answering, others: [...answering.others, row.contribution] }
  return { rank: row.rank, decider: row.contribution, others: [answering.decider, ...answering.others], granted: false }
}

function put(rules: CompiledRule[] | null, rule: CompiledRule): CompiledRule[] {
  if (rules === null) return [rule]
  rules.push(rule)
  return rules
}

function one(rank: number, decider: Contribution): UnitJudgement {
  return { rank, decider, others: NOBODY, granted: false }
}

function contributed(rank: number, rules: readonly CompiledRule[], status: MatchStatus): UnitJudgement {
  const [first] = rules
  if (first && rules.length === 1) return one(rank, first.contribution(status))
  return settled(
    rank,
    rules.map((rule) => rule.contribution(status)),
  )
}

/** For several contributions of equal rank, the first by name is the decider. */
function settled(rank: number, contributions: readonly Contribution[]): UnitJudgement {
  const first = contributions[0]
  if (first === undefined) throw new RangeError('a verdict needs a contribution')
  const decider = contributions.reduce((least, contribution) =>
    compareRefs(contribution.rule, least.rule) < 0 ? contribution : least,
  )
  return { rank, decider, others: contributions.filter((contribution) => contribution !== decider), granted: false }
}
