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

/** Held calls that differ only in their arguments and can be decided together. */
export interface Batch {
  /** Used in the URL. */
  readonly id: string
  readonly key: string
  readonly rule: string
  readonly risk: string
  readonly tool: string
  /** Outermost first. */
  readonly agent: readonly string[]
  /** The calls of one batch, earliest deadline first. */
  readonly views: readonly HeldCall[]
  /** The number of calls left for the next batch. */
  readonly more: number
  /** Similar calls that must be decided separately, with the reason. */
  readonly alone: readonly { readonly call: HeldCall; readonly why: string }[]
}

/** Groups calls with equal rule, risk and identity, up to medium risk and without check findings. */
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

/** A batch whose full views may still be loading. */
export interface FullBatch {
  /** Null until all are loaded. */
  readonly views: readonly HeldCallView[] | null
  readonly unread: number
  readonly problem: string | null
  readonly again: () => void
}

/**
 * Loads the full views of a batch. The calls are fixed when the batch is opened, so that later ones are not approved
 * unseen. INVARIANT: L5, calls whose signed bytes do not belong to the batch are dropped.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, and again on retry
  useEffect(() => {
    let isLeft = false
    async function readAll(short: readonly HeldSummary[]): Promise<void> {
      setProblem(null)
      for (const call of short) if (!isLeft) await load(call)
    }
    readAll(calls.flatMap((call) => (isFull(call) ? [] : [call]))).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'the call could not be loaded')
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
