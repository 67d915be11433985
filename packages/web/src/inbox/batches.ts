import {
  batchPlaceOfCall,
  type HeldCall,
  type HeldCallView,
  type HeldSummary,
  heldFacts,
  isFull,
  MAX_BATCH,
  sha256,
} from '@countersign/react'
import { useEffect, useMemo, useState } from 'react'
import { useDesk } from '../approvals/context.ts'

/** Held calls that differ in their arguments only: they may be decided together, each with its own signature. */
export interface Batch {
  /** Short enough for an address. */
  readonly id: string
  readonly key: string
  readonly rule: string
  readonly risk: string
  readonly tool: string
  /** Outermost first. */
  readonly agent: readonly string[]
  /** As many as one act decides, soonest deadline first. */
  readonly views: readonly HeldCall[]
  /** How many more there are, for the next act. */
  readonly more: number
  /** Their like, with why each is decided alone. */
  readonly alone: readonly { readonly call: HeldCall; readonly why: string }[]
}

/** DESIGN §7: together only what is equal, up to medium, and nothing that a check complains of. */
export function batchesOf(held: readonly HeldCall[]): readonly Batch[] {
  const groups = new Map<string, { readonly views: HeldCall[]; readonly alone: { call: HeldCall; why: string }[] }>()
  for (const call of held) {
    const place = batchPlaceOfCall(call)
    if (place === null) continue
    const group = groups.get(place.key) ?? { views: [], alone: [] }
    groups.set(place.key, group)
    if (place.alone === null) group.views.push(call)
    else group.alone.push({ call, why: place.alone })
  }
  return [...groups].flatMap(([key, { views, alone }]): readonly Batch[] => {
    const [first] = views
    const facts = first === undefined ? null : heldFacts(first)
    if (first === undefined || facts === null || views.length < 2) return []
    return [
      {
        id: sha256(key).slice(0, 16),
        key,
        rule: facts.rule.id,
        risk: first.risk.level,
        tool: facts.tool,
        agent: facts.agent,
        views: views.slice(0, MAX_BATCH),
        more: Math.max(0, views.length - MAX_BATCH),
        alone,
      },
    ]
  })
}

/** The calls of a batch on their way to being whole. */
export interface FullBatch {
  /** Null until all of them are there. */
  readonly views: readonly HeldCallView[] | null
  readonly unread: number
  readonly problem: string | null
  readonly again: () => void
}

/**
 * Reads whole, one after the other, what of a batch came in short. What was there when it was opened is what one press
 * approves: a call that comes later is not slipped in. INVARIANT: L5, nor one whose bytes say that it is no equal.
 */
export function useFullBatch(batch: Batch): FullBatch {
  const { held, load } = useDesk()
  const [ready, setReady] = useState<readonly HeldCallView[] | null>(null)
  const [calls] = useState(batch.views)
  const [problem, setProblem] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const known = useMemo(() => new Map(held.map((call) => [call.requestDigest, call])), [held])
  const now = calls.map((call) => (isFull(call) ? call : known.get(call.requestDigest)))
  const unread = now.filter((call) => call !== undefined && !isFull(call)).length
  if (ready === null && unread === 0)
    setReady(now.filter((call) => call !== undefined && isFull(call)).filter((view) => isMember(view, batch.key)))

  // biome-ignore lint/correctness/useExhaustiveDependencies: they are read once, and again when it is asked for
  useEffect(() => {
    let isLeft = false
    async function readAll(short: readonly HeldSummary[]): Promise<void> {
      setProblem(null)
      for (const call of short) if (!isLeft) await load(call)
    }
    readAll(calls.flatMap((call) => (isFull(call) ? [] : [call]))).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'it could not be read')
    })
    return () => {
      isLeft = true
    }
  }, [calls, load, tries])
  return { views: ready, unread, problem, again: () => setTries(tries + 1) }
}

function isMember(view: HeldCallView, key: string): boolean {
  const place = batchPlaceOfCall(view)
  return place?.key === key && place.alone === null
}
