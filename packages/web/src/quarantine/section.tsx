import {
  DefinitionView,
  EndOfCard,
  formatAgo,
  formatTime,
  ReadingProvider,
  SafeTextView,
  useServerNow,
} from '@countersign/react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { QuarantinedTool as Waiting } from '../api/service.ts'
import { useDesk } from '../approvals/context.ts'
import { acceptBlockedReason } from '../signing/capability.ts'
import { AcceptBar } from './accept-bar.tsx'
import { acceptDefinition, hashOf, useQuarantine } from './quarantine.ts'

/** So few are shown open; of more, each is opened by who looks at it. */
const FEW = 3

interface Done {
  readonly key: string
  readonly tool: string
  readonly by: string
  readonly at: number
}

/** What of MCP servers waits for a person; nothing at all when nothing does. */
export function QuarantineSection(): ReactNode {
  const queries = useQueryClient()
  const now = useServerNow()
  const { data } = useQuarantine()
  const [done, setDone] = useState<readonly Done[]>([])
  const { waiting = [], left = [], broken = [] } = data ?? {}
  const isOver = new Set(done.map(({ key }) => key))
  const shown = waiting.filter((tool) => !isOver.has(keyOf(tool)))
  const layout = [done.length, broken.length, ...shown.map(keyOf)].join()

  async function accept(tool: Waiting): Promise<void> {
    try {
      const { by, at } = await acceptDefinition(tool, Math.round(now))
      setDone((before) => [...before, { key: keyOf(tool), tool: `${tool.label}/${tool.name}`, by, at }])
    } finally {
      void queries.invalidateQueries({ queryKey: ['quarantine'] })
    }
  }

  if (shown.length + left.length + broken.length + done.length === 0) return null
  return (
    <section className="quarantine" aria-labelledby="quarantine">
      <h2 id="quarantine" className="page-heading">
        In quarantine
      </h2>
      {shown.length > 0 && (
        <p className="cs-dim">
          These tools of MCP servers are new, or are not what was accepted. Read what is new in each: a model would read
          it too, and do as it says.
        </p>
      )}
      {done.map(({ key, tool, by, at }) => (
        <p key={key} className="waiting-receipt" role="status">
          <span className="cs-yes">✔ accepted</span>{' '}
          <code>
            <SafeTextView text={tool} />
          </code>{' '}
          <span className="cs-dim">
            <SafeTextView text={`by ${by} at ${formatTime(at)}`} />
          </span>
        </p>
      ))}
      {broken.map(({ label, why }) => (
        <p key={label} className="cs-bad">
          <SafeTextView text={`Every tool of ${label} is in quarantine: ${why}`} />
        </p>
      ))}
      <ul className="cards">
        {shown.map((tool) => (
          <li key={keyOf(tool)} className="tool waiting">
            <QuarantinedTool
              tool={tool}
              isOpenFirst={shown.length <= FEW}
              layout={layout}
              accept={() => accept(tool)}
            />
          </li>
        ))}
      </ul>
      {left.map(({ label, count, command }) => (
        <p key={label} className="cs-dim">
          <SafeTextView
            text={`${count} more of ${label} ${count === 1 ? 'is' : 'are'} not shown here. Nothing of that can be called.`}
          />
          {command !== null && (
            <>
              {' '}
              To look at it:{' '}
              <code>
                <SafeTextView text={command} />
              </code>
            </>
          )}
        </p>
      ))}
    </section>
  )
}

function keyOf({ label, server, name, hash }: Waiting): string {
  return JSON.stringify([label, server.hash, name, hash])
}

const MOST_ODD = 8

/** One tool in quarantine: whose it is, why, what is new in it, and the way to let it be called. */
export function QuarantinedTool({
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
          <SafeTextView text={`${tool.label}/${tool.name}`} />
        </code>
        <span className="cs-tag quarantine-tag">{tool.accepted === null ? 'new' : 'changed'}</span>
        <span className="cs-dim tool-facts">found {formatAgo(now - tool.since)}</span>
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
        Calls are refused: <SafeTextView text={tool.why} />.
      </p>
      <p className="cs-dim waiting-server">
        Its server is{' '}
        <code>
          <SafeTextView text={tool.server.shown} />
        </code>
      </p>
      {odd.length > 0 && (
        <ul className="cs-notes cs-notes-bad" aria-label="Characters that hide or pose as others">
          {odd.map(({ where, what, count }) => (
            <li key={`${where} ${what}`}>
              ! <SafeTextView text={`${count} ${what} ${count === 1 ? 'character' : 'characters'} in ${where}`} />
            </li>
          ))}
          {tool.odd.length > odd.length && <li>! and in {tool.odd.length - odd.length} more places</li>}
        </ul>
      )}
      <DefinitionView before={tool.accepted} after={tool.definition} />
      <EndOfCard />
      <AcceptBar
        about={`${tool.hash} ${layout}`}
        blocked={
          isSame ? acceptBlockedReason(link, signing, tool.command) : 'What this page was given is not what waits.'
        }
        accept={accept}
      />
    </div>
  )
}
