import { createHash } from 'node:crypto'
import type { Permit } from '@countersign/core'
import type { AdvertisedTool } from '../pins/catalogue.ts'
import type { Message, RpcResponse } from '../wire/message.ts'
import { toolError } from '../wire/message-writer.ts'
import { callKey } from './call/approval-key.ts'
import type { CallEnd, Exchange, Fate } from './call/exchange.ts'
import type { AskedCall } from './call/gate-request.ts'
import { endOf, outcomeOf } from './call/outcome.ts'
import type { ToolCall } from './call/tool-call.ts'
import type { GatedContext } from './gated-call.ts'
import { MOST_ROUNDS } from './input-rounds.ts'

/** A call that may run, and how far its exchange with the server has come. */
export interface Allowed {
  readonly call: ToolCall
  readonly tool: AdvertisedTool
  readonly asked: AskedCall
  readonly exchange: Exchange
  readonly permit: Permit
  /** How often it was sent before, under this permit. */
  readonly count: number
  /** When its server first asked back; null when it has not. */
  readonly since: number | null
}

/** INVARIANT: a cancelled call is never sent, also when it was approved at the same moment. */
export function forwardCall(allowed: Allowed, context: GatedContext): Fate {
  const { call, permit, count, exchange } = allowed
  const { signal } = exchange
  const settle = (end: CallEnd): Promise<void> =>
    settleCall(permit, end.kind === 'unsent' && count > 0 ? { ...end, kind: 'lost' } : end, context)
  const onlyHalf = signal.reason === 'half-closed' && permit.approvedBy === null
  if (signal.aborted && !onlyHalf) {
    void settle({ kind: 'unsent', why: 'the client cancelled it or went away' })
    return { kind: 'drop' }
  }
  if (count > 0) context.record({ kind: 'continued', call: permit.callId, round: count, input: digestOf(call) })
  const answered = (message: Message): Fate => {
    if (message.kind !== 'response') return { kind: 'forward', bytes: message.bytes }
    const end = endOf(message, call.task !== null)
    if (end !== 'input-required') return { kind: 'forward', bytes: message.bytes, after: () => settle(end) }
    const why = keepOpen(message, allowed, context)
    if (why === null) return { kind: 'forward', bytes: message.bytes }
    const text = `NOT COMPLETED (${why}). Do not retry this call unchanged.`
    return {
      kind: 'forward',
      bytes: toolError(call.id, text, exchange.era),
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

/** Waits for the retry that the server wants; or says why none is waited for. */
function keepOpen(message: RpcResponse, { tool, asked, permit, count, since }: Allowed, context: GatedContext) {
  try {
    const denied = context.deniedInput(message)
    if (denied !== null) return `denied: the server wanted \`${denied}\`, which is denied here`
    const isOpen = context.rounds.open(callKey(tool, asked.args, stateOf(message)), { permit, count, since })
    return isOpen
      ? null
      : `refused: one approval covers ${MOST_ROUNDS} answers within ten minutes, and the server wants more`
  } catch {
    return 'refused: what the server wants to know could not be read'
  }
}

function stateOf(message: RpcResponse): string | undefined {
  const bytes = message.member('requestState')
  const state: unknown = bytes === null ? undefined : JSON.parse(bytes.toString('utf8'))
  if (state === undefined || typeof state === 'string') return state
  throw new TypeError('`requestState` is no text')
}

/** What a retry answers, as it is sent: whoever has it can prove that it is the one. */
function digestOf({ inputResponses }: ToolCall): string | null {
  return inputResponses === null ? null : createHash('sha256').update(inputResponses).digest('hex')
}

/** Calls whose retry never came: the server may have begun, so how they ended is not known. */
export function settleAbandoned(context: GatedContext, all: boolean): readonly Promise<void>[] {
  const why = 'the server asked for input, and the call was never sent again'
  return context.rounds.abandoned(all).map((permit) => settleCall(permit, { kind: 'lost', why }, context))
}

export async function settleCall(permit: Permit, end: CallEnd, { gate, notes }: GatedContext): Promise<void> {
  const { outcome, detail } = outcomeOf(end)
  try {
    await gate.settle(permit, outcome, detail ?? undefined)
  } catch (error) {
    // The intent stays without an outcome, which is what `unknown` means.
    notes.refused('server', 'outcome', error instanceof Error ? error.message : 'the outcome could not be recorded')
  }
}
