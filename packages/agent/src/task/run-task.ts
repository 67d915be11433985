import { CountersignError, type Gate, type Json, redactJson, redactText } from '@countersign/core'
import { type Home, openGate, openHome, openWorkspace, placesOf, systemClock } from '@countersign/node'
import { createAgent, systemPrompt } from '../loop/agent.ts'
import type { AgentEvent } from '../loop/event.ts'
import type { Stop } from '../loop/stop-conditions.ts'
import { stop as stopOf } from '../loop/stop-conditions.ts'
import { keepTranscript, type Redactor } from '../loop/transcript.ts'
import type { Message, Model } from '../model/model.ts'
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { openBounds } from './bounds.ts'
import { keepTally, outcomeOf, type TaskReport } from './report.ts'
import type { Task } from './task.ts'
import { boundsText } from './task.ts'
import { unattendedGate } from './unattended-gate.ts'

/** What a run needs. */
export interface TaskRun {
  readonly task: Task
  readonly model: Model
  readonly workspace: string
  /** The folder of policy, store and keys; default: the account’s. */
  readonly home?: string | Home
  /** Additional tools. */
  readonly tools?: readonly AgentTool[]
  /** How to handle a call that needs a person: refuse it, or hold it for a decision on another surface. */
  readonly onHold: 'refuse' | 'wait'
  readonly signal?: AbortSignal
  readonly onEvent?: (event: AgentEvent) => void
  /** Called with the gate before the first call, for banners and policy problems; and with what redacts secrets. */
  readonly onOpen?: (gate: Gate, redactor: Redactor) => Promise<void>
}

/** A finished run with its transcript, both redacted. */
export interface TaskRan {
  readonly report: TaskReport
  readonly transcript: string
}

/**
 * Runs one task unattended. Every call passes the gate and the limits of the task, which come on top of policy and lift
 * none of it.
 */
export async function runTask(run: TaskRun): Promise<TaskRan> {
  const { task, model, onHold, signal, onEvent } = run
  const home = typeof run.home === 'object' ? run.home : openHome(run.home)
  const workspace = openWorkspace(run.workspace)
  const bounds = openBounds(task, placesOf(home, workspace))
  const { gate, ports } = await openGate({
    home,
    workspace,
    tier: 'T0',
    checkers: [bounds.checker],
    floors: bounds.floors,
  })
  try {
    await run.onOpen?.(gate, ports.crypto)
    const agent = createAgent({
      name: 'run',
      model,
      gate: onHold === 'refuse' ? unattendedGate(gate) : gate,
      tools: bounds.bind([...BUILTIN_TOOLS, ...(run.tools ?? [])]),
      workspace,
      home,
      system: `${systemPrompt(workspace)}\n\n${boundsText(task)}`,
      guards: { iterations: task.limits.turns, tokens: task.limits.tokens, timeMs: task.limits.timeMs },
    })
    const { hear, tally } = keepTally((text) => redactText(text, ports.crypto))
    const transcript = keepTranscript(agent)
    agent.subscribe(hear)
    if (onEvent !== undefined) agent.subscribe(onEvent)
    const [startedAt, since] = [systemClock.now(), systemClock.monotonic()]
    const stop = await agent.say(task.text, signal).catch(brokenOff)
    const counted = tally()
    const report: TaskReport = {
      version: 1,
      outcome: outcomeOf(stop, counted.calls),
      task,
      model: model.name,
      workspace,
      startedAt: new Date(startedAt).toISOString(),
      seconds: Math.round((systemClock.monotonic() - since) / 100) / 10,
      stop,
      answer: lastWords(agent.messages, ports.crypto),
      ...counted,
      changes: bounds.changed(),
    }
    return { report: redacted(report, ports.crypto), transcript: transcript.toJson(ports.crypto) }
  } finally {
    await gate.close()
  }
}

const MAX_ANSWER = 20_000

function lastWords(messages: readonly Message[], redactor: Redactor): string {
  const last = messages.findLast(({ role }) => role === 'agent')
  return last?.role === 'agent' ? redactText(last.text, redactor).slice(0, MAX_ANSWER).toWellFormed() : ''
}

/** Whatever failed, the work so far is reported. */
function brokenOff(error: unknown): Stop {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  const code = error instanceof CountersignError ? error.code : 'CS_INTERNAL'
  return stopOf('broken', `the run stopped early: ${message.slice(0, 300)} [${code}]; the report lists what was done`)
}

/** Redacts a report like the journal. */
function redacted(report: TaskReport, redactor: Redactor): TaskReport {
  return redactJson(JSON.parse(JSON.stringify(report)) as Json, redactor) as unknown as TaskReport
}
