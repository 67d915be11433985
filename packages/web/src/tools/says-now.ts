import type { Explanation } from '@countersign/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { textOf, valueAt } from '../history/entry-value.ts'
import { type SeenTool, service } from '../service.ts'

type Verdict = Explanation['verdict']

/** What the policy in force says of the tool's last call; null where the journal has that call no more. */
export function useSaysNow(tool: SeenTool, isAsked: boolean): UseQueryResult<Verdict | null> {
  return useQuery({ queryKey: ['says', tool.tool, tool.lastCall], queryFn: () => saysNow(tool), enabled: isAsked })
}

/** What policy gives a call, in a word; what only a grant gives is told as such. */
export function givenWords({
  supervision,
  grant,
}: {
  readonly supervision: string
  readonly grant: string | null
}): string {
  return grant === null ? supervision : `${supervision} by a grant`
}

async function saysNow({ lastCall, name, server }: SeenTool): Promise<Verdict | null> {
  if (lastCall === null) return null
  try {
    const { entries } = await service.pastCall(lastCall)
    const judged = entries.findLast(({ kind }) => kind === 'judged')
    if (judged === undefined) return null
    const [...parents] = Array.isArray(judged['agent']) ? judged['agent'] : []
    const agent = parents.pop()
    const call = {
      tool: server === null ? { name } : { name, server },
      args: judged['args'],
      ...(server === null ? {} : { source: 'mcp' }),
      ...(typeof agent === 'string' ? { agent: { name: agent, parents } } : {}),
    }
    const { explanation } = await service.explain(call, textOf(valueAt(judged, 'cwd')))
    return explanation.verdict
  } catch {
    return null
  }
}
