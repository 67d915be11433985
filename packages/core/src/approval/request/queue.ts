import { toolLabel } from '../../call/tool.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import { coverSecrets } from '../../secrets/mask.ts'
import type { OpenedView } from './verified-view.ts'

/** The facts of a held call by which a queue orders and filters it. */
export interface QueueFacts {
  readonly risk: RiskLevel
  readonly expiresAt: number
  /** Outermost first. */
  readonly agent: readonly string[]
  /** `name`, or `server/name`. */
  readonly tool: string
  /** The folder it works in. */
  readonly cwd: string
  /** One line with secrets masked. */
  readonly effect: string
}

/** The facts of an opened held call. */
export function queueFacts({ view, body }: Pick<OpenedView, 'view' | 'body'>): QueueFacts {
  const { tool, agent, cwd } = body.call
  const { effect, risk } = view
  return {
    risk: risk.level,
    expiresAt: body.expiresAt,
    agent,
    tool: toolLabel(tool),
    cwd,
    effect: coverSecrets(effect),
  }
}

/** A condition of a queue filter. `any` looks in every field. */
export interface QueueTerm {
  readonly field: 'any' | 'agent' | 'risk' | 'tool' | 'in'
  readonly value: string
}

/** Ends of the deadline groups: within a minute, within ten, later. */
const GROUPS_MS = [60_000, 600_000] as const

/**
 * Held calls in the order in which people should see them: by deadline group, within it by risk, then by deadline. A
 * critical call is always in the first group, so that no list begins below it.
 *
 * @example
 * const shown = queueOrder(held, factsOf, clock.now())
 */
export function queueOrder<T>(calls: readonly T[], factsOf: (call: T) => QueueFacts, now: number): readonly T[] {
  return calls
    .map((call) => ({ call, facts: factsOf(call) }))
    .toSorted(
      ({ facts: one }, { facts: other }) =>
        groupOf(one, now) - groupOf(other, now) ||
        riskRank(other.risk) - riskRank(one.risk) ||
        one.expiresAt - other.expiresAt,
    )
    .map(({ call }) => call)
}

function groupOf({ risk, expiresAt }: QueueFacts, now: number): number {
  if (risk === 'critical') return 0
  const at = GROUPS_MS.findIndex((end) => expiresAt - now <= end)
  return at === -1 ? GROUPS_MS.length : at
}

const FIELDS: ReadonlySet<string> = new Set(['agent', 'risk', 'tool', 'in'])
const LONGEST = 200
const MOST_TERMS = 16

/** Reads a filter as people type it: words, and `agent:`, `risk:`, `tool:` or `in:` before a word. */
export function parseQueueFilter(text: string): readonly QueueTerm[] {
  const words = text.slice(0, LONGEST).trim().split(/\s+/u)
  return words
    .filter((word) => word !== '')
    .slice(0, MOST_TERMS)
    .map((word) => {
      const at = word.indexOf(':')
      const field = word.slice(0, Math.max(0, at)).toLowerCase()
      return FIELDS.has(field)
        ? { field: field as QueueTerm['field'], value: word.slice(at + 1) }
        : { field: 'any', value: word }
    })
}

/** Whether a call meets every term. A risk stands for itself and the levels above it. */
export function matchesQueue(facts: QueueFacts, terms: readonly QueueTerm[]): boolean {
  return terms.every(({ field, value }) => value === '' || matches(facts, field, value.toLowerCase()))
}

const LEVELS: ReadonlySet<string> = new Set<RiskLevel>(['none', 'low', 'medium', 'high', 'critical'])

function matches(facts: QueueFacts, field: QueueTerm['field'], value: string): boolean {
  const { risk, agent, tool, cwd, effect } = facts
  switch (field) {
    case 'risk':
      return LEVELS.has(value) ? riskRank(risk) >= riskRank(value as RiskLevel) : risk.startsWith(value)
    case 'agent':
      return has(agent.join(' › '), value)
    case 'tool':
      return has(tool, value)
    case 'in':
      return has(cwd, value)
    case 'any':
      return [effect, tool, cwd, risk, ...agent].some((text) => has(text, value))
  }
}

function has(text: string, value: string): boolean {
  return text.toLowerCase().includes(value)
}

/** What a filter hides, in words; empty if it hides nothing. */
export function hiddenWords(hidden: readonly Pick<QueueFacts, 'risk'>[]): string {
  if (hidden.length === 0) return ''
  const worst = (['critical', 'high'] as const)
    .map((level) => ({ level, count: hidden.filter(({ risk }) => risk === level).length }))
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}`)
  return `${hidden.length} hidden by the filter${worst.length === 0 ? '' : `, ${worst.join(' and ')} among them`}`
}
