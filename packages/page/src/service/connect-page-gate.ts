import {
  type Call,
  CountersignError,
  type Effect,
  type JsonObject,
  type Outcome,
  type Refusal,
  type RunPlace,
  type Tool,
  type ToolResult,
  type WrapOptions,
  type WrappedTool,
  wrapTool,
} from '@countersign/core'
import { NO_PLACES } from '../ports/no-files.ts'
import { errorOf, gone, type LineChannel, openChannel, type ServiceLine } from './line-channel.ts'

/** How to reach a service that was started with `--page-port` and `--page-origin`. */
export interface PageServiceOptions {
  /** `http://localhost:4190`, as `countersign status` shows it. */
  readonly url: string
  /** The token in `keys/asking.token`. It can ask, and never decide. */
  readonly token: string
  /** The project folder whose policy applies. */
  readonly workspace: string
  /** What the page calls itself; only a claim. */
  readonly label?: string
}

/** A permit of a service: spent already, its outcome is to be told. */
export interface PagePermit {
  readonly kind: 'permit'
  readonly callId: string
  readonly callDigest: string
  /** The arguments to run, exactly these. */
  readonly args: JsonObject
  readonly approvedBy: string | null
}

/** A ticket with the key that the service made for it. */
export interface PageTicket {
  readonly kind: 'ticket'
  readonly callId: string
  readonly key: string
}

/** The asking side of a service, for a page. Deciding happens in the inbox, on its own origin. INVARIANT: L8 */
export interface PageAsker {
  readonly session: string
  ask(call: Call, signal?: AbortSignal): Promise<PagePermit | Refusal>
  /** Asks, and runs the tool once with the arguments of the permit. */
  run(call: Call, effect: Effect, signal?: AbortSignal): Promise<ToolResult>
  submit(call: Call): Promise<PageTicket>
  wait(ticket: PageTicket, signal?: AbortSignal): Promise<PagePermit | Refusal>
  withdraw(ticket: PageTicket): Promise<void>
  settle(permit: Pick<PagePermit, 'callId'>, outcome: Outcome, detail?: string): Promise<void>
  /** Puts a tool behind the gate. The service believes no description of a tool: name it in the policy. */
  wrap<Args extends object, Value>(tool: Tool<Args, Value>, options?: WrapOptions<Args>): WrappedTool<Args, Value>
  close(): void
}

interface Pending {
  readonly settle: (line: ServiceLine) => void
  readonly fail: (error: CountersignError) => void
  timer: ReturnType<typeof setTimeout>
}

/** How long the service may take to answer, or to report that a person must decide. */
const UNHELD_MS = 120_000
/** How much later than its own deadline an answer may come. */
const SLACK_MS = 10_000
/** The longest wait that a browser's timers can count. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Connects a page to a running service. Rejects if it cannot be reached or does not admit this page.
 *
 * ```tsx
 * const gate = await connectPageGate({ url: 'http://localhost:4190', token, workspace: '/home/you/project' })
 * ```
 */
export async function connectPageGate(options: PageServiceOptions): Promise<PageAsker> {
  const { url, token, workspace, label } = options
  const pending = new Map<number, Pending>()
  let last = 0
  let lost: CountersignError | undefined

  /** INVARIANT: L3, a service that is gone has allowed nothing: everything that waits is refused. */
  function lose(error: CountersignError): void {
    lost ??= error
    for (const id of [...pending.keys()]) take(id)?.fail(lost)
  }

  function take(id: number): Pending | undefined {
    const one = pending.get(id)
    pending.delete(id)
    clearTimeout(one?.timer)
    return one
  }

  /** Whoever asks keeps the deadline itself: a service that is stuck has allowed nothing. */
  function patience(id: number, ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => take(id)?.fail(gone()), Math.min(ms + SLACK_MS, LONGEST_MS))
  }

  function hear(line: ServiceLine): void {
    const { id, held, error, permit } = line
    if (typeof id !== 'number') {
      lose(errorOf(line))
      return
    }
    const one = pending.get(id)
    if (held !== undefined) {
      if (one === undefined) return
      clearTimeout(one.timer)
      const { expiresAt } = held as { readonly expiresAt: number }
      one.timer = patience(id, Math.max(0, expiresAt - Date.now()))
      return
    }
    take(id)
    // INVARIANT: L7, a permit that nobody waits for any more is not used; but it was given, so its end is told.
    if (one === undefined) {
      if (permit !== undefined) tellUnused(permit as PagePermit)
    } else if (error !== undefined) one.fail(errorOf(line))
    else one.settle(line)
  }

  const channel: LineChannel & { readonly session: string } = await openChannel(
    url,
    { protocol: 1, version: '0.1.0', workspace, token, ...(label === undefined ? {} : { label }) },
    { hear, lose },
  )

  function send(line: object): { readonly id: number; readonly answer: Promise<ServiceLine> } {
    last += 1
    const id = last
    const answer = new Promise<ServiceLine>((settle, fail) => {
      if (lost !== undefined) return fail(lost)
      pending.set(id, { settle, fail, timer: patience(id, UNHELD_MS) })
      channel.send({ id, ...line }).catch((error: CountersignError) => take(id)?.fail(error))
    })
    return { id, answer }
  }

  function tellUnused({ callId }: PagePermit): void {
    const detail = 'the caller stopped waiting'
    send({ do: 'settle', callId, outcome: 'unknown', detail }).answer.catch(() => {}) // the service notes it by itself
  }

  async function decided(line: object, callId: string, signal?: AbortSignal): Promise<PagePermit | Refusal> {
    const { id, answer } = send(line)
    const cancel = (): void => {
      if (lost === undefined) send({ do: 'cancel', of: id }).answer.catch(() => {})
    }
    if (signal?.aborted) cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const { permit, refusal } = await answer
      if (permit !== undefined) return permit as PagePermit
      if (refusal !== undefined) return refusal as Refusal
      throw errorOf(null)
    } catch (error) {
      cancel()
      return refusalOf(error, callId)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  const ask: PageAsker['ask'] = (call, signal) => decided({ do: 'ask', call: plain(call) }, call.id ?? '', signal)

  async function settle({ callId }: Pick<PagePermit, 'callId'>, outcome: Outcome, detail?: string): Promise<void> {
    await send({ do: 'settle', callId, outcome, ...(detail === undefined ? {} : { detail }) }).answer
  }

  async function run(call: Call, effect: Effect, signal?: AbortSignal): Promise<ToolResult> {
    const permit = await ask(call, signal)
    if (permit.kind === 'refusal') return permit
    const { callId } = permit
    const record = (outcome: Outcome) =>
      settle(permit, outcome)
        .then(() => true)
        .catch(() => false)
    try {
      const value = await effect(permit.args, placeOf(permit))
      return { kind: 'completed', callId, value, recorded: await record('completed') }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { kind: 'failed', callId, error, message, recorded: await record('failed') }
    }
  }

  return {
    session: channel.session,
    ask,
    run,
    settle,
    async submit(call) {
      const { ticket } = await send({ do: 'submit', call: plain(call) }).answer
      if (ticket === undefined) throw errorOf(null)
      return ticket as PageTicket
    },
    wait: ({ callId, key }, signal) => decided({ do: 'wait', callId, key }, callId, signal),
    async withdraw({ callId, key }) {
      await send({ do: 'withdraw', callId, key }).answer
    },
    wrap: (tool, more) => wrapTool({ run }, tool, more),
    close() {
      lose(new CountersignError('CS_SERVICE_GONE', 'the connection was closed; connect again'))
      channel.close()
    },
  }
}

/** A page has no sandbox and no files. */
function placeOf({ approvedBy }: PagePermit): RunPlace {
  const ignore = (): void => {}
  return { contain: null, places: NO_PLACES, cwd: '/', paths: [], approvedBy, refused: ignore, ended: ignore }
}

/** A call as it travels: what is code stays here. */
function plain({ describe: _, preview: __, ...call }: Call): object {
  return call
}

/** INVARIANT: L3, a call without an answer is refused, with a message that a model can act on. */
function refusalOf(error: unknown, callId: string): Refusal {
  const { code, message } = error instanceof CountersignError ? error : gone()
  return { kind: 'refusal', callId, outcome: 'refused', code, message, reason: null, rule: null }
}
