import { agoWords, DefinitionView, EndOfBody, ReadingProvider, Safe, useServerNow } from '@countersign/react'
import { type ReactNode, useMemo, useState } from 'react'
import type { WaitingTool as Waiting } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'
import { acceptBlockedWords } from '../signing/capability.ts'
import { AcceptBar } from './accept-bar.tsx'
import { hashOf } from './accept-definition.ts'

const MOST_ODD = 8

/** One tool in quarantine: whose it is, why, what is new in it, and the way to let it be called. */
export function WaitingTool({
  tool,
  isOpenFirst,
  layout,
  accept,
}: {
  readonly tool: Waiting
  readonly isOpenFirst: boolean
  /** What stands around it: with another, it may stand elsewhere. */
  readonly layout: string
  readonly accept: () => Promise<void>
}): ReactNode {
  const now = useServerNow(30_000)
  const [isOpen, setOpen] = useState(isOpenFirst)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="tool-head">
        <code className="tool-name">
          <Safe text={`${tool.label}/${tool.name}`} />
        </code>
        <span className="cs-tag quarantine-tag">{tool.accepted === null ? 'new' : 'changed'}</span>
        <span className="cs-dim tool-facts">found {agoWords(now - tool.since)}</span>
      </summary>
      {isOpen && (
        <ReadingProvider>
          <Details tool={tool} layout={layout} accept={accept} />
        </ReadingProvider>
      )}
    </details>
  )
}

function Details({
  tool,
  layout,
  accept,
}: {
  readonly tool: Waiting
  readonly layout: string
  readonly accept: () => Promise<void>
}): ReactNode {
  const { link, signing } = useDesk()
  const isSame = useMemo(() => hashOf(tool.definition) === tool.hash, [tool])
  const odd = tool.odd.slice(0, MOST_ODD)
  return (
    <div className="tool-details">
      <p className="waiting-why">
        Calls are refused: <Safe text={tool.why} />.
      </p>
      <p className="cs-dim waiting-server">
        Its server is{' '}
        <code>
          <Safe text={tool.server.shown} />
        </code>
      </p>
      {odd.length > 0 && (
        <ul className="cs-notes cs-notes-bad" aria-label="Characters that hide or pose as others">
          {odd.map(({ where, what, count }) => (
            <li key={`${where} ${what}`}>
              ! <Safe text={`${count} ${what} ${count === 1 ? 'character' : 'characters'} in ${where}`} />
            </li>
          ))}
          {tool.odd.length > odd.length && <li>! and in {tool.odd.length - odd.length} more places</li>}
        </ul>
      )}
      <DefinitionView before={tool.accepted} after={tool.definition} />
      <EndOfBody />
      <AcceptBar
        about={`${tool.hash} ${layout}`}
        blocked={
          isSame ? acceptBlockedWords(link, signing, tool.command) : 'What this page was given is not what waits.'
        }
        accept={accept}
      />
    </div>
  )
}
