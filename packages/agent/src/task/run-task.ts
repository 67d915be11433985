import { CountersignError, type Gate, type Json, redactJson, redactText } from '@countersign/core'
import { type Home, openGate, openHome, openWorkspace, placesOf, systemClock } from '@countersign/node'
import { createAgent } from '../loop/agent.ts'
import type { AgentEvent } from '../loop/event.ts'
import { stop as stopOf } from '../loop/stop-conditions.ts'
import type { Stop } from '../loop/stop-reason.ts'
import { systemPrompt } from '../loop/system-prompt.ts'
import { keepTranscript, type Redactor } from '../loop/transcript.ts'
import type { Message, Model } from '../model/model.ts'
import { BUILTIN_TOOLS } from '../tools/builtin-tools.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { openBounds } from './bounds.ts'
import { boundsText } from './bounds-prompt.ts'
import { keepTally, outcomeOf, type TaskReport } from './report.ts'
import type { Task } from './task.ts'
import { unattendedGate } from './unattended-gate.ts'

/** What a run needs. */
export interface TaskRun {
  readonly task: Task
  readonly model: Model
  readonly workspace: string
  /** The folder of policy, store and keys; the account's own when absent. */
  readonly home?: string | Home
  /** Tools beside the built-in ones. */
  readonly tools?: readonly AgentTool[]
  /** A call that needs a person: refused at once, or held until somebody decides on another surface. */
  readonly onHold: 'refuse' | 'wait'
  readonly signal?: AbortSignal
  readonly onEvent?: (event: AgentEvent) => void
  /** Hears of the gate once it is open, before the first call: banners, problems of the policy; and what replaces secrets. */
  readonly onOpen?: (gate: Gate, redactor: Redactor) => void
}

/** A run that ended, with its transcript; secrets are already replaced in both. */
export interface TaskRan {
  readonly report: TaskReport
  readonly transcript: string
}

/**
 * Runs one task without anybody watching. Every call passes the gate, and inside it the bounds of the task: they come on
 * top of policy and lift none of it.
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
    run.onOpen?.(gate, ports.crypto)
    const agent = createAgent({
      name: 'run',
      model,
      gate: onHold === 'refuse' ? unattendedGate(gate) : gate,
      tools: bounds.bind([...BUILTIN_TOOLS, ...(run.tools ?? [])]),
      workspace,
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

const MOST_ANSWER = 20_000

function lastWords(messages: readonly Message[], redactor: Redactor): string {
  const last = messages.findLast(({ role }) => role === 'agent')
  return last?.role === 'agent' ? redactText(last.text, redactor).slice(0, MOST_ANSWER).toWellFormed() : ''
}

/** Whatever broke, what was done until then is reported. */
function brokenOff(error: unknown): Stop {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  const code = error instanceof CountersignError ? error.code : 'CS_INTERNAL'
  return stopOf('broken', `the run broke off: ${message.slice(0, 300)} [${code}]; see what was done until then`)
}

/** What is kept of a run is as free of secrets as the journal. */
function redacted(report: TaskReport, redactor: Redactor): TaskReport {
  return redactJson(JSON.parse(JSON.stringify(report)) as Json, redactor) as unknown as TaskReport
}
