import { agoWords, Safe, useServerNow } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { textOf, valueAt } from '../history/entry-value.ts'
import { type SeenTool, service } from '../service.ts'
import { ToolChanges } from './tool-changes.tsx'
import { ToolDefinition } from './tool-definition.tsx'

/** What is known of one tool: what policy says now and said last, how it went, its definition, how to change it. */
export function ToolDetails({ tool, policyFile }: { readonly tool: SeenTool; readonly policyFile: string }): ReactNode {
  const shownAt = useServerNow(30_000)
  const now = useQuery({ queryKey: ['says', tool.tool, tool.lastCall], queryFn: () => saysNow(tool) })
  const rule = now.data?.rule
  return (
    <div className="tool-details">
      {now.isPending && <p className="cs-dim">…</p>}
      {now.data != null && (
        <p className="tool-now">
          Policy now says{' '}
          <b>
            <Safe text={now.data.supervision} />
          </b>{' '}
          to its last call, by <Safe text={ruleWords(rule)} />.
        </p>
      )}
      {!now.isPending && now.data == null && (
        <p className="tool-now">What policy says now cannot be told: its last call is no longer in the journal here.</p>
      )}
      <p>
        Last said, {agoWords(shownAt - tool.lastAt)}:{' '}
        <b>
          <Safe text={tool.supervision} />
        </b>
        , by <Safe text={ruleWords(tool.rule)} />.{' '}
        <Safe
          text={`Of its held calls ${tool.approved} were approved, ${tool.rejected} rejected, ${tool.expired} expired.`}
        />{' '}
        <Link href={`/history?tool=${encodeURIComponent(tool.tool)}`}>Its calls</Link>
      </p>
      <ToolDefinition tool={tool} />
      {!now.isPending && (
        <ToolChanges tool={tool.tool} says={now.data?.supervision ?? tool.supervision} policyFile={policyFile} />
      )}
    </div>
  )
}

/** What the policy in force says of the tool's last call, as the journal has it; null when it has it no more. */
async function saysNow({ lastCall, name, server }: SeenTool) {
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

function ruleWords(rule: unknown): string {
  if (typeof rule === 'string') return rule
  if (typeof rule !== 'object' || rule === null || !('id' in rule)) return 'no rule'
  const place = 'file' in rule && 'line' in rule ? ` (${String(rule.file)}:${String(rule.line)})` : ''
  return `${String(rule.id)}${place}`
}
