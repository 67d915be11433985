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
import { agentChatEvents, followGate } from './chat-events.ts'

/** Dependencies of a conversation. */
export interface ConversationParts extends Pick<AgentParts, 'name' | 'guards'> {
  readonly opened: OpenedGate
  readonly model: Model
  /** Additional tools. */
  readonly tools?: readonly AgentTool[]
}

/** An agent and a person on one gate. Interfaces subscribe to events; nothing here makes decisions. */
export interface Conversation {
  readonly opened: OpenedGate
  readonly model: Model
  /** All tools of the agent. */
  readonly tools: readonly AgentTool[]
  transcript(): Transcript
  subscribe(listen: (event: ChatEvent) => void): () => void
  emit(event: ChatEvent): void
  /** Sends a message and resolves when the agent stops; null while it is still working. */
  say(text: string): Promise<Stop> | null
  /** Aborts, then starts a new conversation. The session and its grants continue. */
  forget(): Promise<void>
  /** Aborted by `abort`. */
  readonly signal: AbortSignal
  abort(): void
  /** Idempotent. */
  close(): Promise<void>
}

/** Opens a conversation; `close` also closes its gate. */
export function openConversation({ opened, model, name, guards, tools: more = [] }: ConversationParts): Conversation {
  const listeners = new Set<(event: ChatEvent) => void>()
  const tools = [...BUILTIN_TOOLS, ...more]
  const parts: AgentParts = {
    name,
    model,
    gate: opened.gate,
    tools,
    workspace: opened.places.workspace,
    home: opened.home,
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
      for (const told of agentChatEvents(event, name, now())) {
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
        // No event will end these calls any more; close their rows.
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

  /** INVARIANT: waits for the running agent to end, so that each of its calls also ends on the screen. */
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

/** A sub-agent for tasks that would fill the main agent's context; its calls carry its own name. */
function helper(tools: readonly AgentTool[]): SubAgent {
  return { name: 'helper', description: 'does one task with the same tools and its own context', tools }
}
