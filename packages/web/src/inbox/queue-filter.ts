import {
  type HeldCall,
  heldQueueFacts,
  hiddenWords,
  matchesQueue,
  parseQueueFilter,
  type QueueFacts,
  queueOrder,
  type RiskLevel,
  riskRank,
  useServerNow,
} from '@countersign/react'
import { useMemo, useState } from 'react'

/** Which held calls the list shows. An empty text stands for all. */
export interface QueueChoice {
  /** As typed: words, `agent:`, `risk:`, `tool:`, `in:`. */
  readonly text: string
  readonly agent: string
  /** This level and those above. */
  readonly risk: RiskLevel | ''
  readonly tool: string
  readonly workspace: string
}

export const EVERYTHING: QueueChoice = { text: '', agent: '', risk: '', tool: '', workspace: '' }

/** The held calls that the list shows, in order, and what it hides. */
export interface Queue {
  readonly shown: readonly HeldCall[]
  /** In words; empty if nothing is hidden. */
  readonly hidden: string
  /** Values to choose from. */
  readonly agents: readonly string[]
  readonly tools: readonly string[]
  readonly workspaces: readonly string[]
}

const REORDER_MS = 15_000
// Opening a call mounts the page again; the choice stays.
let lastChoice = EVERYTHING

/** The filter of the inbox. */
export function useQueueChoice(): readonly [QueueChoice, (choice: QueueChoice) => void] {
  const [choice, setChoice] = useState(lastChoice)
  return [
    choice,
    (next) => {
      lastChoice = next
      setChoice(next)
    },
  ]
}

/** Orders held calls by risk within deadline groups, and filters them. */
export function useQueue(held: readonly HeldCall[], choice: QueueChoice): Queue {
  const now = useServerNow(REORDER_MS)
  const group = Math.floor(now / REORDER_MS) * REORDER_MS
  return useMemo(() => queueOf(held, choice, group), [held, choice, group])
}

export function queueOf(held: readonly HeldCall[], choice: QueueChoice, now: number): Queue {
  const facts = new Map(held.map((call) => [call, heldQueueFacts(call)]))
  const factsOf = (call: HeldCall): QueueFacts => facts.get(call) ?? heldQueueFacts(call)
  const terms = parseQueueFilter(choice.text)
  const isShown = (call: HeldCall): boolean => isChosen(factsOf(call), choice) && matchesQueue(factsOf(call), terms)
  const ordered = queueOrder(held, factsOf, now)
  const all = [...facts.values()]
  return {
    shown: ordered.filter(isShown),
    hidden: hiddenWords(ordered.filter((call) => !isShown(call)).map(factsOf)),
    agents: distinct(all.map(({ agent }) => agent.at(-1) ?? '')),
    tools: distinct(all.map(({ tool }) => tool)),
    workspaces: distinct(all.map(({ cwd }) => cwd)),
  }
}

function isChosen({ agent, risk, tool, cwd }: QueueFacts, choice: QueueChoice): boolean {
  return (
    (choice.agent === '' || agent.at(-1) === choice.agent) &&
    (choice.risk === '' || riskRank(risk) >= riskRank(choice.risk)) &&
    (choice.tool === '' || tool === choice.tool) &&
    (choice.workspace === '' || cwd === choice.workspace)
  )
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].filter((value) => value !== '').toSorted()
}
