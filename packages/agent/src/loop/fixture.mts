import type { HeldCallView, JsonObject } from '@countersign/core'
import { openStandIn, type StandIn, type StandInAnswer } from '@countersign/testing/fake-openai-server'
import { openWorld, type World, type WorldOptions } from '@countersign/testing/gate/world'
import { onTestFinished, vi } from 'vitest'
import { chooseModel } from '../model/choose-model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { type Agent, type AgentParts, createAgent } from './agent.ts'
import type { AgentEvent } from './event.ts'

/** A machine under load needs time; awaited events are never late by themselves. */
export const PATIENCE = { timeout: 30_000, interval: 10 }

/** A tool that leaves a mark, so that a test sees whether and how often it ran. */
export function marker(
  name = 'deploy_site',
  more: Partial<AgentTool> = {},
): AgentTool & { readonly marks: JsonObject[] } {
  const marks: JsonObject[] = []
  return {
    name,
    description: `does ${name}`,
    inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
    source: 'custom',
    describe: () => ({ kind: 'send' }),
    async run(args) {
      marks.push(args)
      return `${name} ran`
    },
    marks,
    ...more,
  }
}

/** A tool that runs without asking. */
export function reader(name = 'look', answer: (args: JsonObject) => string = () => 'seen'): AgentTool {
  return marker(name, { describe: () => ({ kind: 'read' }), run: async (args) => answer(args) })
}

export interface Scene {
  readonly world: World
  readonly standIn: StandIn
  readonly agent: Agent
  readonly events: readonly AgentEvent[]
  /** The steps of one call, or of the only one. */
  steps(tool?: string): readonly string[]
  /** Waits until this many calls are held. */
  held(count?: number): Promise<readonly HeldCallView[]>
  /** The result of a call in the model's last request. */
  told(): readonly string[]
}

/** An agent with a model behind a real HTTP endpoint and a gate on a real store. */
export async function openScene(
  answers: Parameters<typeof openStandIn>[0],
  more: Partial<AgentParts> & { readonly policy?: string; readonly world?: WorldOptions } = {},
): Promise<Scene> {
  const { policy, world: options, ...parts } = more
  const world = await openWorld({ ...options, ...(policy === undefined ? {} : { policy }) })
  const standIn = await openStandIn(answers)
  onTestFinished(async () => {
    await standIn.close()
    await world.close()
  })
  const model = await chooseModel({ model: 'openai/stand-in', env: { OPENAI_BASE_URL: standIn.url } })
  const agent = createAgent({
    name: 'clerk',
    model,
    gate: world.gate,
    tools: [],
    workspace: world.workspace,
    clock: world.clock,
    ...parts,
  })
  const events: AgentEvent[] = []
  agent.subscribe((event) => events.push(event))
  return {
    world,
    standIn,
    agent,
    events,
    steps: (tool) => stepsOf(events, tool),
    held: (count = 1) =>
      vi.waitFor(async () => {
        const views = await world.held()
        if (views.length !== count) throw new Error(`expected ${count} held calls, found ${views.length}`)
        return views
      }, PATIENCE),
    told() {
      const messages = standIn.requests.at(-1)?.body.messages ?? []
      return messages.flatMap(({ role, content }) => (role === 'tool' || role === 'user' ? [String(content)] : []))
    },
  }
}

/** The only held call, by its tool. */
export function heldOf(views: readonly HeldCallView[], tool: string): HeldCallView {
  const found = views.find((view) => toolOf(view) === tool)
  if (found === undefined) throw new Error(`no held call of ${tool}`)
  return found
}

export function toolOf(view: HeldCallView): string {
  return (JSON.parse(view.request) as { call: { tool: { name: string } } }).call.tool.name
}

export function argsOf(view: HeldCallView): JsonObject {
  return (JSON.parse(view.request) as { call: { args: JsonObject } }).call.args
}

function stepsOf(events: readonly AgentEvent[], tool: string | undefined): readonly string[] {
  const ids = events.flatMap((event) =>
    event.kind === 'requested' && (tool === undefined || event.call.tool === tool) ? [event.callId] : [],
  )
  return events.flatMap((event) => ('callId' in event && ids.includes(event.callId) ? [event.kind] : []))
}

/** Answers that call tools in turn, then end. */
export function calling(
  ...turns: readonly (readonly [tool: string, args: object | string])[][]
): readonly StandInAnswer[] {
  return [...turns.map((calls) => ({ calls: calls.map(([tool, args]) => ({ tool, args })) })), { text: 'All done.' }]
}
