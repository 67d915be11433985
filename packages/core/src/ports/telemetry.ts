/** The steps of a call that take time, in their usual order. A call that is judged or held again repeats some. */
export const TRACE_STEPS = ['rate', 'judge', 'check', 'preview', 'hold', 'decide', 'consume', 'run', 'settle'] as const

/** One of `TRACE_STEPS`. */
export type TraceStep = (typeof TRACE_STEPS)[number]

/** What a trace is of: an operation of the asking side, or `decide`, a decision handed in at a desk. */
export const TRACED_OPERATIONS = ['run', 'ask', 'submit', 'collect', 'settle', 'decide'] as const

/** One of `TRACED_OPERATIONS`. */
export type TracedOperation = (typeof TRACED_OPERATIONS)[number]

/** What is known of a judged call. INVARIANT: never its arguments, results, or anybody's words. */
export interface TracedCall {
  readonly callId: string
  readonly tool: string
  readonly server: string | null
  /** What the call does: `read`, `write`, `execute` and so on. */
  readonly kind: string
  readonly risk: string
  readonly supervision: string
  readonly rule: string
}

/** How one operation on a call ended. */
export interface TracedEnd {
  readonly callId: string | null
  /** An outcome; `permitted`, `submitted` or `asked` if the call goes on; of a decision `approved`, `rejected` or `refused`. */
  readonly result: string
  /** The error code of a refusal. */
  readonly code: string | null
}

/** Observes one operation on a call. Its steps follow one another. */
export interface CallTrace {
  /** Links this to the agent's own trace, by a valid W3C `traceparent`. Called before the first step, or never. */
  adopt(traceparent: string): void
  /** The call enters a step; the step before it has ended. */
  enter(step: TraceStep): void
  /** The call was judged, perhaps again. */
  judged(call: TracedCall): void
  /** The operation ended, and its last step with it. A permit that is settled later enters `settle` and ends again. */
  end(end: TracedEnd): void
}

/** Something that went wrong around the calls. */
export type TelemetryProblem =
  /** The store did not do this. */
  | { readonly kind: 'store-error'; readonly operation: string; readonly code: string }
  /** The process that held a call is gone: it died, or lost its lease. */
  | { readonly kind: 'owner-lost'; readonly callId: string; readonly outcome: string }
  /** The clocks of this machine and of a shared store began or ceased to differ, or one of them jumped. */
  | { readonly kind: 'clock'; readonly difference: string; readonly offsetMs: number }

/**
 * Observes the gate, for traces, metrics and logs. It only observes: what it throws, returns or rejects changes nothing, and
 * nothing waits for it.
 */
export interface Telemetry {
  /** An operation on a call begins. Undefined leaves it out. */
  begin(operation: TracedOperation): CallTrace | undefined
  problem(problem: TelemetryProblem): void
}

/** The same telemetry, unable to disturb a call. INVARIANT: an error in it decides nothing. */
export function quietTelemetry(telemetry: Telemetry): Telemetry {
  return {
    begin(operation) {
      const trace = quietly(() => telemetry.begin(operation))
      return trace === undefined || trace === null ? undefined : quietTrace(trace)
    },
    problem: (problem) => void quietly(() => telemetry.problem(problem)),
  }
}

function quietTrace(trace: CallTrace): CallTrace {
  let current: TraceStep | null = null
  return {
    adopt: (traceparent) => void quietly(() => trace.adopt(traceparent)),
    enter(step) {
      if (step === current) return
      current = step
      quietly(() => trace.enter(step))
    },
    judged: (call) => void quietly(() => trace.judged(call)),
    end(end) {
      current = null
      quietly(() => trace.end(end))
    },
  }
}

function quietly<T>(work: () => T): T | undefined {
  try {
    const answer = work()
    if (answer instanceof Promise) answer.catch(() => {})
    return answer
  } catch {
    return undefined
  }
}

/** Several observers as one. */
export function allTelemetry(parts: readonly Telemetry[]): Telemetry {
  const quiet = parts.map(quietTelemetry)
  const [only, second] = quiet
  if (only !== undefined && second === undefined) return only
  return {
    begin(operation) {
      const traces = quiet.flatMap((part) => part.begin(operation) ?? [])
      if (traces.length === 0) return undefined
      return {
        adopt: (traceparent) => traces.forEach((trace) => void trace.adopt(traceparent)),
        enter: (step) => traces.forEach((trace) => void trace.enter(step)),
        judged: (call) => traces.forEach((trace) => void trace.judged(call)),
        end: (end) => traces.forEach((trace) => void trace.end(end)),
      }
    },
    problem: (problem) => quiet.forEach((part) => void part.problem(problem)),
  }
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * A W3C `traceparent` in its version 00 form; undefined if it is not valid. SECURITY: A21 it comes from an untrusted asker: only
 * its two ids and the sampled flag are kept.
 */
export function readTraceparent(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_TRACEPARENT) return undefined
  const [, version, trace = '', span = '', flags = '', more] = TRACEPARENT.exec(value) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(trace) || /^0+$/.test(span)) return undefined
  return `00-${trace}-${span}-0${Number.parseInt(flags, 16) & 1}`
}

/** A later version of the format may be longer. */
const MAX_TRACEPARENT = 256
