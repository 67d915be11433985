import type { EntryBody, Gate } from '@countersign/core'
import type { Catalogue } from '../pins/catalogue.ts'
import type { Malformed, Message, RpcRequest, RpcResponse } from '../wire/message.ts'
import { readMessage } from '../wire/message-parser.ts'
import { errorResponse, RPC, resultResponse } from '../wire/message-writer.ts'
import { isPlainMethod, looksLikeCall, mayCallTool } from '../wire/method-name.ts'
import type { Gatekeeper, MessageAction, SentRequest } from './call/exchange.ts'
import { endOf } from './call/exchange.ts'
import { createClientPrompt, type FindHeldCallLink } from './client-prompt.ts'
import { deniedInput } from './denied-input-requests.ts'
import { settleAbandoned } from './forward-call.ts'
import { type GatedContext, gateCall } from './gated-call.ts'
import type { HoldOptions } from './hold-timing.ts'
import { createOpenRounds } from './input-rounds.ts'
import { createPendingCalls } from './pending-calls.ts'
import { openSessionLog } from './session-log.ts'
import { createToolLists } from './tool-listing.ts'

/** What a gatekeeper needs. */
export interface GatekeeperOptions {
  /** A separate session for each client. */
  readonly gate: Gate
  /** The server’s label: policies call its tools `label/name`. */
  readonly server: string
  readonly catalogue: Catalogue
  /** The working directory of the server, for relative paths. Default: the workspace. */
  readonly cwd?: string
  readonly hold?: HoldOptions
  /** Refused methods, from either side, also inside `inputRequests`. See `compileDenied`. */
  isDenied?(method: string): boolean
  /** Finds the location of a held call, to show it through the client. */
  readonly showHeld?: FindHeldCallLink
  /** The delay before a client is answered with the location; default one second. */
  readonly showAfterMs?: number
  /** Called with the id of a call that a person is probably asked about. */
  onHeld?(callId: string): void
  newId(): string
  /** Appends a journal entry. */
  record(entry: EntryBody): void
}

const NOTHING: MessageAction = { kind: 'drop' }

/** Creates the gatekeeper of one client. */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const { gate, server, catalogue } = options
  const isDenied = (method: string): boolean => options.isDenied?.(method) === true
  let agent: string | null = null
  const log = openSessionLog(server, options.record, () => agent)
  const lists = createToolLists(catalogue)
  const pending = createPendingCalls(gate)
  const clientPrompt =
    options.showHeld === undefined
      ? null
      : createClientPrompt(options.showHeld, () => performance.now(), options.showAfterMs)
  const context: GatedContext = {
    gate,
    server,
    catalogue,
    lists,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    hold: options.hold ?? { mode: 'block' },
    pending,
    rounds: createOpenRounds(() => performance.now()),
    log,
    clientPrompt,
    newId: options.newId,
    record: options.record,
    onHeld: options.onHeld ?? (() => {}),
    deniedInput: (answer) => deniedInput(answer, isDenied),
  }

  function deny(from: 'client' | 'server', message: Exclude<Message, RpcResponse>): MessageAction {
    const why = `\`${message.method}\` is denied by the person who runs this server behind Countersign`
    log.refused(from, message.method, 'denied by name')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorResponse(message.id, RPC.method, why) }
  }

  /** SECURITY: A1 an ambiguous method is one name to us and another to its receiver. */
  function refuseAmbiguous(from: 'client' | 'server', message: Exclude<Message, RpcResponse>): MessageAction {
    log.refused(from, message.method, 'the method is not in visible ASCII')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorResponse(message.id, RPC.request, 'the method must be in visible ASCII') }
  }

  /** SECURITY: A1 a lookalike of a gated call is not forwarded. */
  function refuseLookAlike(message: Exclude<Message, RpcResponse>): MessageAction {
    log.refused('client', message.method, 'a lookalike of a call, or a call without an id')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorResponse(message.id, RPC.method, 'the method must be spelled `tools/call`') }
  }

  /** SECURITY: A1 a method of the server's own could call a tool without the gate. */
  function refuseUnknown(message: Exclude<Message, RpcResponse>): MessageAction {
    log.refused('client', message.method, 'an unknown method that may call a tool')
    if (message.kind === 'notification') return NOTHING
    const why = `\`${message.method}\` may call a tool without approval; trust the server in the policy to pass it`
    return { kind: 'answer', bytes: errorResponse(message.id, RPC.method, why) }
  }

  function passClient(message: Message): MessageAction {
    if (message.kind === 'response') return { kind: 'forward', bytes: message.bytes }
    log.passed('client', message.method)
    if (message.kind === 'notification') return { kind: 'forward', bytes: message.bytes }
    return { kind: 'forward', bytes: message.bytes, asked: sentRequest(message) }
  }

  /**
   * SECURITY: A20 a response without a request is dropped: a client that reads ids loosely (`"1"` for `1`) would take
   * it for one that was checked. An error without an id only reports a problem.
   */
  function passAnswer(message: RpcResponse, asked: SentRequest | null): MessageAction | Promise<MessageAction> {
    if (asked === null) {
      if (message.failed && message.id === 'null') return { kind: 'forward', bytes: message.bytes }
      log.refused('server', 'answer', 'a response without a request')
      return NOTHING
    }
    const denied = message.failed ? null : deniedInputIn(message)
    if (denied !== null) return refuseInputRequest(message, asked, denied)
    if (asked.answered !== undefined) return asked.answered(message)
    const isList = asked.method === 'tools/list' && !message.failed
    return isList ? passList(message, asked) : { kind: 'forward', bytes: message.bytes }
  }

  function refuseInputRequest(message: RpcResponse, asked: SentRequest, denied: string): MessageAction {
    log.refused('server', denied, `requested in the response to \`${asked.method}\`, and denied by name`)
    // A call that correctly asks for input ends as a call, with text for the model.
    if (asked.answered !== undefined && endOf(message, false) === 'input-required') return asked.answered(message)
    const why = `the server requested \`${denied}\`, which is denied by the person who runs it behind Countersign`
    const bytes = errorResponse(message.id, RPC.method, why)
    const said = readMessage(bytes)
    return asked.answered === undefined || said.kind === 'malformed' ? { kind: 'forward', bytes } : asked.answered(said)
  }

  /** A denied request inside a message; skipped when nothing is denied. */
  function deniedInputIn(message: Message): string | null {
    return options.isDenied === undefined ? null : deniedInput(message, isDenied)
  }

  function dropInputRequest(method: string, denied: string): MessageAction {
    log.refused('server', denied, `requested in \`${method}\`, and denied by name`)
    return NOTHING
  }

  async function passList(message: RpcResponse, asked: SentRequest): Promise<MessageAction> {
    try {
      const result = message.result()
      const page = await lists.take(result, asked.cursor ?? null)
      return { kind: 'forward', bytes: page === result ? message.bytes : resultResponse(message.id, page) }
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable'
      log.refused('server', 'tools/list', why)
      const text = `the server’s list of tools was not forwarded: ${why}`
      return { kind: 'forward', bytes: errorResponse(message.id, RPC.internal, text) }
    }
  }

  return {
    fromClient(message, exchange) {
      try {
        agent = exchange.agent ?? agent
        if (message.kind === 'malformed') return refuseMalformed('client', message)
        if (message.kind === 'response')
          return clientPrompt?.isOwnResponse(message) === true ? NOTHING : passClient(message)
        const { method } = message
        if (!isPlainMethod(method)) return refuseAmbiguous('client', message)
        if (isDenied(method)) return deny('client', message)
        if (method === 'tools/call' && message.kind === 'request') {
          log.passed('client', method)
          return gateCall(message, exchange, context).catch(() => failed(message))
        }
        if (looksLikeCall(method)) return refuseLookAlike(message)
        const isCall = mayCallTool(method, () => message.params()) && !gate.trusts(server)
        return isCall ? refuseUnknown(message) : passClient(message)
      } catch {
        return message.kind === 'request' ? failed(message) : NOTHING
      }
    },
    fromServer(message, asked) {
      try {
        if (message.kind === 'malformed') return refuseMalformed('server', message)
        if (message.kind === 'response') return passAnswer(message, asked)
        const { method } = message
        if (!isPlainMethod(method)) return refuseAmbiguous('server', message)
        if (isDenied(method)) return deny('server', message)
        const denied = message.kind === 'notification' ? deniedInputIn(message) : null
        if (denied !== null) return dropInputRequest(method, denied)
        if (method === 'notifications/tools/list_changed') lists.changed()
        log.passed('server', method)
        return { kind: 'forward', bytes: message.bytes }
      } catch {
        return asked === null
          ? NOTHING
          : { kind: 'forward', bytes: errorResponse(asked.id, RPC.internal, 'the response could not be read') }
      }
    },
    get isAwaited() {
      return pending.size > 0 || context.rounds.size > 0
    },
    async close() {
      await pending.close()
      await Promise.all(settleAbandoned(context, true))
      log.close()
    },
  }

  function refuseMalformed(from: 'client' | 'server', message: Malformed): MessageAction {
    log.refused(from, message.code, message.message)
    const ids = message.ids ?? (message.id === null ? [] : [message.id])
    const code = message.code === 'parse' || message.code === 'bad-utf8' ? RPC.parse : RPC.request
    const text = `message refused: ${message.message}`
    if (from === 'server' || message.answers === true) return NOTHING
    if (ids.length === 0)
      return message.code === 'batch' ? NOTHING : { kind: 'answer', bytes: errorResponse(null, code, text) }
    return { kind: 'answer', bytes: joined(ids.map((id) => errorResponse(id, code, text))) }
  }
}

/** Several messages, one per line. */
function joined(messages: readonly Buffer[]): Buffer {
  return messages.length === 1 && messages[0] !== undefined
    ? messages[0]
    : Buffer.from(messages.map((one) => one.toString('utf8')).join('\n'))
}

function failed(message: RpcRequest): MessageAction {
  return {
    kind: 'answer',
    bytes: errorResponse(message.id, RPC.internal, 'the call could not be judged; it did not run'),
  }
}

function sentRequest(message: RpcRequest): SentRequest {
  if (message.method !== 'tools/list') return { id: message.id, method: message.method }
  const cursor = cursorOf(message)
  return { id: message.id, method: message.method, cursor }
}

function cursorOf(message: RpcRequest): string | null {
  try {
    const { cursor } = message.params()
    return typeof cursor === 'string' ? cursor : null
  } catch {
    return null
  }
}
