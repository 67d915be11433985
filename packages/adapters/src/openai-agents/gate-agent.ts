import { copiedTool } from '../call/copied-tool.ts'
import { cannotGate, checkNames } from '../call/gated-tool.ts'
import type { GateOptions } from '../call/options.ts'
import type { AskingGate } from '../gate/asking-gate.ts'
import { type AgentTool, type AgentToolOptions, gateTools } from './gate-tools.ts'

/** An agent, as far as it matters here: the SDK's `Agent`. */
export interface SdkAgent {
  readonly name: string
  readonly tools: readonly AgentTool[]
  readonly handoffs: readonly unknown[]
  readonly mcpServers: readonly { readonly name: string }[]
  clone(config: never): unknown
}

/** A handoff with options of its own: the SDK's `Handoff`. */
interface Handoff {
  readonly agent: SdkAgent
  readonly onInvokeHandoff: (...args: readonly unknown[]) => Promise<SdkAgent>
}

/** `tools` and `ungated` name tools of any of the agents. */
export interface AgentOptions extends Omit<GateOptions<AgentToolOptions>, 'agent'> {
  /** The agents above this one, outermost first: for one that becomes a tool of another. */
  readonly parents?: readonly string[]
}

/**
 * The same agent, and every agent that it hands off to, with their tools behind the gate. Each agent's calls have its name, with
 * the agents above it as parents.
 *
 * Throws at set-up as `gateTools` does, and for MCP servers, whose tools are only known while the agent runs.
 */
export function gateAgent<One extends SdkAgent>(agent: One, gate: AskingGate, options: AgentOptions = {}): One {
  const { tools = {}, ungated = [], parents: above = [] } = options
  const gated = new Map<SdkAgent, SdkAgent>()
  const names = new Set<string>()

  function gateOne(one: SdkAgent, parents: readonly string[]): SdkAgent {
    const known = gated.get(one)
    if (known !== undefined) return known
    for (const { name } of one.mcpServers)
      if (!ungated.includes(name))
        throw cannotGate(name, 'an MCP server; start it by `countersign mcp -- …` and its calls are gated there')
    const own = [...one.tools, ...one.mcpServers].map(({ name }) => name)
    for (const name of own) names.add(name)
    const isOwn = (name: string) => own.includes(name)
    const about: GateOptions<AgentToolOptions> = {
      ...options,
      agent: { name: one.name, parents },
      tools: Object.fromEntries(Object.entries(tools).filter(([name]) => isOwn(name))),
      ungated: ungated.filter((name) => one.tools.some((tool) => tool.name === name)),
    }
    const handoffs: unknown[] = []
    const clone = one.clone({ tools: gateTools(one.tools, gate, about), handoffs } as never) as SdkAgent
    gated.set(one, clone).set(clone, clone)
    const path = [...parents, one.name]
    handoffs.push(
      ...one.handoffs.map((next) => (isHandoff(next) ? gateHandoff(next, path) : gateOne(next as SdkAgent, path))),
    )
    return clone
  }

  /** It finds its agent only when it is invoked, and then that one is gated too. */
  function gateHandoff(handoff: Handoff, path: readonly string[]): Handoff {
    return copiedTool(handoff, {
      agent: gateOne(handoff.agent, path),
      onInvokeHandoff: async (...args: readonly unknown[]) => gateOne(await handoff.onInvokeHandoff(...args), path),
    })
  }

  const clone = gateOne(agent, above)
  checkNames([...names], options)
  return clone as One
}

function isHandoff(next: unknown): next is Handoff {
  return typeof next === 'object' && next !== null && 'onInvokeHandoff' in next
}
