import { formatAgo, type Json, JsonView, SafeTextView, useServerNow } from '@countersign/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type CurrentVerdict, type SeenTool, service } from '../api/service.ts'
import { placeOfRule, textOf, valueAt } from '../history/entry-value.ts'
import { PolicyChanges } from './policy-changes.tsx'
import type { Holding } from './policy-override.ts'

/** What is known of one tool: what policy says now and said last, how it went, its definition, how to change it. */
export function ToolDetails({ tool, policyFile }: { readonly tool: SeenTool; readonly policyFile: string }): ReactNode {
  const shownAt = useServerNow(30_000)
  const now = useCurrentVerdict(tool, true)
  return (
    <div className="tool-details">
      {now.isPending && <p className="cs-dim">…</p>}
      {now.data != null && (
        <p className="tool-now">
          Policy now says{' '}
          <b>
            <SafeTextView text={now.data.supervision} />
          </b>{' '}
          to {tool.heldCall === null ? 'its last call' : 'a call of it that is held'}, by{' '}
          <SafeTextView text={byWords(now.data)} />.
        </p>
      )}
      {!now.isPending && now.data == null && (
        <p className="tool-now">
          What policy says now depends on the call, and the journal does not have all of its last one: last time it was{' '}
          <b>
            <SafeTextView text={tool.supervision} />
          </b>
          .
        </p>
      )}
      <p>
        Last said, {formatAgo(shownAt - tool.lastAt)}:{' '}
        <b>
          <SafeTextView text={tool.supervision} />
        </b>
        , by <SafeTextView text={byWords(tool)} />.{' '}
        <SafeTextView
          text={`Of its held calls ${tool.approved} were approved, ${tool.rejected} rejected, ${tool.expired} expired.`}
        />{' '}
        <Link href={`/history?tool=${encodeURIComponent(tool.tool)}`}>Its calls</Link>
      </p>
      <ToolDefinition tool={tool} />
      {!now.isPending && (
        <PolicyChanges tool={tool.tool} holds={holdingOf(tool, now.data ?? tool)} policyFile={policyFile} />
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

/** What a tool says of itself. Only a held call has it whole: the journal keeps the hash, which tells whether it changed. */
export function ToolDefinition({ tool }: { readonly tool: SeenTool }): ReactNode {
  const { heldCall, server, otherDefinitions, definition: hash } = tool
  const definition = useQuery({
    queryKey: ['definition', heldCall],
    queryFn: () => (heldCall === null ? null : service.definition(heldCall).catch(() => null)),
  })
  const given = definition.data ?? null
  const said = textOf(valueAt(given, 'description'))
  return (
    <section aria-label="Definition">
      <p className="cs-dim">
        {server === null ? 'A tool of the agent itself' : <SafeTextView text={`Of server ${server}`} />}
        <SafeTextView
          text={hash === 'unbound' ? ', which gave no definition.' : `, definition ${hash.slice(0, 16)}.`}
        />
        {given === null && hash !== 'unbound' && ' It is shown here while a call of the tool is held.'}
      </p>
      {otherDefinitions.length > 0 && (
        <p className="cs-notes">
          ! Its definition changed: {otherDefinitions.length}{' '}
          {otherDefinitions.length === 1 ? 'other was' : 'others were'} seen under this name.
        </p>
      )}
      {said !== '' && (
        <p>
          <span className="cs-dim">It says of itself: </span>
          <q>
            <SafeTextView text={said} />
          </q>
        </p>
      )}
      {given !== null && (
        <details className="cs-more">
          <summary>schema and all</summary>
          <JsonView value={given as Json} label="Definition of the tool" />
        </details>
      )}
    </section>
  )
}

/** What the policy in force says of the call of the tool that is held, or of its last one; null where it cannot be told. */
export function useCurrentVerdict(
  { tool, heldCall, lastCall }: SeenTool,
  isAsked: boolean,
): UseQueryResult<CurrentVerdict | null> {
  const call = heldCall ?? lastCall
  return useQuery({
    queryKey: ['says', tool, call],
    queryFn: () => (call === null ? null : service.currentVerdict(call).catch(() => null)),
    enabled: isAsked,
  })
}

/** What policy gives a call, in a word; what only a grant gives is told as such. */
export function verdictText({
  supervision,
  grant,
}: {
  readonly supervision: string
  readonly grant: string | null
}): string {
  return grant === null ? supervision : `${supervision} by a grant`
}
