import { randomBytes } from 'node:crypto'
import {
  type Agent,
  type Annotations,
  type Call,
  type Clock,
  CountersignError,
  type Effect,
  type Gate,
  type JsonObject,
  type Refusal,
  refusalText,
  type ToolResult,
} from '@countersign/core'
import { CommandFailed, type Home } from '@countersign/node'
import type { AskedCall, CallResult } from '../model/model.ts'
import type { AgentTool, ToolRun } from '../tools/definition/agent-tool.ts'
import { headAndTail } from '../tools/definition/output-limit.ts'
import { readFileTool } from '../tools/files/read-file.ts'
import type { AgentEvent } from './event.ts'
import type { GateBridge } from './gate-events.ts'
import type { Asked } from './stop-conditions.ts'

/** What the calls of one agent share. */
export interface CallParts {
  readonly gate: Gate
  readonly bridge: GateBridge
  readonly clock: Clock
  readonly label: string
  readonly agent: Agent
  readonly workspace: string
  readonly home?: Home
  readonly signal: AbortSignal
  readonly emit: (event: AgentEvent) => void
}

/** One tool call for the gate. */
export interface GatedCall {
  readonly call: AskedCall
  readonly tool: AgentTool
  readonly args: JsonObject
  /** The agent’s text around it. */
  readonly said: string
  /** What the model thought before it. */
  readonly reasoning?: string
  readonly confirmationMessage?: string
}

const MAX_RESULT = 100_000

/** Submits one call to the gate, and runs it when allowed. Never throws: every outcome is a result for the model. */
export async function callTool(gated: GatedCall, parts: CallParts): Promise<Asked> {
  const { call } = gated
  const { label: agent, emit } = parts
  const callId = newCallId()
  emit({ kind: 'requested', agent, callId, call })
  if (parts.signal.aborted) return refuse(call, callId, STOPPED, parts)
  const followed = parts.bridge.follow(callId)
  const result = await ask(gated, callId, parts)
  followed.end()
  switch (result.kind) {
    case 'refusal':
      emit({ kind: 'refused', agent, callId, refusal: result })
      return { call, refusal: result, result: resultOf(call, refusalText(result), true) }
    case 'failed':
      emit({ kind: 'failed', agent, callId, message: result.message, backup: followed.backup })
      return failed(call, result)
    case 'completed': {
      const text = headAndTail(textOf(result.value), MAX_RESULT)
      emit({ kind: 'completed', agent, callId, text, backup: followed.backup })
      return { call, refusal: null, result: resultOf(call, text, false) }
    }
  }
}

/** A failed call, for the model. A command's output is part of it. */
function failed(call: AskedCall, { error, message }: Extract<ToolResult, { kind: 'failed' }>): Asked {
  if (!(error instanceof CommandFailed))
    return { call, refusal: null, result: resultOf(call, `FAILED: ${message}`, true) }
  const text = `FAILED: ${message}${error.output === '' ? '' : `\n${error.output}`}`
  return { call, refusal: null, hasRun: true, result: resultOf(call, headAndTail(text, MAX_RESULT), true) }
}

/** Why a call does not reach the gate. */
export type NotAsked = Pick<Refusal, 'outcome' | 'code' | 'message'>

const STOPPED: NotAsked = {
  outcome: 'withdrawn',
  code: 'CS_WITHDRAWN',
  message: 'the agent was stopped before this call',
}

/** Answers a call without the gate. */
export function refuseUnasked(call: AskedCall, why: NotAsked, parts: CallParts): Asked {
  const callId = newCallId()
  parts.emit({ kind: 'requested', agent: parts.label, callId, call })
  return refuse(call, callId, why, parts)
}

function refuse(call: AskedCall, callId: string, why: NotAsked, { label: agent, emit }: CallParts): Asked {
  const refusal: Refusal = { kind: 'refusal', callId, reason: null, rule: null, ...why }
  emit({ kind: 'refused', agent, callId, refusal })
  return { call, refusal, result: resultOf(call, refusalText(refusal), true) }
}

/** Unique in the store, whatever id the model chose: 128 random bits, like the gate’s. */
function newCallId(): string {
  return randomBytes(16).toString('hex')
}

async function ask(gated: GatedCall, callId: string, parts: CallParts): Promise<ToolResult> {
  const { signal } = parts
  const run = toolRun(callId, (path) => mayRead(path, parts), parts)
  let began = false
  const effect: Effect = (args, { contain, places, paths, approvedBy, refused, ended }) => {
    // Stopped between the decision and the effect: the permit is consumed, the tool does not run.
    if (signal.aborted) throw new CountersignError('CS_WITHDRAWN', STOPPED.message)
    began = true
    return gated.tool.run(args, {
      ...run,
      paths,
      isUnasked: approvedBy === null,
      ended,
      sandbox: contain === null ? null : { bounds: contain, places, refused },
    })
  }
  const work = parts.gate.run(handedIn(gated, callId, parts), effect, signal)
  const { late, cancel } = overdue(callId, parts)
  try {
    return await Promise.race([work, late])
  } catch (error) {
    if (began)
      return { kind: 'failed', callId, error, message: 'it started, and its outcome is unknown', recorded: false }
    return { kind: 'refusal', callId, reason: null, rule: null, ...BROKEN }
  } finally {
    cancel()
  }
}

const BROKEN: NotAsked = {
  outcome: 'refused',
  code: 'CS_INTERNAL',
  message: 'the gate did not answer; nothing ran',
}

/** INVARIANT: L2, a tool that reads more than it was judged by asks for each file; on any failure the answer is no. */
async function mayRead(path: string, parts: CallParts): Promise<boolean> {
  const call = { tool: readFileTool, args: { path }, said: '' }
  const isAsked = await parts.gate.isConfirmationRequired(handedIn(call, newCallId(), parts)).catch(() => true)
  return !isAsked
}

function handedIn(
  { tool, args, said, reasoning = '', confirmationMessage }: Omit<GatedCall, 'call'>,
  id: string,
  parts: CallParts,
): Call {
  const { agent, workspace: cwd } = parts
  const { name, nameOnServer, server, description, inputSchema, annotations, describe, requiresConfirmation } = tool
  return {
    id,
    agent,
    cwd,
    args,
    source: tool.source,
    tool: {
      name: nameOnServer ?? name,
      description,
      definition: tool.definition ?? { description, inputSchema },
      ...(server === undefined ? {} : { server }),
      ...(annotations === undefined ? {} : { annotations: annotations as Annotations }),
    },
    ...(said === '' ? {} : { said }),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(describe === undefined ? {} : { describe }),
    ...(requiresConfirmation === undefined ? {} : { requiresConfirmation }),
    ...(tool.containable === true ? { containable: true } : {}),
    ...(tool.asksOutside?.(args) === true ? { outside: true } : {}),
    ...(confirmationMessage === undefined ? {} : { confirmationMessage }),
  }
}

function resultOf({ id, tool }: AskedCall, text: string, isError: boolean): CallResult {
  return { id, tool, text, isError }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed()
  return value === undefined ? '' : (JSON.stringify(value) ?? String(value))
}

const MAX_OUTPUT = 1024 * 1024
/** How long a tool may take to stop before the loop ends without it. */
const GRACE_MS = 10_000

/** What a running tool may use. INVARIANT: L10, its output is limited. */
function toolRun(callId: string, mayRead: ToolRun['mayRead'], parts: CallParts): ToolRun {
  const { workspace, home, signal, label: agent, emit } = parts
  let left = MAX_OUTPUT
  return {
    workspace,
    ...(home === undefined ? {} : { home }),
    signal,
    callId,
    mayRead,
    output(stream, text) {
      if (left <= 0) return
      const shown = text.length <= left ? text : `${text.slice(0, left)}\n[… further output is not shown …]\n`
      left -= text.length
      emit({ kind: 'output', agent, callId, stream, text: shown.toWellFormed() })
    },
  }
}

/** A tool that ignores the stop does not block the loop. Its outcome is recorded whenever it ends. */
function overdue(
  callId: string,
  { signal, clock }: Pick<CallParts, 'signal' | 'clock'>,
): { readonly late: Promise<ToolResult>; cancel(): void } {
  let cancel = (): void => {}
  const late = new Promise<ToolResult>((resolve) => {
    const message = 'it was told to stop but has not; it may still be running'
    const start = (): void => {
      cancel = clock.after(GRACE_MS, () => resolve({ kind: 'failed', callId, error: null, message, recorded: false }))
    }
    if (signal.aborted) start()
    else {
      signal.addEventListener('abort', start, { once: true })
      cancel = () => signal.removeEventListener('abort', start)
    }
  })
  return { late, cancel: () => cancel() }
}
