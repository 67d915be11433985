import { isAbsolute } from 'node:path'
import { type Call, SUPERVISIONS } from '@countersign/core'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { Explain, Explained, Stats, StatsQuery, Tools } from '../api/schemas.ts'
import { statisticsOf } from '../reports/statistics.ts'
import { shellWord } from './shell-argument.ts'

const LOOKED = 10_000
const WEEK_MS = 7 * 86_400_000

/** Policy: the verdict on a call, every tool seen, and statistics of decisions. */
export function addPolicyRoutes(app: DecidingApp, { main, workspaces, home, now }: DecidingParts): void {
  const { desk, gate } = main

  defineRoute(
    app,
    {
      method: 'post',
      path: '/explain',
      summary: 'The verdict for a call, with the result of every rule; nothing is held or recorded',
      body: Explain,
      answer: Explained,
    },
    async (c, { body }) => {
      const call = body.call as Call
      const cwd = typeof call.cwd === 'string' && isAbsolute(call.cwd) ? call.cwd : undefined
      const workspace = body.workspace ?? cwd ?? workspaces.latest
      const explanation =
        workspace === undefined
          ? await gate.explain(call)
          : await workspaces.use(workspace, (their) => their.explain(call))
      return c.json({ explanation })
    },
  )

  defineRoute(
    app,
    { method: 'get', path: '/tools', summary: 'Every tool that was called, with its last verdict', answer: Tools },
    async (c) => {
      const counts = new Map(
        statisticsOf(await desk.history({ limit: LOOKED })).tools.map((counted) => [counted.tool, counted]),
      )
      const held = await closestHeld(main.ports.store)
      const tools = (await desk.tools()).map(({ lastUsed, ...seen }) => {
        const { approved = 0, rejected = 0, expired = 0 } = counts.get(seen.tool) ?? {}
        return {
          ...seen,
          lastAt: lastUsed,
          heldCall: held.get(seen.tool) ?? null,
          approved,
          rejected,
          expired,
          change: `tools: { ${JSON.stringify(seen.tool)}: confirm }`,
          command: explainCommand(seen),
        }
      })
      return c.json({ tools, policyFile: home.policy })
    },
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/stats',
      summary: 'Decisions per hour, time to decide, and rejected and expired calls by tool, for the last week',
      query: StatsQuery,
      answer: Stats,
    },
    async (c, { query }) =>
      c.json({
        ...statisticsOf(await desk.history({ since: query.since ?? now() - WEEK_MS, limit: LOOKED })),
        rules: await desk.feedbackByRule(),
      }),
  )
}

/** Of each tool the call that is held most closely. */
async function closestHeld(store: DecidingParts['main']['ports']['store']): Promise<ReadonlyMap<string, string>> {
  const rows = await store.calls({ state: 'held', limit: LOOKED, unsealed: true })
  const rank = ({ supervision }: (typeof rows)[number]): number =>
    (SUPERVISIONS as readonly string[]).indexOf(supervision)
  return new Map(rows.toSorted((a, b) => rank(a) - rank(b)).map(({ tool, id }) => [tool, id]))
}

/** The command that explains a tool; null where its name fits in none. */
function explainCommand({ name, server }: { readonly name: string; readonly server: string | null }): string | null {
  const words = [shellWord(name), ...(server === null ? [] : ['--server', shellWord(server)])]
  return words.includes(null) ? null : ['countersign policy explain', ...words].join(' ')
}
