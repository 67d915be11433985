import { type Clock, CountersignError, type Gate } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { Message, Model } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import type { AgentEvent } from './event.ts'
import { type LoopParts, runLoop } from './loop.ts'
import { PROCEED } from './proceed-question.ts'
import { DEFAULT_GUARDS, type Guards } from './stop-conditions.ts'
import type { Stop } from './stop-reason.ts'
import { delegateTool, type SubAgent } from './sub-agent.ts'
import { systemPrompt } from './system-prompt.ts'

/** What an agent is made of. It holds the asking side of the gate only. INVARIANT: L8. */
export interface AgentParts {
  readonly name: string
  readonly model: Model
  readonly gate: Gate
  readonly tools: readonly AgentTool[]
  readonly workspace: string
  readonly system?: string
  readonly guards?: Partial<Guards>
  /** Names of the agents above this one, outermost first. */
  readonly parents?: readonly string[]
  /** Agents it may give tasks to; their calls pass the same gate under their own name. */
  readonly subAgents?: readonly SubAgent[]
  /** Why the agents above it may not go on either: asked before each turn. */
  readonly above?: () => Stop | null
  /** A conversation to go on with. */
  readonly messages?: readonly Message[]
  readonly clock?: Clock
}

/** A conversation with tools, each behind the gate. */
export interface Agent {
  readonly name: string
  /** Everything said so far. */
  readonly messages: readonly Message[]
  /** Says one thing and runs the loop until it stops. One at a time: a second call while one runs is an error. */
  say(text: string, signal?: AbortSignal): Promise<Stop>
  subscribe(listener: (event: AgentEvent) => void): () => void
}

/**
 * Makes an agent. Nothing it does reaches a tool but through `parts.gate`.
 *
 * ```ts
 * const agent = createAgent({ name: 'clerk', model, gate, tools: [readNote, sendMail], workspace })
 * ```
 */
export function createAgent(parts: AgentParts): Agent {
  const listeners = new Set<(event: AgentEvent) => void>()
  const messages: Message[] = [...(parts.messages ?? [])]
  const clock = parts.clock ?? systemClock
  const guards: Guards = { ...DEFAULT_GUARDS, ...parts.guards }
  const shared: LoopParts['shared'] = { over: () => null }
  let busy = false

  function emit(event: AgentEvent): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch {
        // INVARIANT: a surface's bug never moves a call.
      }
    }
  }

  function subscribe(listener: (event: AgentEvent) => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }

  const tools = toolsByName([...parts.tools, ...delegateTool(parts, clock, emit, () => shared.over(), createAgent)])
  const system = parts.system ?? systemPrompt(parts.workspace)
  const loop = {
    ...parts,
    label: agentLabel(parts),
    system,
    tools,
    guards,
    clock,
    messages,
    emit,
    shared,
    listen: subscribe,
  }

  return {
    name: parts.name,
    messages,
    async say(text, signal) {
      if (busy)
        throw new CountersignError('CS_USAGE', 'the agent is still at work; wait until it stops, or abort it first')
      busy = true
      try {
        const stop = await runLoop(text, loop, signal)
        emit({ kind: 'stopped', agent: loop.label, stop })
        return stop
      } finally {
        busy = false
      }
    },
    subscribe,
  }
}

/** The name events carry: the agents above it, then its own. */
function agentLabel({ name, parents = [] }: Pick<AgentParts, 'name' | 'parents'>): string {
  return [...parents, name].join('/')
}

/** SECURITY: a name that two tools share would let one of them run under what was said of the other. */
function toolsByName(tools: readonly AgentTool[]): ReadonlyMap<string, AgentTool> {
  const named = new Map<string, AgentTool>()
  for (const tool of tools) {
    if (tool.name === PROCEED.name)
      throw new CountersignError('CS_USAGE', 'a tool may not be called `proceed`; the loop itself asks by that name')
    if (named.has(tool.name))
      throw new CountersignError('CS_USAGE', `two tools are called \`${tool.name}\`; give one of them another name`)
    named.set(tool.name, tool)
  }
  return named
}
