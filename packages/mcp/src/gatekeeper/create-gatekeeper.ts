import type { EntryBody, Gate } from '@countersign/core'
import type { Catalogue } from '../pins/catalogue.ts'
import type { Malformed, Message, RpcRequest, RpcResponse } from '../wire/message.ts'
import { readMessage } from '../wire/message-parser.ts'
import { errorAnswer, RPC, resultAnswer } from '../wire/message-writer.ts'
import { isPlainMethod, looksLikeCall } from '../wire/method-name.ts'
import type { Asked, Fate, Gatekeeper } from './call/exchange.ts'
import { endOf } from './call/outcome.ts'
import type { HoldOptions } from './client-timeouts.ts'
import { deniedInput } from './denied-input-requests.ts'
import { createFrontEnd, type FindPointer } from './elicitation/client-prompt.ts'
import { settleAbandoned } from './forward-call.ts'
import { type GatedContext, gateCall } from './gated-call.ts'
import { createOpenRounds } from './input-rounds.ts'
import { createPendingCalls } from './pending-calls.ts'
import { takeNotes } from './session-log.ts'
import { createToolLists } from './tool-listing.ts'

/** What a gatekeeper stands on. */
export interface GatekeeperOptions {
  /** A session of its own for each client. */
  readonly gate: Gate
  /** The server's label: its tools are `label/name` to policy. */
  readonly server: string
  readonly catalogue: Catalogue
  /** The folder the server runs in: where its relative paths lead. Default: the workspace. */
  readonly cwd?: string
  readonly hold?: HoldOptions
  /** Methods that do not pass, from either side; also inside `inputRequests`. See `compileDenied`. */
  isDenied?(method: string): boolean
  /** Shows the client's own person where a call is held, by the client's means. */
  readonly showHeld?: FindPointer
  /** How long a call is held before a client is answered with where; a second when absent. */
  readonly showAfterMs?: number
  /** Told with the id of a call that a person is asked about; also while it may just be slow. */
  onHeld?(callId: string): void
  /** A new id for a call. */
  newId(): string
  /** Writes an entry of the journal. */
  record(entry: EntryBody): void
}

const NOTHING: Fate = { kind: 'drop' }

/** Makes the gatekeeper of one client. */
export function createGatekeeper(options: GatekeeperOptions): Gatekeeper {
  const { gate, server, catalogue } = options
  const isDenied = (method: string): boolean => options.isDenied?.(method) === true
  let agent: string | null = null
  const notes = takeNotes(server, options.record, () => agent)
  const lists = createToolLists(catalogue)
  const pending = createPendingCalls(gate)
  const frontEnd =
    options.showHeld === undefined
      ? null
      : createFrontEnd(options.showHeld, () => performance.now(), options.showAfterMs)
  const context: GatedContext = {
    gate,
    server,
    catalogue,
    lists,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    hold: options.hold ?? { mode: 'block' },
    pending,
    rounds: createOpenRounds(() => performance.now()),
    notes,
    frontEnd,
    newId: options.newId,
    record: options.record,
    onHeld: options.onHeld ?? (() => {}),
    deniedInput: (answer) => deniedInput(answer, isDenied),
  }

  function deny(from: 'client' | 'server', message: Exclude<Message, RpcResponse>): Fate {
    const why = `\`${message.method}\` is denied here by the person who runs this server behind Countersign`
    notes.refused(from, message.method, 'denied by name')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorAnswer(message.id, RPC.method, why) }
  }

  /** SECURITY: A1 a method that two readers may read differently is one name to us and another to whoever gets it. */
  function refuseOdd(from: 'client' | 'server', message: Exclude<Message, RpcResponse>): Fate {
    notes.refused(from, message.method, 'a method that is not in visible ASCII')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorAnswer(message.id, RPC.request, 'write the method in visible ASCII') }
  }

  /** SECURITY: A1 what could be taken for a gated call, but is not one that can be answered, goes nowhere. */
  function refuseLookAlike(message: Exclude<Message, RpcResponse>): Fate {
    notes.refused('client', message.method, 'a call that is no request, or not spelled as one')
    if (message.kind === 'notification') return NOTHING
    return { kind: 'answer', bytes: errorAnswer(message.id, RPC.method, 'write `tools/call`, exactly so') }
  }

  function passClient(message: Message): Fate {
    if (message.kind === 'response') return { kind: 'forward', bytes: message.bytes }
    notes.passed('client', message.method)
    if (message.kind === 'notification') return { kind: 'forward', bytes: message.bytes }
    return { kind: 'forward', bytes: message.bytes, asked: askedOf(message) }
  }

  /**
   * SECURITY: A20 an answer to nothing that was asked goes nowhere: a client that reads ids loosely (`"1"` for `1`) would
   * take it for one that nobody has looked at. An error without an id answers nobody, and tells only that something is wrong.
   */
  function passAnswer(message: RpcResponse, asked: Asked | null): Fate | Promise<Fate> {
    if (asked === null) {
      if (message.failed && message.id === 'null') return { kind: 'forward', bytes: message.bytes }
      notes.refused('server', 'answer', 'an answer to nothing that was asked')
      return NOTHING
    }
    const denied = message.failed ? null : wanted(message)
    if (denied !== null) return refuseWish(message, asked, denied)
    if (asked.answered !== undefined) return asked.answered(message)
    const isList = asked.method === 'tools/list' && !message.failed
    return isList ? passList(message, asked) : { kind: 'forward', bytes: message.bytes }
  }

  function refuseWish(message: RpcResponse, asked: Asked, denied: string): Fate {
    notes.refused('server', denied, `wanted in the answer to \`${asked.method}\`, and denied by name`)
    // A call that asks for input as it should ends as a call does: with words for the model.
    if (asked.answered !== undefined && endOf(message, false) === 'input-required') return asked.answered(message)
    const why = `the server wanted \`${denied}\`, which is denied here by the person who runs it behind Countersign`
    const bytes = errorAnswer(message.id, RPC.method, why)
    const said = readMessage(bytes)
    return asked.answered === undefined || said.kind === 'malformed' ? { kind: 'forward', bytes } : asked.answered(said)
  }

  /** What is denied of the wishes inside a message; nothing is looked for where nothing is denied. */
  function wanted(message: Message): string | null {
    return options.isDenied === undefined ? null : deniedInput(message, isDenied)
  }

  function dropWish(method: string, denied: string): Fate {
    notes.refused('server', denied, `wanted in \`${method}\`, and denied by name`)
    return NOTHING
  }

  async function passList(message: RpcResponse, asked: Asked): Promise<Fate> {
    try {
      const result = message.result()
      const page = await lists.take(result, asked.cursor ?? null)
      return { kind: 'forward', bytes: page === result ? message.bytes : resultAnswer(message.id, page) }
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable'
      notes.refused('server', 'tools/list', why)
      const text = `the server’s list of tools was not passed on: ${why}`
      return { kind: 'forward', bytes: errorAnswer(message.id, RPC.internal, text) }
    }
  }

  return {
    fromClient(message, exchange) {
      try {
        agent = exchange.agent ?? agent
        if (message.kind === 'malformed') return refuseMalformed('client', message)
        if (message.kind === 'response') return frontEnd?.takes(message) === true ? NOTHING : passClient(message)
        const { method } = message
        if (!isPlainMethod(method)) return refuseOdd('client', message)
        if (isDenied(method)) return deny('client', message)
        if (method === 'tools/call' && message.kind === 'request') {
          notes.passed('client', method)
          return gateCall(message, exchange, context).catch(() => failed(message))
        }
        return looksLikeCall(method) ? refuseLookAlike(message) : passClient(message)
      } catch {
        return message.kind === 'request' ? failed(message) : NOTHING
      }
    },
    fromServer(message, asked) {
      try {
        if (message.kind === 'malformed') return refuseMalformed('server', message)
        if (message.kind === 'response') return passAnswer(message, asked)
        const { method } = message
        if (!isPlainMethod(method)) return refuseOdd('server', message)
        if (isDenied(method)) return deny('server', message)
        const denied = message.kind === 'notification' ? wanted(message) : null
        if (denied !== null) return dropWish(method, denied)
        if (method === 'notifications/tools/list_changed') lists.changed()
        notes.passed('server', method)
        return { kind: 'forward', bytes: message.bytes }
      } catch {
        return asked === null
          ? NOTHING
          : { kind: 'forward', bytes: errorAnswer(asked.id, RPC.internal, 'the answer could not be read') }
      }
    },
    get isAwaited() {
      return pending.size > 0 || context.rounds.size > 0
    },
    async close() {
      await pending.close()
      await Promise.all(settleAbandoned(context, true))
      notes.close()
    },
  }

  function refuseMalformed(from: 'client' | 'server', message: Malformed): Fate {
    notes.refused(from, message.code, message.message)
    const ids = message.ids ?? (message.id === null ? [] : [message.id])
    const code = message.code === 'parse' || message.code === 'bad-utf8' ? RPC.parse : RPC.request
    const text = `the message was not taken: ${message.message}`
    if (from === 'server' || message.answers === true) return NOTHING
    if (ids.length === 0)
      return message.code === 'batch' ? NOTHING : { kind: 'answer', bytes: errorAnswer(null, code, text) }
    return { kind: 'answer', bytes: joined(ids.map((id) => errorAnswer(id, code, text))) }
  }
}

/** Several messages in one go: each on a line of its own. */
function joined(messages: readonly Buffer[]): Buffer {
  return messages.length === 1 && messages[0] !== undefined
    ? messages[0]
    : Buffer.from(messages.map((one) => one.toString('utf8')).join('\n'))
}

function failed(message: RpcRequest): Fate {
  return {
    kind: 'answer',
    bytes: errorAnswer(message.id, RPC.internal, 'the call could not be judged; it did not run'),
  }
}

function askedOf(message: RpcRequest): Asked {
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
