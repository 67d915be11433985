import {
  countedWords,
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

/** Up to this many tools start expanded. */
const FEW = 3

interface Done {
  readonly key: string
  readonly tool: string
  readonly by: string
  readonly at: number
}

/** The tools in quarantine, if there are any. */
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
        {' '}
        Quarantine
      </h2>
      {shown.length > 0 && (
        <p className="cs-dim">
          These MCP tools are new or differ from what was accepted. Read each change: the agent’s model reads it too and
          may follow it.
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
          <SafeTextView text={`All tools of ${label} are in quarantine: ${why}`} />
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
            text={`${countedWords(count, 'more tool')} of ${label} ${count === 1 ? 'is' : 'are'} not shown here and can’t be called.`}
          />
          {command !== null && (
            <>
              {' '}
              To review:{' '}
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

/** A tool in quarantine: its server, the reason, the changed definition and the accept bar. */
export function QuarantinedTool({
  tool,
  isOpenFirst,
  layout,
  accept,
}: {
  readonly tool: Waiting
  readonly isOpenFirst: boolean
  /** The layout of the page; a change may move this tool. */
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
        {' '}
        Server:{' '}
        <code>
          <SafeTextView text={tool.server.shown} />
        </code>
      </p>
      {odd.length > 0 && (
        <ul className="cs-notes cs-notes-bad" aria-label="Hidden or look-alike characters">
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
          isSame
            ? acceptBlockedReason(link, signing, tool.command)
            : 'This definition does not match the one in quarantine. Reload the page.'
        }
        accept={accept}
      />
    </div>
  )
}
