import { clockWords, Safe, useServerNow } from '@countersign/react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { WaitingTool as Waiting } from '../api/service.ts'
import { acceptDefinition } from './accept-definition.ts'
import { WaitingTool } from './quarantined-tool.tsx'
import { useQuarantine } from './use-quarantine.ts'

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
            <Safe text={tool} />
          </code>{' '}
          <span className="cs-dim">
            <Safe text={`by ${by} at ${clockWords(at)}`} />
          </span>
        </p>
      ))}
      {broken.map(({ label, why }) => (
        <p key={label} className="cs-bad">
          <Safe text={`Every tool of ${label} is in quarantine: ${why}`} />
        </p>
      ))}
      <ul className="cards">
        {shown.map((tool) => (
          <li key={keyOf(tool)} className="tool waiting">
            <WaitingTool tool={tool} isOpenFirst={shown.length <= FEW} layout={layout} accept={() => accept(tool)} />
          </li>
        ))}
      </ul>
      {left.map(({ label, count, command }) => (
        <p key={label} className="cs-dim">
          <Safe
            text={`${count} more of ${label} ${count === 1 ? 'is' : 'are'} not shown here. Nothing of that can be called.`}
          />
          {command !== null && (
            <>
              {' '}
              To look at it:{' '}
              <code>
                <Safe text={command} />
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
