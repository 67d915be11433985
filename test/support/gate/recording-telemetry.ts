import type { CallTrace, Telemetry, TelemetryProblem, TracedCall, TracedEnd } from '@countersign/core'

/** What was observed of one operation on a call. */
export interface ObservedTrace {
  readonly operation: string
  readonly steps: string[]
  readonly judged: TracedCall[]
  readonly ends: TracedEnd[]
  parent: string | null
}

/** Telemetry that remembers everything. */
export function recordingTelemetry(): Telemetry & {
  readonly traces: ObservedTrace[]
  readonly problems: TelemetryProblem[]
  /** The only trace of an operation; throws unless there is exactly one. */
  only(operation: string): ObservedTrace
} {
  const traces: ObservedTrace[] = []
  const problems: TelemetryProblem[] = []
  return {
    traces,
    problems,
    only(operation) {
      const [trace, more] = traces.filter((one) => one.operation === operation)
      if (trace === undefined || more !== undefined) throw new Error(`expected one trace of \`${operation}\``)
      return trace
    },
    begin(operation) {
      const one: ObservedTrace = { operation, steps: [], judged: [], ends: [], parent: null }
      traces.push(one)
      const trace: CallTrace = {
        adopt(traceparent) {
          one.parent = traceparent
        },
        enter: (step) => void one.steps.push(step),
        judged: (call) => void one.judged.push(call),
        end: (end) => void one.ends.push(end),
      }
      return trace
    },
    problem: (problem) => void problems.push(problem),
  }
}
