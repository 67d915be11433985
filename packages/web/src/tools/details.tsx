import { countedWords, formatAgo, type Json, JsonView, SafeTextView, useServerNow } from '@countersign/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { type CurrentVerdict, type SeenTool, service } from '../api/service.ts'
import { placeOfRule, textOf, valueAt } from '../history/entry-value.ts'
import { isPlainName } from '../rules/setting.ts'
import { SupervisionSetting } from '../rules/supervision-setting.tsx'

/** Details of a tool: current and last verdict, statistics, definition and setting. */
export function ToolDetails({ tool }: { readonly tool: SeenTool }): ReactNode {
  const shownAt = useServerNow(30_000)
  const now = useCurrentVerdict(tool, true)
  return (
    <div className="tool-details">
      {now.isPending && <p className="cs-dim">…</p>}
      {now.data != null && (
        <p className="tool-now">
          {' '}
          Current policy:{' '}
          <b>
            <SafeTextView text={now.data.supervision} />
          </b>{' '}
          for {tool.heldCall === null ? 'its last call' : 'its held call'}, by <SafeTextView text={byWords(now.data)} />
          .
        </p>
      )}
      {!now.isPending && now.data == null && (
        <p className="tool-now">
          The current verdict is unknown because the journal has only part of the last call. Last time it was{' '}
          <b>
            <SafeTextView text={tool.supervision} />
          </b>
          .
        </p>
      )}
      <p>
        Last verdict, {formatAgo(shownAt - tool.lastAt)}:{' '}
        <b>
          <SafeTextView text={tool.supervision} />
        </b>
        , by <SafeTextView text={byWords(tool)} />.{' '}
        <SafeTextView
          text={`Held calls: ${tool.approved} approved, ${tool.rejected} rejected, ${tool.expired} expired.`}
        />{' '}
        <Link href={`/history?tool=${encodeURIComponent(tool.tool)}`}>View calls</Link>
      </p>
      <ToolDefinition tool={tool} />
      {isPlainName(tool.tool) ? (
        <SupervisionSetting target={{ tool: tool.tool }} />
      ) : (
        <p className="cs-notes">
          ! The name contains special characters that a policy could misread, so it can’t be set here.
        </p>
      )}
    </div>
  )
}

/** The rule or grant behind a verdict. */
function byWords({ rule, grant }: { readonly rule: unknown; readonly grant: string | null }): string {
  return grant === null ? ruleWords(rule) : `grant ${grant.slice(0, 8)} (${ruleWords(rule)} asks for confirm)`
}

function ruleWords(rule: unknown): string {
  if (typeof rule === 'string') return rule
  if (typeof rule !== 'object' || rule === null || !('id' in rule)) return 'no rule'
  const place = placeOfRule(rule)
  return `${String(rule.id)}${place === null ? '' : ` (${place})`}`
}

/** The definition of a tool. Only a held call has it in full; the journal keeps its hash. */
function ToolDefinition({ tool }: { readonly tool: SeenTool }): ReactNode {
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
        {server === null ? 'Built into the agent' : <SafeTextView text={`From server ${server}`} />}
        <SafeTextView text={hash === 'unbound' ? ', without a definition.' : `, definition ${hash.slice(0, 16)}.`} />
        {given === null && hash !== 'unbound' && ' It is shown here while a call to the tool is held.'}
      </p>
      {otherDefinitions.length > 0 && (
        <p className="cs-notes">
          ! The definition has changed: {countedWords(otherDefinitions.length, 'other version')} seen under this name.
        </p>
      )}
      {said !== '' && (
        <p>
          <span className="cs-dim">Description: </span>
          <q>
            <SafeTextView text={said} />
          </q>
        </p>
      )}
      {given !== null && (
        <details className="cs-more">
          <summary>Full definition</summary>
          <JsonView value={given as Json} label="Tool definition" />
        </details>
      )}
    </section>
  )
}

/** The current verdict on the tool's held or last call; null if it cannot be computed. */
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

/** A verdict in words, naming a grant. */
export function verdictText({
  supervision,
  grant,
}: {
  readonly supervision: string
  readonly grant: string | null
}): string {
  return grant === null ? supervision : `${supervision} by a grant`
}
