import { type Call, CountersignError, type Gate, type Permit, type Refusal, refusalText } from '@countersign/core'
import { errorAnswer, RPC, toolError } from './answers.ts'
import { askedCall, isDeniedNow } from './asked-call.ts'
import { endOf, outcomeOf } from './call-end.ts'
import type { AdvertisedTool, Catalogue } from './catalogue.ts'
import type { FrontEnd } from './elicit/front-end.ts'
import type { CallEnd, Exchange, Fate } from './gatekeeper.ts'
import { startHeartbeat } from './heartbeat.ts'
import { type HoldOptions, holdLimit } from './hold-limits.ts'
import type { Message, RpcRequest } from './message.ts'
import { type OpenRounds, roundKey } from './open-rounds.ts'
import { type PendingCalls, pendingKey, type StillPending } from './pending-calls.ts'
import type { SessionNotes } from './session-notes.ts'
import { readToolCall, type ToolCall } from './tool-call.ts'
import type { ToolLists } from './tool-lists.ts'

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
  /** Told when a call is not answered at once: a person is asked. */
  onHeld(callId: string): void
  /** Whether a request inside `inputRequests` may not reach the client. */
  deniedInput(answer: Message): string | null
}

/**
 * Judges one `tools/call`. INVARIANT: L1, what goes on is made from a permit's arguments, and from nothing else.
 */
export async function gateCall(request: RpcRequest, exchange: Exchange, context: GatedContext): Promise<Fate> {
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
  settleAbandoned(context, ROUND_MS)
  await context.lists.ensure(call, exchange)
  const standing = context.catalogue.find(call.name)
  if (standing.kind !== 'accepted') {
    const what = standing.kind === 'quarantined' ? `${standing.why}; ${standing.fix}` : standing.why
    context.notes.refused('client', `tools/call ${call.name}`, `${standing.kind}: ${standing.why}`)
    return { kind: 'answer', bytes: toolError(call.id, `NOT EXECUTED (refused): ${what}.`, exchange.era) }
  }
  const asked = askFor(call, standing.tool, exchange, context)
  const answer = (await goOn(call, asked, context)) ?? (await ask(call, standing.tool, asked, exchange, context, shown))
  if (answer.kind === 'permit') return forward(call, answer, exchange, context)
  // INVARIANT: whoever cancelled hears no more of it; whoever only said the last word still listens.
  if (exchange.signal.aborted && exchange.signal.reason !== 'half-closed') return { kind: 'drop' }
  const wanted = answer.kind === 'pending' ? await wantInput(call, shown ?? asked.id ?? '', exchange, context) : null
  if (wanted !== null) return { kind: 'answer', bytes: wanted }
  const text = answer.kind === 'pending' ? PENDING : refusalText(answer)
  return { kind: 'answer', bytes: toolError(call.id, text, exchange.era) }
}

const ROUND_MS = 10 * 60_000

const PENDING =
  'PENDING: a person has not decided on this call yet, and it has not run. Call the same tool again with exactly the same arguments to go on waiting; the decision is kept until its deadline. Do not change the arguments: that would be another call.'

function askFor(call: ToolCall, tool: AdvertisedTool, exchange: Exchange, context: GatedContext): Call {
  const { server, cwd = null } = context
  const hold = holdOf(exchange, context)
  const agent = exchange.agent ?? null
  const timeoutMs = hold.mode === 'pending' ? null : holdLimit(hold, agent)
  return askedCall(call, tool, { id: context.newId(), server, agent, cwd, timeoutMs })
}

/** The permit that a retry goes on with; null where it must be asked for anew. */
async function goOn(call: ToolCall, asked: Call, context: GatedContext): Promise<Permit | null> {
  if (!call.isRetry) return null
  const permit = context.rounds.take(roundKey(call.name, call.args), call.requestState)
  if (permit === null || !(await isDeniedNow(asked, permit.args, context.gate))) return permit
  await settleCall(permit, { kind: 'error', message: 'policy denies it by now' }, context)
  return null
}

async function ask(
  call: ToolCall,
  tool: AdvertisedTool,
  asked: Call,
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
  const held = setTimeout(() => {
    context.onHeld(asked.id ?? '')
    hide = context.frontEnd?.show(asked.id ?? '', exchange) ?? hide
  }, HELD_AFTER_MS)
  try {
    if (limit === null || !(await gate.isConfirmationRequired(asked))) return await gate.ask(asked, exchange.signal)
    return await pending.ask(asked, pendingKey(tool, call.args), limit, exchange.signal)
  } catch (error) {
    return refused(error)
  } finally {
    stop()
    hide()
    clearTimeout(held)
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

/** INVARIANT: a cancelled call is never sent, also when it was approved at the same moment. */
function forward(call: ToolCall, permit: Permit, exchange: Exchange, context: GatedContext): Fate {
  const settle = (end: CallEnd): Promise<void> => settleCall(permit, end, context)
  const { signal } = exchange
  const onlyHalf = signal.reason === 'half-closed' && permit.approvedBy === null
  if (signal.aborted && !onlyHalf) {
    void settle({ kind: 'unsent', why: 'the client cancelled it or went away' })
    return { kind: 'drop' }
  }
  const answered = (message: Message): Fate => {
    if (message.kind !== 'response') return { kind: 'forward', bytes: message.bytes }
    const end = endOf(message, call.asTask)
    if (end !== 'input-required') return { kind: 'forward', bytes: message.bytes, after: () => settle(end) }
    const denied = context.deniedInput(message)
    if (denied === null) {
      context.rounds.open(roundKey(call.name, call.args), stateOf(message), permit)
      return { kind: 'forward', bytes: message.bytes }
    }
    const why = `the server wanted \`${denied}\`, which is denied here`
    const text = `NOT COMPLETED (denied): ${why}. Do not retry this call unchanged.`
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

function stateOf(message: Message) {
  const bytes = message.kind === 'response' ? message.member('requestState') : null
  return bytes === null ? undefined : JSON.parse(bytes.toString('utf8'))
}

/** Calls whose retry never came: the server may have begun, so how they ended is not known. */
export function settleAbandoned(context: GatedContext, maxAgeMs: number | null): readonly Promise<void>[] {
  const why = 'the server asked for input, and the call was never sent again'
  return context.rounds.abandoned(maxAgeMs).map((permit) => settleCall(permit, { kind: 'lost', why }, context))
}

async function settleCall(permit: Permit, end: CallEnd, { gate, notes }: GatedContext): Promise<void> {
  const { outcome, detail } = outcomeOf(end)
  try {
    await gate.settle(permit, outcome, detail ?? undefined)
  } catch (error) {
    // The intent stays without an outcome, which is what `unknown` means.
    notes.refused('server', 'outcome', error instanceof Error ? error.message : 'the outcome could not be recorded')
  }
}
