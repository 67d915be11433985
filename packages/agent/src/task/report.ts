import type { Refusal } from '@countersign/core'
import type { AgentEvent } from '../loop/event.ts'
import type { Stop } from '../loop/stop-conditions.ts'
import type { Task } from './task.ts'

/** How a run ended; each has an exit code. */
export type TaskOutcome =
  | 'ok'
  | 'stopped'
  | 'rejected'
  | 'denied'
  | 'expired'
  | 'withdrawn'
  | 'unasked'
  | 'aborted'
  | 'error'

/** One call of a run. */
export interface TaskCall {
  readonly callId: string
  readonly agent: string
  readonly tool: string
  readonly risk: string | null
  readonly supervision: string | null
  readonly effect: string | null
  /** `completed`, `failed`, or how it was refused; null when the run ended before. */
  readonly outcome: string | null
  readonly code: string | null
  /** Why it failed or was refused. */
  readonly message: string | null
}

/** The report of a run. */
export interface TaskReport {
  readonly version: 1
  readonly outcome: TaskOutcome
  readonly task: Task
  readonly model: string
  readonly workspace: string
  readonly startedAt: string
  readonly seconds: number
  readonly stop: Stop
  /** The agent’s final answer. */
  readonly answer: string
  readonly turns: number
  readonly tokens: { readonly input: number; readonly output: number }
  /** Files changed by built-in tools, with lines added and removed. */
  readonly changes: readonly { readonly path: string; readonly lines: number }[]
  readonly calls: readonly TaskCall[]
  /** Calls over the limit, not listed. */
  readonly missingCalls: number
}

const MAX_CALLS = 5_000
const MAX_MESSAGE = 2_000

/** The totals of a run. */
export interface Tally {
  readonly calls: readonly TaskCall[]
  readonly missingCalls: number
  readonly turns: number
  readonly tokens: TaskReport['tokens']
}

/** Adds up the events of a run. `clean` redacts a text before it is cut. */
export function keepTally(clean: (text: string) => string): { hear(event: AgentEvent): void; tally(): Tally } {
  const calls = new Map<string, TaskCall>()
  const tokens = { input: 0, output: 0 }
  let missingCalls = 0
  let turns = 0
  const change = (callId: string, more: Partial<TaskCall>): void => {
    const call = calls.get(callId)
    if (call !== undefined) calls.set(callId, { ...call, ...more })
  }
  return {
    hear(event) {
      switch (event.kind) {
        case 'turn':
          turns += 1
          return
        case 'usage':
          tokens.input += event.tokens.input
          tokens.output += event.tokens.output
          return
        case 'requested':
          if (calls.size >= MAX_CALLS) missingCalls += 1
          else calls.set(event.callId, { callId: event.callId, agent: event.agent, tool: event.call.tool, ...NEW_CALL })
          return
        case 'judged':
          return change(event.callId, { risk: event.risk, supervision: event.supervision, effect: event.effect })
        case 'completed':
          return change(event.callId, { outcome: 'completed' })
        case 'failed':
          return change(event.callId, {
            outcome: 'failed',
            code: 'CS_TOOL_FAILED',
            message: bounded(clean(event.message)),
          })
        case 'refused': {
          const { outcome, code, message } = event.refusal
          return change(event.callId, { outcome, code, message: bounded(clean(message)) })
        }
        default:
          return
      }
    },
    tally: () => ({ calls: [...calls.values()], missingCalls, turns, tokens: { ...tokens } }),
  }
}

const NEW_CALL = { risk: null, supervision: null, effect: null, outcome: null, code: null, message: null } as const

function bounded(text: string): string {
  return text.slice(0, MAX_MESSAGE).toWellFormed()
}

/** The outcome: first what ended the run early, then the most severe refusal. */
export function outcomeOf(stop: Stop, calls: readonly TaskCall[]): TaskOutcome {
  if (stop.why === 'aborted') return 'aborted'
  if (stop.why === 'model-failed' || stop.why === 'broken') return 'error'
  if (!ENDED_BY_ITSELF.has(stop.why)) return 'stopped'
  const refused = ORDER.find(([, is]) => calls.some((call) => is(call)))?.[0]
  return refused ?? (stop.why === 'done' ? 'ok' : 'stopped')
}

/** The agent finished or got stuck: then refusals say more. */
const ENDED_BY_ITSELF: ReadonlySet<Stop['why']> = new Set<Stop['why']>(['done', 'repeated-refusal', 'errors'])

const is =
  (outcome: Refusal['outcome']) =>
  (call: TaskCall): boolean =>
    call.outcome === outcome && call.code !== 'CS_NO_INTERFACE'

/** Malformed or impossible calls were retried by the agent, and say nothing about the run. */
const ORDER: readonly (readonly [TaskOutcome, (call: TaskCall) => boolean])[] = [
  ['denied', is('denied')],
  ['rejected', is('rejected')],
  ['expired', is('expired')],
  ['unasked', ({ code }) => code === 'CS_NO_INTERFACE'],
  ['withdrawn', (call) => is('withdrawn')(call) || is('stale')(call)],
  [
    'error',
    ({ outcome, code }) => outcome === 'unknown' || (outcome === 'refused' && code?.startsWith('CS_STORE') === true),
  ],
]
