import {
  CountersignError,
  canonicalJson,
  type EntryBody,
  type Gate,
  type Permit,
  type Refusal,
  refusalText,
} from '@countersign/core'
import type { AdvertisedTool, Catalogue, ToolStatus } from '../pins/catalogue.ts'
import type { Message, RpcRequest } from '../wire/message.ts'
import { errorResponse, RPC, toolError, unknownStateResponse } from '../wire/message-writer.ts'
import type { Exchange, MessageAction } from './call/exchange.ts'
import { SessionEnded } from './call/exchange.ts'
import { callKey, type GateRequest, gateRequest, isDeniedNow } from './call/gate-request.ts'
import { lookalikeArgument } from './call/lookalike-arguments.ts'
import { readToolCall, type ToolCall } from './call/tool-call.ts'
import type { ClientPrompt } from './client-prompt.ts'
import { forwardCall, settleAbandoned, settleCall } from './forward-call.ts'
import { createOverdueTimer, type HoldOptions, holdLimit, startHeartbeat } from './hold-timing.ts'
import type { OpenRounds, Round } from './input-rounds.ts'
import type { PendingCalls, StillPending } from './pending-calls.ts'
import type { SessionLog } from './session-log.ts'
import type { ToolLists } from './tool-listing.ts'

/** What the calls of one client to one server need. */
export interface GatedContext {
  readonly gate: Pick<Gate, 'ask' | 'settle' | 'explain' | 'isConfirmationRequired'>
  readonly server: string
  readonly catalogue: Catalogue
  readonly lists: ToolLists
  /** The working directory of the server. */
  readonly cwd?: string
  readonly hold: HoldOptions
  readonly pending: PendingCalls
  readonly rounds: OpenRounds
  readonly log: SessionLog
  /** Shows the client’s user where a call is held; null when disabled. */
  readonly clientPrompt: ClientPrompt | null
  newId(): string
  /** Appends a journal entry. */
  record(entry: EntryBody): void
  /** Called when a call is not answered at once: a person is asked. */
  onHeld(callId: string): void
  /** Finds a request inside `inputRequests` that must not reach the client. */
  deniedInput(answer: Message): string | null
}

/** Judges one `tools/call`. INVARIANT: L1, what is forwarded is built from a permit’s arguments only. */
export async function gateCall(request: RpcRequest, exchange: Exchange, context: GatedContext): Promise<MessageAction> {
  const arrival = context.catalogue.arrive?.()
  let call: ToolCall
  let shown: string | null = null
  try {
    const unwrapped = context.clientPrompt?.unwrap(request) ?? null
    if (unwrapped === 'foreign')
      throw new Error('its `requestState` belongs to another call or was already used; leave it out')
    shown = unwrapped?.callId ?? null
    call = readToolCall(unwrapped?.request ?? request)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    context.log.refused('client', 'tools/call', why)
    return { kind: 'answer', bytes: errorResponse(request.id, RPC.params, `call refused: ${why}`) }
  }
  settleAbandoned(context, false)
  const listed = await context.lists.ensure(call, exchange)
  if (listed === 'gone') return sessionEnded(call, context)
  const status = currentStatus(call.name, context, arrival)
  if (status.kind !== 'accepted') {
    const noted = `${status.kind}: ${status.why}`
    return refuse(call, { word: 'refused', why: refusalReason(status, context.lists), noted }, exchange, context)
  }
  const { tool } = status
  const disguised = lookalikeArgument(call.args, tool.definition)
  if (disguised !== null) return refuse(call, { word: 'refused', why: disguised }, exchange, context)
  const asked = askFor(call, tool, exchange, context)
  if (call.isRetry) {
    const round = await resumeRound(call, tool, asked, context)
    if (round !== null)
      return 'word' in round
        ? refuse(call, round, exchange, context)
        : forwardCall({ call, tool, asked, exchange, ...round }, context)
    if (call.requestState !== undefined) return refuseState(call, context)
    // INVARIANT: L5, input that nobody asked for reaches no server: this becomes a first call, and its server may ask.
    call = call.asFirstCall()
  }
  const since = performance.now()
  const answer = await ask(call, tool, asked, exchange, context, shown)
  if (answer.kind === 'permit') {
    const wasQuick = answer.approvedBy === null && performance.now() - since < HELD_AFTER_MS
    const stale = wasQuick || hasLeft(exchange) ? null : await staleReason(call, tool, exchange, context)
    if (stale === null)
      return forwardCall({ call, tool, asked, exchange, permit: answer, count: 0, since: null }, context)
    await settleCall(answer, { kind: 'unsent', why: stale }, context)
    return refuse(call, { word: 'stale', why: stale }, exchange, context)
  }
  // INVARIANT: a client that cancelled gets no response; one that only stopped sending still does.
  if (hasLeft(exchange)) return { kind: 'drop' }
  const wanted = answer.kind === 'pending' ? await inputRequired(call, shown ?? asked.id, exchange, context) : null
  if (wanted !== null) return { kind: 'answer', bytes: wanted }
  const text = answer.kind === 'pending' ? PENDING : refusalText(answer)
  return { kind: 'answer', bytes: toolError(call.id, text, exchange.protocol) }
}

const PENDING =
  'PENDING: this call still waits for approval and has not run. Call the same tool again with exactly the same arguments to keep waiting; the decision is kept until the deadline. Do not change the arguments: that would be another call.'

function hasLeft({ signal }: Exchange): boolean {
  return signal.aborted && signal.reason !== 'half-closed'
}

/** Why a call was not forwarded. */
interface Refused {
  readonly word: 'refused' | 'denied' | 'stale'
  readonly why: string
  /** The text for the journal, if different. */
  readonly noted?: string
}

/** Tells the model and the journal why a call was refused. */
function refuse(
  call: ToolCall,
  { word, why, noted }: Refused,
  exchange: Exchange,
  { log }: GatedContext,
): MessageAction {
  log.refused('client', `tools/call ${call.name}`, noted ?? `${word}: ${why}`)
  return { kind: 'answer', bytes: toolError(call.id, `NOT EXECUTED (${word}): ${why}.`, exchange.protocol) }
}

/** Over HTTP the status tells a client to start another session. */
function sessionEnded(call: ToolCall, { log }: GatedContext): MessageAction {
  const why = new SessionEnded().message
  log.refused('client', `tools/call ${call.name}`, why)
  return { kind: 'answer', bytes: errorResponse(call.id, RPC.lost, why), status: 404 }
}

/** An unknown state is refused as its server would refuse it. */
function refuseState(call: ToolCall, { log }: GatedContext): MessageAction {
  log.refused('client', `tools/call ${call.name}`, 'refused: its `requestState` is unknown')
  return { kind: 'answer', bytes: unknownStateResponse(call.id) }
}

/**
 * The status of a tool by its server’s last list. INVARIANT: L3, if that list could not be read, any tool may have
 * changed, so none counts as accepted.
 */
function currentStatus(name: string, { lists, catalogue }: GatedContext, arrival?: number): ToolStatus {
  const status = catalogue.find(name, arrival)
  if (status.kind !== 'accepted' || lists.problem === null) return status
  return { kind: 'unadvertised', why: 'its server’s list of tools could not be read' }
}

function refusalReason(status: Exclude<ToolStatus, { readonly kind: 'accepted' }>, { problem }: ToolLists): string {
  if (status.kind === 'quarantined') return `${status.why}; ${status.fix}`
  return problem === null ? status.why : `its server’s list of tools could not be read: ${problem}`
}

const UNKNOWN_TOOL = 'could not verify that its tool is unchanged'

/**
 * Why an allowed call must not be sent any more. SECURITY: A20 the person approved a call of this very definition; the
 * server may change it, or a person may forget it, while the call is held.
 */
async function staleReason(
  call: ToolCall,
  tool: AdvertisedTool,
  exchange: Exchange,
  context: GatedContext,
): Promise<string | null> {
  try {
    const listed = await context.lists.relist(call, exchange)
    if (listed === 'gone') return new SessionEnded().message
    if (listed === undefined && exchange.askServer !== undefined) return UNKNOWN_TOOL
    const status = currentStatus(call.name, context)
    if (status.kind !== 'accepted') return refusalReason(status, context.lists)
    if (status.tool.definition === tool.definition) return null
    const isSame = canonicalJson(status.tool.definition) === canonicalJson(tool.definition)
    return isSame ? null : 'its definition changed since the call was shown; call it again'
  } catch {
    return UNKNOWN_TOOL
  }
}

function askFor(call: ToolCall, tool: AdvertisedTool, exchange: Exchange, context: GatedContext): GateRequest {
  const { server, cwd = null } = context
  const hold = holdOf(exchange, context)
  const agent = exchange.agent ?? null
  const timeoutMs = hold.mode === 'pending' ? null : holdLimit(hold, agent)
  return gateRequest(call, tool, { id: context.newId(), server, agent, cwd, timeoutMs })
}

/** The round that a retry continues; a refusal; or null when nothing waits for it. */
async function resumeRound(
  call: ToolCall,
  tool: AdvertisedTool,
  asked: GateRequest,
  context: GatedContext,
): Promise<Round | Refused | null> {
  const round = context.rounds.take(callKey(tool, asked.args, call.requestState))
  if (round === null) return null
  if (!(await isDeniedNow(asked, round.permit.args, context.gate))) return { ...round, count: round.count + 1 }
  await settleCall(round.permit, { kind: 'error', message: 'policy denies it now' }, context)
  return { word: 'denied', why: 'policy denies it now' }
}

async function ask(
  call: ToolCall,
  tool: AdvertisedTool,
  asked: GateRequest,
  exchange: Exchange,
  context: GatedContext,
  shown: string | null,
): Promise<Permit | Refusal | StillPending> {
  const { gate, pending } = context
  const hold = holdOf(exchange, context)
  const isFirst = shown === null && hold !== context.hold
  const limit = isFirst
    ? (context.clientPrompt?.afterMs ?? null)
    : hold.mode === 'pending'
      ? holdLimit(hold, exchange.agent ?? null)
      : null
  let hide: () => void = () => {}
  const stop = startHeartbeat(call.progressToken, (bytes) => exchange.toClient(bytes), hold.heartbeatMs)
  const isAnswered = HELD.watch(() => {
    context.onHeld(asked.id)
    hide = context.clientPrompt?.show(asked.id, exchange) ?? hide
  })
  try {
    if (limit === null || !(await gate.isConfirmationRequired(asked))) return await gate.ask(asked, exchange.signal)
    return await pending.ask(asked, callKey(tool, asked.args), limit, exchange.signal)
  } catch (error) {
    return refused(error)
  } finally {
    stop()
    hide()
    isAnswered()
  }
}

/** A client that is shown the location comes back for the decision, as in `pending` mode. */
function holdOf(exchange: Exchange, { hold, clientPrompt }: GatedContext): HoldOptions {
  return clientPrompt?.usesRounds(exchange) === true ? { ...hold, mode: 'pending' } : hold
}

function inputRequired(
  call: ToolCall,
  callId: string,
  exchange: Exchange,
  { clientPrompt }: GatedContext,
): Promise<Buffer | null> {
  return clientPrompt?.usesRounds(exchange) === true
    ? clientPrompt.inputRequired(call, callId, exchange)
    : Promise.resolve(null)
}

/** Nobody decides that fast: a call without an answer by then is held. */
const HELD_AFTER_MS = 250
const HELD = createOverdueTimer(HELD_AFTER_MS)

function refused(error: unknown): Refusal {
  const known = error instanceof CountersignError
  return {
    kind: 'refusal',
    callId: '',
    outcome: 'refused',
    code: known ? error.code : 'CS_INTERNAL',
    message: known ? error.message : 'internal error in the gate; the call was refused',
    reason: null,
    rule: null,
  }
}
