import {
  CountersignError,
  canonicalJson,
  type EntryBody,
  type Gate,
  type Permit,
  type Refusal,
  refusalText,
} from '@countersign/core'
import type { AdvertisedTool, Catalogue, ToolStanding } from '../pins/catalogue.ts'
import type { Message, RpcRequest } from '../wire/message.ts'
import { errorAnswer, RPC, toolError, unknownState } from '../wire/message-writer.ts'
import { callKey } from './call/approval-key.ts'
import type { Exchange, Fate } from './call/exchange.ts'
import { type AskedCall, askedCall, isDeniedNow } from './call/gate-request.ts'
import { disguisedArgument } from './call/lookalike-arguments.ts'
import { readToolCall, type ToolCall } from './call/tool-call.ts'
import { type HoldOptions, holdLimit } from './client-timeouts.ts'
import type { FrontEnd } from './elicitation/client-prompt.ts'
import { forwardCall, settleAbandoned, settleCall } from './forward-call.ts'
import type { OpenRounds, Round } from './input-rounds.ts'
import { createOverdue } from './overdue-timer.ts'
import type { PendingCalls, StillPending } from './pending-calls.ts'
import { startHeartbeat } from './progress-heartbeat.ts'
import { SessionGone } from './session-expired.ts'
import type { SessionNotes } from './session-log.ts'
import type { ToolLists } from './tool-listing.ts'

/** What calls of one client to one server are judged with. */
export interface GatedContext {
  readonly gate: Pick<Gate, 'ask' | 'settle' | 'explain' | 'isConfirmationRequired'>
  readonly server: string
  readonly catalogue: Catalogue
  readonly lists: ToolLists
  /** The folder the server runs in. */
  readonly cwd?: string
  readonly hold: HoldOptions
  readonly pending: PendingCalls
  readonly rounds: OpenRounds
  readonly notes: SessionNotes
  /** Shows the client's own person where a call is held; null when it is not wanted. */
  readonly frontEnd: FrontEnd | null
  newId(): string
  /** Writes an entry of the journal. */
  record(entry: EntryBody): void
  /** Told when a call is not answered at once: a person is asked. */
  onHeld(callId: string): void
  /** Whether a request inside `inputRequests` may not reach the client. */
  deniedInput(answer: Message): string | null
}

/**
 * Judges one `tools/call`. INVARIANT: L1, what goes on is made from a permit's arguments, and from nothing else.
 */
export async function gateCall(request: RpcRequest, exchange: Exchange, context: GatedContext): Promise<Fate> {
  const arrival = context.catalogue.arrive?.()
  let call: ToolCall
  let shown: string | null = null
  try {
    const unwrapped = context.frontEnd?.unwrap(request) ?? null
    if (unwrapped === 'foreign')
      throw new Error('its `requestState` is of another call, or was used before; leave it out')
    shown = unwrapped?.callId ?? null
    call = readToolCall(unwrapped?.request ?? request)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable'
    context.notes.refused('client', 'tools/call', why)
    return { kind: 'answer', bytes: errorAnswer(request.id, RPC.params, `the call was not taken: ${why}`) }
  }
  settleAbandoned(context, false)
  const listed = await context.lists.ensure(call, exchange)
  if (listed === 'gone') return sessionGone(call, context)
  const standing = standingNow(call.name, context, arrival)
  if (standing.kind !== 'accepted') {
    const noted = `${standing.kind}: ${standing.why}`
    return refuse(call, { word: 'refused', why: whyNot(standing, context.lists), noted }, exchange, context)
  }
  const { tool } = standing
  const disguised = disguisedArgument(call.args, tool.definition)
  if (disguised !== null) return refuse(call, { word: 'refused', why: disguised }, exchange, context)
  const asked = askFor(call, tool, exchange, context)
  if (call.isRetry) {
    const round = await goOn(call, tool, asked, context)
    if (round !== null)
      return 'word' in round
        ? refuse(call, round, exchange, context)
        : forwardCall({ call, tool, asked, exchange, ...round }, context)
    if (call.requestState !== undefined) return refuseState(call, context)
    // INVARIANT: L5, answers to what nobody asked reach no server: it is a first call, and its server may ask.
    call = call.anew()
  }
  const since = performance.now()
  const answer = await ask(call, tool, asked, exchange, context, shown)
  if (answer.kind === 'permit') {
    const wasQuick = answer.approvedBy === null && performance.now() - since < HELD_AFTER_MS
    const moved = wasQuick || isGone(exchange) ? null : await movedSince(call, tool, exchange, context)
    if (moved === null)
      return forwardCall({ call, tool, asked, exchange, permit: answer, count: 0, since: null }, context)
    await settleCall(answer, { kind: 'unsent', why: moved }, context)
    return refuse(call, { word: 'stale', why: moved }, exchange, context)
  }
  // INVARIANT: whoever cancelled hears no more of it; whoever only said the last word still listens.
  if (isGone(exchange)) return { kind: 'drop' }
  const wanted = answer.kind === 'pending' ? await wantInput(call, shown ?? asked.id, exchange, context) : null
  if (wanted !== null) return { kind: 'answer', bytes: wanted }
  const text = answer.kind === 'pending' ? PENDING : refusalText(answer)
  return { kind: 'answer', bytes: toolError(call.id, text, exchange.era) }
}

const PENDING =
  'PENDING: a person has not decided on this call yet, and it has not run. Call the same tool again with exactly the same arguments to go on waiting; the decision is kept until its deadline. Do not change the arguments: that would be another call.'

function isGone({ signal }: Exchange): boolean {
  return signal.aborted && signal.reason !== 'half-closed'
}

/** Why a call went nowhere. */
interface Refused {
  readonly word: 'refused' | 'denied' | 'stale'
  readonly why: string
  /** For the journal, where it says something else. */
  readonly noted?: string
}

/** The model is told in words why its call went nowhere, and so is the journal. */
function refuse(call: ToolCall, { word, why, noted }: Refused, exchange: Exchange, { notes }: GatedContext): Fate {
  notes.refused('client', `tools/call ${call.name}`, noted ?? `${word}: ${why}`)
  return { kind: 'answer', bytes: toolError(call.id, `NOT EXECUTED (${word}): ${why}.`, exchange.era) }
}

/** Over HTTP a client begins another session when it is told so by the status. */
function sessionGone(call: ToolCall, { notes }: GatedContext): Fate {
  const why = new SessionGone().message
  notes.refused('client', `tools/call ${call.name}`, why)
  return { kind: 'answer', bytes: errorAnswer(call.id, RPC.lost, why), status: 404 }
}

/** A state that is not open here is refused as its server would refuse it. */
function refuseState(call: ToolCall, { notes }: GatedContext): Fate {
  notes.refused('client', `tools/call ${call.name}`, 'refused: its `requestState` is of no call that is open')
  return { kind: 'answer', bytes: unknownState(call.id) }
}

/**
 * Where a tool stands by the list that its server gave last. INVARIANT: L3, a server whose list could not be read may have
 * changed any tool since: nothing of it is known to be what was accepted.
 */
function standingNow(name: string, { lists, catalogue }: GatedContext, arrival?: number): ToolStanding {
  const standing = catalogue.find(name, arrival)
  if (standing.kind !== 'accepted' || lists.problem === null) return standing
  return { kind: 'unadvertised', why: 'what its server lists could not be read' }
}

function whyNot(standing: Exclude<ToolStanding, { readonly kind: 'accepted' }>, { problem }: ToolLists): string {
  if (standing.kind === 'quarantined') return `${standing.why}; ${standing.fix}`
  return problem === null ? standing.why : `its server’s list of tools could not be read: ${problem}`
}

const UNKNOWN_TOOL = 'whether its tool is still the same could not be found out'

/**
 * Why a call may not be sent any more, although it may run. SECURITY: A20 a person who approves a call has seen it as a
 * call of this very definition; a server may change it, told or untold, or a person may forget it, while the call is held.
 */
async function movedSince(
  call: ToolCall,
  tool: AdvertisedTool,
  exchange: Exchange,
  context: GatedContext,
): Promise<string | null> {
  try {
    const listed = await context.lists.again(call, exchange)
    if (listed === 'gone') return new SessionGone().message
    if (listed === undefined && exchange.askServer !== undefined) return UNKNOWN_TOOL
    const standing = standingNow(call.name, context)
    if (standing.kind !== 'accepted') return whyNot(standing, context.lists)
    if (standing.tool.definition === tool.definition) return null
    const isSame = canonicalJson(standing.tool.definition) === canonicalJson(tool.definition)
    return isSame ? null : 'its definition is another one since the call was shown; call it again'
  } catch {
    return UNKNOWN_TOOL
  }
}

function askFor(call: ToolCall, tool: AdvertisedTool, exchange: Exchange, context: GatedContext): AskedCall {
  const { server, cwd = null } = context
  const hold = holdOf(exchange, context)
  const agent = exchange.agent ?? null
  const timeoutMs = hold.mode === 'pending' ? null : holdLimit(hold, agent)
  return askedCall(call, tool, { id: context.newId(), server, agent, cwd, timeoutMs })
}

/** What a retry goes on with, counted; or why it does not; null when nothing waits for it. */
async function goOn(
  call: ToolCall,
  tool: AdvertisedTool,
  asked: AskedCall,
  context: GatedContext,
): Promise<Round | Refused | null> {
  const round = context.rounds.take(callKey(tool, asked.args, call.requestState))
  if (round === null) return null
  if (!(await isDeniedNow(asked, round.permit.args, context.gate))) return { ...round, count: round.count + 1 }
  await settleCall(round.permit, { kind: 'error', message: 'policy denies it by now' }, context)
  return { word: 'denied', why: 'policy denies it by now' }
}

async function ask(
  call: ToolCall,
  tool: AdvertisedTool,
  asked: AskedCall,
  exchange: Exchange,
  context: GatedContext,
  shown: string | null,
): Promise<Permit | Refusal | StillPending> {
  const { gate, pending } = context
  const hold = holdOf(exchange, context)
  const isFirst = shown === null && hold !== context.hold
  const limit = isFirst
    ? (context.frontEnd?.afterMs ?? null)
    : hold.mode === 'pending'
      ? holdLimit(hold, exchange.agent ?? null)
      : null
  let hide: () => void = () => {}
  const stop = startHeartbeat(call.progressToken, (bytes) => exchange.toClient(bytes), hold.heartbeatMs)
  const isAnswered = HELD.watch(() => {
    context.onHeld(asked.id)
    hide = context.frontEnd?.show(asked.id, exchange) ?? hide
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

/** A client that is shown where its call is held comes back for the decision, as in the mode `pending`. */
function holdOf(exchange: Exchange, { hold, frontEnd }: GatedContext): HoldOptions {
  return frontEnd?.isRound(exchange) === true ? { ...hold, mode: 'pending' } : hold
}

function wantInput(
  call: ToolCall,
  callId: string,
  exchange: Exchange,
  { frontEnd }: GatedContext,
): Promise<Buffer | null> {
  return frontEnd?.isRound(exchange) === true ? frontEnd.wantInput(call, callId, exchange) : Promise.resolve(null)
}

/** Nobody decides as fast: what is not answered by then is held. */
const HELD_AFTER_MS = 250
const HELD = createOverdue(HELD_AFTER_MS)

function refused(error: unknown): Refusal {
  const known = error instanceof CountersignError
  return {
    kind: 'refusal',
    callId: '',
    outcome: 'refused',
    code: known ? error.code : 'CS_INTERNAL',
    message: known ? error.message : 'something inside the gate went wrong; the call was refused',
    reason: null,
    rule: null,
  }
}
