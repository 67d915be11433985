import type { HeldCallView } from '@countersign/core'
import { useEffect, useState } from 'react'
import { type HeldCall, isWhole } from '../call/held-call.ts'
import type { UsedApprovals } from './use-approvals.ts'

/** A held call on its way to being whole. */
export interface WholeCall {
  /** Null until it is there. */
  readonly view: HeldCallView | null
  /** Why it could not be read, in words. */
  readonly problem: string | null
  readonly again: () => void
}

/**
 * The whole of a held call, read at its source when only its summary came.
 *
 * ```tsx
 * const { view, problem } = useWhole(held[0], load)
 * ```
 */
export function useWhole(call: HeldCall | undefined, load: UsedApprovals['load']): WholeCall {
  const [problem, setProblem] = useState<string | null>(null)
  const [tries, setTries] = useState(0)
  const short = call === undefined || isWhole(call) ? undefined : call
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same request is read once, and again when it is asked for
  useEffect(() => {
    if (short === undefined) return undefined
    let isLeft = false
    setProblem(null)
    load(short).catch((error: unknown) => {
      if (!isLeft) setProblem(error instanceof Error ? error.message : 'it could not be read')
    })
    return () => {
      isLeft = true
    }
  }, [short?.requestDigest, load, tries])
  return {
    view: call !== undefined && isWhole(call) ? call : null,
    problem: short === undefined ? null : problem,
    again: () => setTries(tries + 1),
  }
}
