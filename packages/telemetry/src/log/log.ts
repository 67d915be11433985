import { safeText, type Telemetry, type TracedCall, type TraceStep } from '@countersign/core'

/** How each event is written. */
export type LogFormat = 'json' | 'text'

/** One event. INVARIANT: its fields are named here; nothing of a call's arguments, results or words is among them. */
interface LogEvent {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: 'held' | 'answered' | 'decision' | 'store-error' | 'owner-lost' | 'clock' | 'dropped'
  readonly call?: string | null
  readonly operation?: string
  readonly step?: TraceStep | null
  readonly outcome?: string
  readonly code?: string | null
  readonly tool?: string
  readonly server?: string | null
  readonly risk?: string
  readonly supervision?: string
  readonly rule?: string
  /** Milliseconds since the operation began. */
  readonly ms?: number
  readonly lines?: number
  readonly difference?: string
  /** Milliseconds. */
  readonly offset?: number
}

/** What a person may have to look at. */
const WARN: ReadonlySet<string> = new Set(['failed', 'refused', 'stale', 'unsettled'])

/** Logs what happens to calls: one line each time a call is held or answered, or something around it fails. */
export function logged(format: LogFormat, write: (line: string) => void, now: () => number = Date.now): Telemetry {
  const put = (event: LogEvent): void => write(lineOf(format, event, now()))
  return {
    begin(operation) {
      const began = performance.now()
      let known: Omit<TracedCall, 'callId' | 'kind'> | null = null
      let call: string | null = null
      let step: TraceStep | null = null
      const ms = (): number => Math.round((performance.now() - began) * 1000) / 1000
      return {
        adopt() {},
        enter(next) {
          step = next
          if (next === 'hold') put({ level: 'info', event: 'held', call, operation, step, ...known, ms: ms() })
        },
        judged({ callId, kind: _, ...facts }) {
          call = callId
          known = facts
        },
        end({ callId, result, code }) {
          call ??= callId
          const event = operation === 'decide' ? 'decision' : 'answered'
          put({ level: levelOf(result), event, call, operation, step, outcome: result, code, ...known, ms: ms() })
        },
      }
    },
    problem(problem) {
      if (problem.kind === 'store-error')
        put({ level: 'error', event: 'store-error', operation: problem.operation, code: problem.code })
      else if (problem.kind === 'clock')
        put({ level: 'warn', event: 'clock', difference: problem.difference, offset: problem.offsetMs })
      else put({ level: 'warn', event: 'owner-lost', call: problem.callId, outcome: problem.outcome })
    },
  }
}

/** The line that tells how many lines are missing, since whoever reads the log was too slow. */
export function droppedLine(format: LogFormat, lines: number, now = Date.now()): string {
  return lineOf(format, { level: 'warn', event: 'dropped', lines }, now)
}

function lineOf(format: LogFormat, event: LogEvent, now: number): string {
  return format === 'json' ? jsonLine(event, now) : textLine(event, now)
}

function levelOf(result: string): LogEvent['level'] {
  if (result === 'unknown') return 'error'
  return WARN.has(result) ? 'warn' : 'info'
}

/** SECURITY: A12 names come from askers: each is made safe before it reaches a terminal or a log reader. */
function jsonLine({ level, ...fields }: LogEvent, now: number): string {
  const safe = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? safeText(value) : value,
  ])
  return JSON.stringify({ level, time: new Date(now).toISOString(), ...Object.fromEntries(safe) })
}

function textLine({ level, event, ...fields }: LogEvent, now: number): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}=${typeof value === 'string' ? wordOf(value) : value}`],
  )
  return [new Date(now).toISOString(), level.toUpperCase(), event, ...pairs].join(' ')
}

function wordOf(value: string): string {
  const safe = safeText(value)
  return /^[\w./:#*-]+$/.test(safe) ? safe : JSON.stringify(safe)
}
