import {
  type Agent,
  type AgentParts,
  type AgentTool,
  BUILTIN_TOOLS,
  createAgent,
  keepTranscript,
  type Model,
  type Stop,
  type SubAgent,
  type Transcript,
} from '@countersign/agent'
import type { OpenedGate } from '@countersign/node'
import type { ChatEvent } from '@countersign/terminal/chat'
import { followGate, tellAgent } from './chat-events.ts'

/** What a conversation is made of. */
export interface ConversationParts extends Pick<AgentParts, 'name' | 'guards'> {
  readonly opened: OpenedGate
  readonly model: Model
  /** Tools besides the built-in ones. */
  readonly tools?: readonly AgentTool[]
}

/** An agent and a person, on one gate. Whoever shows it hears events; nothing here decides. */
export interface Conversation {
  readonly opened: OpenedGate
  readonly model: Model
  /** Every tool the agent has. */
  readonly tools: readonly AgentTool[]
  transcript(): Transcript
  subscribe(listen: (event: ChatEvent) => void): () => void
  emit(event: ChatEvent): void
  /** Says one thing and gives how the agent stopped; null when it is still at work. */
  say(text: string): Promise<Stop> | null
  /** Begins anew, once what goes on has been stopped: the agent forgets, the session and its grants stay. */
  forget(): Promise<void>
  /** Ends with everything that `abort` ends. */
  readonly signal: AbortSignal
  abort(): void
  /** Once, however often it is called. */
  close(): Promise<void>
}

/** Opens a conversation on a gate; `close` lets go of both. */
export function openConversation({ opened, model, name, guards, tools: more = [] }: ConversationParts): Conversation {
  const listeners = new Set<(event: ChatEvent) => void>()
  const tools = [...BUILTIN_TOOLS, ...more]
  const parts: AgentParts = {
    name,
    model,
    gate: opened.gate,
    tools,
    workspace: opened.places.workspace,
    subAgents: [helper(tools)],
    clock: opened.ports.clock,
    ...(guards === undefined ? {} : { guards }),
  }
  const now = (): number => opened.ports.clock.now()
  const emit = (event: ChatEvent): void => {
    for (const listen of listeners) listen(event)
  }
  let current = begin(parts)
  let aborting = new AbortController()
  let working: Promise<Stop> | null = null
  let forgetting: Promise<void> | null = null
  let closing: Promise<void> | null = null
  const unfollow = followGate(opened, emit)

  function begin(fresh: AgentParts): { readonly agent: Agent; readonly transcript: Transcript; end(): void } {
    const agent = createAgent(fresh)
    const transcript = keepTranscript(agent)
    const live = new Set<string>()
    const stop = agent.subscribe((event) => {
      for (const told of tellAgent(event, name, now())) {
        if (told.kind === 'requested') live.add(told.callId)
        if (told.kind === 'over') live.delete(told.callId)
        emit(told)
      }
    })
    return {
      agent,
      transcript,
      end() {
        stop()
        transcript.end()
        // Nobody is left to tell how these ended: a row that stays would keep the person waiting for it.
        for (const callId of live)
          emit({ kind: 'over', callId, state: 'withdrawn', why: null, reason: null, isUndoable: false, at: now() })
        live.clear()
      },
    }
  }

  async function work(text: string): Promise<Stop> {
    emit({ kind: 'said', text })
    emit({ kind: 'working', isWorking: true })
    try {
      return await current.agent.say(text, aborting.signal)
    } finally {
      working = null
      emit({ kind: 'working', isWorking: false })
    }
  }

  function abort(): void {
    aborting.abort()
    aborting = new AbortController()
  }

  /** INVARIANT: the agent that worked is heard to its end, so that each of its calls ends on the screen too. */
  async function forget(): Promise<void> {
    abort()
    await working?.catch(() => {})
    current.end()
    current = begin(parts)
  }

  async function close(): Promise<void> {
    aborting.abort()
    await working?.catch(() => {})
    unfollow()
    current.end()
    await opened.gate.close()
  }

  return {
    opened,
    model,
    tools,
    emit,
    transcript: () => current.transcript,
    subscribe(listen) {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    say(text) {
      if (working !== null || forgetting !== null) return null
      working = work(text)
      return working
    },
    forget() {
      forgetting ??= forget().finally(() => {
        forgetting = null
      })
      return forgetting
    },
    get signal() {
      return aborting.signal
    },
    abort,
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** For tasks that would fill the agent's memory; its calls are asked under its own name. */
function helper(tools: readonly AgentTool[]): SubAgent {
  return { name: 'helper', description: 'does one task with the same tools and its own context', tools }
}
