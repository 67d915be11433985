import { type Json, JsonView, Safe } from '@countersign/react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type SeenTool, service } from '../api/service.ts'
import { textOf, valueAt } from '../history/entry-value.ts'

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
        {server === null ? 'A tool of the agent itself' : <Safe text={`Of server ${server}`} />}
        <Safe text={hash === 'unbound' ? ', which gave no definition.' : `, definition ${hash.slice(0, 16)}.`} />
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
            <Safe text={said} />
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
