import type { Clock } from '@countersign/core'
import type { Model } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import type { Agent, AgentParts } from './agent.ts'
import type { AgentEvent } from './event.ts'
import type { Guards, Stop } from './stop-conditions.ts'

/** An agent that another may delegate to. */
export interface SubAgent {
  readonly name: string
  /** Its purpose, for the parent’s model. */
  readonly description: string
  readonly tools: readonly AgentTool[]
  readonly system?: string
  /** Default: the parent’s model. */
  readonly model?: Model
  readonly guards?: Partial<Guards>
  readonly subAgents?: readonly SubAgent[]
}

/** The delegation tool. */
export const DELEGATE = 'delegate'

const MAX_TASK = 100_000

/**
 * The tool `delegate`, for an agent with sub-agents. Delegating changes nothing by itself: each call of the sub-agent
 * passes the same gate under the names of all its parents, and its turns and tokens count as theirs.
 */
export function delegateTool(
  parts: AgentParts,
  clock: Clock,
  emit: (event: AgentEvent) => void,
  over: () => Stop | null,
  create: (parts: AgentParts) => Agent,
): readonly AgentTool[] {
  const subAgents = parts.subAgents ?? []
  if (subAgents.length === 0) return []
  const list = subAgents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')
  return [
    {
      name: DELEGATE,
      description: `Gives a task to another agent and returns its answer. Agents:\n${list}`,
      inputSchema: {
        type: 'object',
        properties: {
          agent: { type: 'string', enum: subAgents.map(({ name }) => name) },
          task: { type: 'string', description: 'Everything the agent needs to know; it sees nothing else.' },
        },
        required: ['agent', 'task'],
        additionalProperties: false,
      },
      source: 'builtin',
      describe: () => ({ kind: 'read' }), // changes nothing by itself, unlike a host's sub-agent, whose calls may bypass the gate
      async run(args, { signal }) {
        const found = subAgents.find(({ name }) => name === args['agent'])
        const task = args['task']
        if (found === undefined || typeof task !== 'string' || task === '' || task.length > MAX_TASK)
          throw new Error('`agent` must be one of the agents, and `task` a text; write the call again')
        const child = create({ ...childParts(found, parts, clock), above: over })
        const unsubscribe = child.subscribe(emit)
        const stop = await child.say(task, signal).finally(unsubscribe)
        const answer = lastAnswer(child)
        return stop.why === 'done' ? answer : `The agent \`${found.name}\` stopped early: ${stop.message}. ${answer}`
      },
    },
  ]
}

function childParts(sub: SubAgent, parent: AgentParts, clock: Clock): AgentParts {
  const { description: _, ...own } = sub
  const { model, gate, workspace, home, name, parents = [] } = parent
  const recorded = home === undefined ? {} : { home }
  return { model, ...own, gate, workspace, ...recorded, clock, parents: [...parents, name] }
}

function lastAnswer({ messages }: Agent): string {
  const last = messages.findLast(({ role }) => role === 'agent')
  return last?.role === 'agent' && last.text !== '' ? last.text : 'It said nothing.'
}
