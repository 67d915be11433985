import { OUTCOMES, type Telemetry, type TracedCall, type TraceStep } from '@countersign/core'
import type { Meter } from './metric.ts'

const ENDED: ReadonlySet<string> = new Set(OUTCOMES)

/** Measures calls: how they end, how long each step takes, how many wait. `seconds` is a clock that only goes forward. */
export function measured(meter: Meter, seconds: () => number = () => performance.now() / 1000): Telemetry {
  return {
    begin(operation) {
      let judged: Pick<TracedCall, 'kind' | 'supervision'> | null = null
      let current: TraceStep | null = null
      let since = 0

      function leave(next: TraceStep | null): void {
        const now = seconds()
        if (current === 'hold') {
          meter.measure('waiting', -1, {})
          if (next === 'decide') meter.measure('decisionTime', now - since, {})
        } else if (current !== null && operation !== 'decide') meter.measure('stepTime', now - since, { step: current })
        current = next
        since = now
        if (next === 'hold') meter.measure('waiting', 1, {})
      }

      return {
        adopt() {},
        enter: leave,
        judged({ kind, supervision }) {
          judged = { kind, supervision }
        },
        end({ result }) {
          leave(null)
          if (operation === 'decide') return meter.measure('decisions', 1, { result })
          if (!ENDED.has(result)) return
          meter.measure('calls', 1, {
            outcome: result,
            kind: judged?.kind ?? '',
            supervision: judged?.supervision ?? '',
          })
        },
      }
    },
    problem(problem) {
      if (problem.kind === 'store-error') {
        const { operation, code } = problem
        meter.measure('storeErrors', 1, { operation, code })
      } else if (problem.kind === 'owner-lost') meter.measure('lostOwners', 1, { outcome: problem.outcome })
    },
  }
}
