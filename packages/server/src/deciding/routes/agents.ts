import { agentStates, probeWords, stateWords } from '@countersign/hosts'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { Agents } from '../api/schemas.ts'

/** The coding agents behind the gate, and whether each was proven. */
export function addAgentRoutes(app: DecidingApp, { home }: DecidingParts): void {
  defineRoute(
    app,
    {
      method: 'get',
      path: '/agents',
      summary: 'Coding agents behind the gate, and the result of testing each',
      answer: Agents,
    },
    (c) =>
      c.json({
        agents: agentStates(home).map((agent) => ({
          host: agent.host,
          title: agent.title,
          state: agent.state,
          version: agent.version,
          at: agent.at,
          words: stateWords(agent, null),
          runsAnyway: agent.runsAnyway.map(probeWords),
        })),
      }),
  )
}
