import { agoWords, Safe, useServerNow } from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { SeenTool } from '../api/service.ts'
import { placeOfRule } from '../history/entry-rule.ts'
import { useSaysNow } from './current-verdict.ts'
import { ToolDefinition } from './definition.tsx'
import { ToolChanges } from './policy-changes.tsx'
import type { Holding } from './policy-override.ts'

/** What is known of one tool: what policy says now and said last, how it went, its definition, how to change it. */
export function ToolDetails({ tool, policyFile }: { readonly tool: SeenTool; readonly policyFile: string }): ReactNode {
  const shownAt = useServerNow(30_000)
  const now = useSaysNow(tool, true)
  return (
    <div className="tool-details">
      {now.isPending && <p className="cs-dim">…</p>}
      {now.data != null && (
        <p className="tool-now">
          Policy now says{' '}
          <b>
            <Safe text={now.data.supervision} />
          </b>{' '}
          to {tool.heldCall === null ? 'its last call' : 'a call of it that is held'}, by{' '}
          <Safe text={byWords(now.data)} />.
        </p>
      )}
      {!now.isPending && now.data == null && (
        <p className="tool-now">
          What policy says now depends on the call, and the journal does not have all of its last one: last time it was{' '}
          <b>
            <Safe text={tool.supervision} />
          </b>
          .
        </p>
      )}
      <p>
        Last said, {agoWords(shownAt - tool.lastAt)}:{' '}
        <b>
          <Safe text={tool.supervision} />
        </b>
        , by <Safe text={byWords(tool)} />.{' '}
        <Safe
          text={`Of its held calls ${tool.approved} were approved, ${tool.rejected} rejected, ${tool.expired} expired.`}
        />{' '}
        <Link href={`/history?tool=${encodeURIComponent(tool.tool)}`}>Its calls</Link>
      </p>
      <ToolDefinition tool={tool} />
      {!now.isPending && (
        <ToolChanges tool={tool.tool} holds={holdingOf(tool, now.data ?? tool)} policyFile={policyFile} />
      )}
    </div>
  )
}

/** What a change is measured by: a grant is over some day, and then what the rule says is there again. */
function holdingOf(tool: SeenTool, now: Said): Holding {
  return { now: ruleOf(now), last: ruleOf(tool), strictest: tool.strictest }
}

type Said = Pick<SeenTool, 'supervision' | 'grant'>

function ruleOf({ supervision, grant }: Said): string {
  return grant === null ? supervision : 'confirm'
}

/** Who said it: the rule, or the grant that stood for a person where the rule says confirm. */
function byWords({ rule, grant }: { readonly rule: unknown; readonly grant: string | null }): string {
  return grant === null ? ruleWords(rule) : `grant ${grant.slice(0, 8)}, where ${ruleWords(rule)} says confirm`
}

function ruleWords(rule: unknown): string {
  if (typeof rule === 'string') return rule
  if (typeof rule !== 'object' || rule === null || !('id' in rule)) return 'no rule'
  const place = placeOfRule(rule)
  return `${String(rule.id)}${place === null ? '' : ` (${place})`}`
}
