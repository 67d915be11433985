import type { Clock } from '@countersign/core'
import type { Model } from '../model/model.ts'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import type { Agent, AgentParts } from './agent.ts'
import type { AgentEvent } from './event.ts'
import type { Guards } from './stop-conditions.ts'
import type { Stop } from './stop-reason.ts'

/** An agent that another one may give tasks to. */
export interface SubAgent {
  readonly name: string
  /** What it is good for, as the model above it is told. */
  readonly description: string
  readonly tools: readonly AgentTool[]
  readonly system?: string
  /** The model of the agent above it unless told. */
  readonly model?: Model
  readonly guards?: Partial<Guards>
  readonly subAgents?: readonly SubAgent[]
}

/** The tool that hands a task on. */
export const DELEGATE = 'delegate'

const MOST_TASK = 100_000

/**
 * The tool `delegate`, for an agent that has others below it. Handing a task on changes nothing by itself: each call of
 * the sub-agent passes the same gate, under the names of all who stand above it, and each of its turns and tokens is
 * one of theirs.
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
      describe: () => ({ kind: 'read' }), // by itself it changes nothing, unlike a host's sub-agent, whose calls we may not see
      async run(args, { signal }) {
        const found = subAgents.find(({ name }) => name === args['agent'])
        const task = args['task']
        if (found === undefined || typeof task !== 'string' || task === '' || task.length > MOST_TASK)
          throw new Error('`agent` must be one of the agents, and `task` a text; write the call again')
        const child = create({ ...childParts(found, parts, clock), above: over })
        const unhear = child.subscribe(emit)
        const stop = await child.say(task, signal).finally(unhear)
        const answer = lastAnswer(child)
        return stop.why === 'done' ? answer : `The agent \`${found.name}\` stopped early: ${stop.message}. ${answer}`
      },
    },
  ]
}

function childParts(sub: SubAgent, parent: AgentParts, clock: Clock): AgentParts {
  const { description: _, ...own } = sub
  const { model, gate, workspace, name, parents = [] } = parent
  return { model, ...own, gate, workspace, clock, parents: [...parents, name] }
}

function lastAnswer({ messages }: Agent): string {
  const last = messages.findLast(({ role }) => role === 'agent')
  return last?.role === 'agent' && last.text !== '' ? last.text : 'It said nothing.'
}
