import { createHash } from 'node:crypto'
import type { Permit } from '@countersign/core'
import type { AdvertisedTool } from '../pins/catalogue.ts'
import type { Message, RpcResponse } from '../wire/message.ts'
import { toolError } from '../wire/message-writer.ts'
import type { CallEnd, Exchange, MessageAction } from './call/exchange.ts'
import { endOf, outcomeOf } from './call/exchange.ts'
import type { GateRequest } from './call/gate-request.ts'
import { callKey } from './call/gate-request.ts'
import type { ToolCall } from './call/tool-call.ts'
import type { GatedContext } from './gated-call.ts'
import { MAX_ROUNDS } from './input-rounds.ts'

/** An allowed call and the state of its exchange with the server. */
export interface Allowed {
  readonly call: ToolCall
  readonly tool: AdvertisedTool
  readonly asked: GateRequest
  readonly exchange: Exchange
  readonly permit: Permit
  /** How often it was sent before under this permit. */
  readonly count: number
  /** When its server first asked for input; null when it has not. */
  readonly since: number | null
}

/** INVARIANT: a cancelled call is never sent, even if it was approved at the same moment. */
export function forwardCall(allowed: Allowed, context: GatedContext): MessageAction {
  const { call, permit, count, exchange } = allowed
  const { signal } = exchange
  const settle = (end: CallEnd, result?: Uint8Array): Promise<void> =>
    settleCall(permit, end.kind === 'unsent' && count > 0 ? { ...end, kind: 'lost' } : end, context, result)
  const onlyHalf = signal.reason === 'half-closed' && permit.approvedBy === null
  if (signal.aborted && !onlyHalf) {
    void settle({ kind: 'unsent', why: 'the client cancelled it or disconnected' })
    return { kind: 'drop' }
  }
  if (count > 0) context.record({ kind: 'continued', call: permit.callId, round: count, input: digestOf(call) })
  const answered = (message: Message): MessageAction => {
    if (message.kind !== 'response') return { kind: 'forward', bytes: message.bytes }
    const end = endOf(message, call.task !== null)
    if (end !== 'input-required')
      return { kind: 'forward', bytes: message.bytes, after: () => settle(end, message.bytes) }
    const why = openRound(message, allowed, context)
    if (why === null) return { kind: 'forward', bytes: message.bytes }
    const text = `NOT COMPLETED (${why}). Do not retry this call unchanged.`
    return {
      kind: 'forward',
      bytes: toolError(call.id, text, exchange.protocol),
      after: () => settle({ kind: 'error', message: why }),
    }
  }
  return {
    kind: 'forward',
    bytes: call.serialise(permit.args),
    asked: { id: call.id, method: 'tools/call', answered },
    settle,
  }
}

/** Waits for the retry with the requested input; returns a reason when none is accepted. */
function openRound(message: RpcResponse, { tool, asked, permit, count, since }: Allowed, context: GatedContext) {
  try {
    const denied = context.deniedInput(message)
    if (denied !== null) return `denied: the server requested \`${denied}\`, which is denied`
    const isOpen = context.rounds.open(callKey(tool, asked.args, stateOf(message)), { permit, count, since })
    return isOpen
      ? null
      : `refused: one approval covers ${MAX_ROUNDS} answers within ten minutes, and the server asked for more`
  } catch {
    return 'refused: the server’s request for input could not be read'
  }
}

function stateOf(message: RpcResponse): string | undefined {
  const bytes = message.member('requestState')
  const state: unknown = bytes === null ? undefined : JSON.parse(bytes.toString('utf8'))
  if (state === undefined || typeof state === 'string') return state
  throw new TypeError('`requestState` is not a string')
}

/** A digest of the input of a retry, as sent, so that it can be proven later. */
function digestOf({ inputResponses }: ToolCall): string | null {
  return inputResponses === null ? null : createHash('sha256').update(inputResponses).digest('hex')
}

/** Settles calls whose retry never came: the server may have started, so their outcome is unknown. */
export function settleAbandoned(context: GatedContext, all: boolean): readonly Promise<void>[] {
  const why = 'the server asked for input, and the call was never sent again'
  return context.rounds.abandoned(all).map((permit) => settleCall(permit, { kind: 'lost', why }, context))
}

export async function settleCall(
  permit: Permit,
  end: CallEnd,
  { gate, log }: GatedContext,
  result?: Uint8Array,
): Promise<void> {
  const { outcome, detail } = outcomeOf(end)
  try {
    await gate.settle(permit, outcome, detail ?? undefined, result)
  } catch (error) {
    // The intent stays without an outcome, which means `unknown`.
    log.refused('server', 'outcome', error instanceof Error ? error.message : 'the outcome could not be recorded')
  }
}
