import { hash } from 'node:crypto'
import { type Call, CountersignError, canonicalJson, type Json, type Ticket } from '@countersign/core'
import {
  type AskingGate,
  type GivenAnswer,
  isLocal,
  type KeyedTicket,
  type LocalGate,
  type ServiceGate,
} from '../gate/asking-gate.ts'
import { setupError } from '../gate/refused-call.ts'
import type { Durable, TicketBook } from './options.ts'

/**
 * Calls that are submitted now and collected later, perhaps by another process.
 *
 * - The id of a call is derived from the run and the SDK's id of the tool call, so a resumed run finds its own call.
 * - The store knows the call by its digest. Under the same id, other arguments or another tool are refused.
 * - The decision is only ever in the store. What the SDK saved, or a client sent, decides nothing.
 * - A call that was started is never started again: resuming twice gets a refusal that tells so.
 */
export interface DurableCalls {
  /** Submits the call if a person must decide it. False if there is nothing to wait for; `collect` then has the answer. */
  mustPause(toolCallId: string | undefined, call: () => Call): Promise<boolean>
  /** The permit or refusal of a call, which is submitted if it was not yet. Waits for a person until its deadline. */
  collect(toolCallId: string | undefined, call: Call, leaving: AbortSignal): Promise<GivenAnswer>
}

/** Opens the durable calls of one run. Throws if the gate could not keep them. */
export function openDurableCalls(source: string, gate: AskingGate, { run, tickets }: Durable): DurableCalls {
  if (typeof run !== 'string' || run === '')
    throw setupError('`durable.run` must name the run; use the id of the conversation or job')
  const keeper = isLocal(gate) ? localKeeper(gate) : serviceKeeper(gate, tickets)
  const named = (toolCallId: string | undefined, call: Call): Call & { readonly id: string } => {
    if (toolCallId === undefined || toolCallId === '')
      throw new CountersignError('CS_CALL_SHAPE', 'the SDK gave this call no id; a durable call needs one')
    return { ...call, id: sha256(JSON.stringify([source, run, toolCallId])) }
  }
  return {
    async mustPause(toolCallId, call) {
      try {
        const one = named(toolCallId, call())
        return (await gate.isConfirmationRequired(one)) && (await keeper.waits(one))
      } catch {
        return false // `collect` meets the same failure, and refuses
      }
    },
    collect: (toolCallId, call, leaving) => keeper.collect(named(toolCallId, call), leaving),
  }
}

interface Keeper {
  /** Submits the call; whether it waits for a person, as far as the gate tells without starting it. */
  waits(call: Call & { readonly id: string }): Promise<boolean>
  collect(call: Call & { readonly id: string }, leaving: AbortSignal): Promise<GivenAnswer>
}

/** A waiter who has already left gets every refusal, and never a permit. */
const LOOK_ONLY = AbortSignal.abort('gone')

/** In this process the call's digest has the session, so a call that outlives its session must have none. */
function localKeeper(gate: LocalGate): Keeper {
  if (gate.session !== null)
    throw setupError("durable calls outlive this process and its session; open the gate with `session: 'none'`")
  return {
    async waits(call) {
      const answer = await gate.wait(await gate.submit(call), LOOK_ONLY)
      return answer.kind === 'refusal' && answer.code === 'CS_WITHDRAWN'
    },
    async collect(call, leaving) {
      return gate.wait(await gate.submit(call), leaving)
    },
  }
}

/** In a service every connection is a session of its own, and only the ticket's key lets another one collect the call. */
function serviceKeeper(gate: ServiceGate, book: TicketBook | undefined): Keeper {
  if (book === undefined)
    throw setupError('durable calls in a service need `durable.tickets`; pass a place that outlives this process')
  const ticketOf = async (call: Call & { readonly id: string }): Promise<KeyedTicket> => {
    const digest = sha256(canonicalJson({ tool: call.tool, args: call.args } as Json))
    const saved = await book.get(call.id)
    if (saved !== undefined) return readTicket(saved, call.id, digest)
    const { key } = await gate.submit(call)
    await book.set(call.id, JSON.stringify({ key, digest }))
    return { kind: 'ticket', callId: call.id, key }
  }
  return {
    async waits(call) {
      await ticketOf(call)
      return true
    },
    async collect(call, leaving) {
      return gate.wait(await ticketOf(call), { signal: leaving })
    },
  }
}

function readTicket(saved: string, callId: Ticket['callId'], digest: string): KeyedTicket {
  const { key, digest: submitted } = JSON.parse(saved) as { readonly key?: unknown; readonly digest?: unknown }
  if (submitted !== digest || typeof key !== 'string')
    throw new CountersignError(
      'CS_CALL_DUPLICATE',
      `another call was submitted under the id \`${callId}\`; this one does not run`,
    )
  return { kind: 'ticket', callId, key }
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
