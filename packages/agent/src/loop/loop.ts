import type { Clock, Gate, Intent, JsonObject } from '@countersign/core'
import type { Home } from '@countersign/node'
import type { AskedCall, Message, Model, ToolOffer } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { lastWords } from '../tools/definition/output-limit.ts'
import { countWorkingTime } from './active-time-limit.ts'
import { type CallParts, callTool, type NotAsked, refuseUnasked } from './call-tool.ts'
import type { AgentEvent } from './event.ts'
import { bridgeGate } from './gate-events.ts'
import { type Turn, takeTurn } from './model-turn.ts'
import { heardAnswer, needsPermission, notProceeded, proceedCall } from './proceed-question.ts'
import type { Stop } from './stop-conditions.ts'
import { type Asked, type Guards, stop, watchGuards } from './stop-conditions.ts'

/** The parts of a loop. */
export interface LoopParts {
  readonly name: string
  readonly parents?: readonly string[]
  readonly label: string
  readonly model: Model
  readonly gate: Gate
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly workspace: string
  readonly home?: Home
  readonly system: string
  readonly guards: Guards
  readonly clock: Clock
  readonly messages: Message[]
  readonly emit: (event: AgentEvent) => void
  /** Why its parents must stop. */
  readonly above?: () => Stop | null
  /** Lets sub-agents ask whether it must stop. */
  readonly shared: { over: () => Stop | null }
  /** Subscribes to every event of this agent and its sub-agents. */
  readonly listen: (listener: (event: AgentEvent) => void) => () => void
}

/**
 * Model turn ▶ intent ▶ calls through the gate ▶ results, until the model is done, a limit is reached, or somebody
 * stops it.
 */
export async function runLoop(text: string, parts: LoopParts, outer: AbortSignal | undefined): Promise<Stop> {
  const { guards, messages, emit, label } = parts
  const ending = new AbortController()
  let stopped: Stop | null = null
  const end = (why: Stop): void => {
    stopped ??= why
    ending.abort()
  }
  const onAbort = (): void => end(stop('aborted', 'stopped; nothing is running or waiting any more'))
  outer?.addEventListener('abort', onAbort, { once: true })
  if (outer?.aborted === true) onAbort()
  const watch = watchGuards(guards)
  const time = countWorkingTime(parts.clock, guards.timeMs, () =>
    end(
      stop(
        'time',
        `the time limit of ${Math.round(guards.timeMs / 1000)} s was reached; send \`continue\`, or raise it`,
      ),
    ),
  )
  const unsubscribe = parts.listen((event) => {
    if (event.kind === 'usage') watch.spend(event.tokens)
    else if (event.kind === 'turn') watch.takeTurn()
    time.onEvent(event)
  })
  const calls = callParts(parts, ending.signal)
  const over = (): Stop | null => stopped ?? watch.beforeTurn() ?? parts.above?.() ?? null
  parts.shared.over = over

  messages.push({ role: 'person', text })
  try {
    let round: Round = { agreed: null, stop: null }
    for (let iteration = 1; ; iteration += 1) {
      const ended = round.stop ?? over()
      if (ended !== null) return stopped ?? ended
      emit({ kind: 'turn', agent: label, iteration })
      const turn = await takeTurn({ ...parts, signal: ending.signal, offers: offersOf(parts.tools) })
      if (turn.kind === 'failed') return stop('model-failed', turn.message)
      if (turn.kind === 'cut') {
        if (turn.text !== '') messages.push({ role: 'agent', text: turn.text, calls: [] })
        continue
      }
      round = await finishTurn(turn, round.agreed, parts, calls, watch.afterTurn)
    }
  } finally {
    outer?.removeEventListener('abort', onAbort)
    unsubscribe()
    time.end()
    calls.bridge.close()
  }
}

interface Round {
  /** The intent that a person just agreed to. */
  readonly agreed: Intent | null
  readonly stop: Stop | null
}

/**
 * Acts on one complete turn. HALT and RENDER come before its calls; the gate does RESOLVE; RESUME is the last message.
 */
async function finishTurn(
  turn: Turn,
  agreed: Round['agreed'],
  parts: LoopParts,
  calls: CallParts,
  afterTurn: (asked: readonly Asked[]) => Stop | null,
): Promise<Round> {
  const { messages } = parts
  if (turn.why === 'filtered') {
    messages.push({ role: 'agent', text: turn.text, calls: [] })
    return { agreed: null, stop: stop('model-failed', 'the provider withheld the answer; rephrase your message') }
  }
  messages.push({ role: 'agent', text: turn.text, calls: turn.calls })
  const intent = parts.gate.readIntent(turn.text, turn.tags)
  const permission = needsPermission(intent, agreed)
    ? await callTool({ ...proceedCall(intent, turn.text), reasoning: turn.thought }, calls)
    : null
  const refused = permission?.refusal ?? null
  const asked = await askAll(turn, refused === null ? null : notProceeded(refused), parts, calls)
  if (asked.length > 0) messages.push({ role: 'tool', results: asked.map(({ result }) => result) })
  if (permission !== null) messages.push(heardAnswer(refused))
  if (permission === null && asked.length === 0) return { agreed: null, stop: ended(turn) }
  return {
    agreed: permission !== null && refused === null ? intent : null,
    stop: afterTurn(permission === null ? asked : [permission, ...asked]),
  }
}

/** INVARIANT: every call of a turn is answered, in order; each is held and decided separately. */
function askAll(turn: Turn, cancelled: NotAsked | null, parts: LoopParts, calls: CallParts): Promise<readonly Asked[]> {
  const said = lastWords(turn.text, MAX_SAID)
  return Promise.all(
    turn.calls.map(async (call, at) => {
      const why = cancelled ?? (turn.why === 'length' ? CUT_OFF : unaskable(call, at, parts))
      const tool = parts.tools.get(call.tool)
      if (why !== null || tool === undefined) return refuseUnasked(call, why ?? CUT_OFF, calls)
      return callTool({ call, tool, args: call.args as JsonObject, said, reasoning: turn.thought }, calls)
    }),
  )
}

const MAX_SAID = 4_000
const CUT_OFF: NotAsked = {
  outcome: 'refused',
  code: 'CS_CALL_SHAPE',
  message: 'the answer was cut off at its length limit, and this call may be incomplete; request less at once',
}

/** Why a call is answered without asking anybody. */
function unaskable({ tool, args }: AskedCall, at: number, { tools, guards }: LoopParts): NotAsked | null {
  if (at >= guards.parallelCalls) {
    const message = `more than ${guards.parallelCalls} calls in one turn; request fewer at once`
    return { outcome: 'refused', code: 'CS_QUEUE_FULL', message }
  }
  if (!tools.has(tool)) {
    const message = `there is no tool \`${tool.slice(0, 100)}\`; use one of ${[...tools.keys()].join(', ')}`
    return { outcome: 'refused', code: 'CS_CALL_SHAPE', message }
  }
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return null
  return {
    outcome: 'refused',
    code: 'CS_CALL_ARGS',
    message: 'the arguments are not a JSON object; send them again, complete and valid',
  }
}

function ended({ why }: Turn): Stop {
  return why === 'length'
    ? stop('done', 'the answer was cut off at the model’s length limit; send `continue` for the rest')
    : stop('done', 'the agent is done')
}

function callParts(parts: LoopParts, signal: AbortSignal): CallParts {
  const { name, parents = [], label, gate, emit } = parts
  return { ...parts, agent: { name, parents }, signal, bridge: bridgeGate(gate, label, emit) }
}

function offersOf(tools: ReadonlyMap<string, AgentTool>): readonly ToolOffer[] {
  return [...tools.values()].map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
}
