import type { ReactNode } from 'react'
import { Safe } from '../text/safe-text.tsx'

const SHOWN = 500

/**
 * What the agent, the tool or its server say of the call. SECURITY: A15, below the facts, quiet, and named as a claim:
 * nothing in it was checked.
 */
export function AgentWords({
  who,
  text,
}: {
  readonly who: 'agent' | 'tool' | 'server'
  readonly text: string | null
}): ReactNode {
  if (text === null || text.trim() === '') return null
  const cut = text.length > SHOWN
  return (
    <figure className="cs-words">
      <figcaption>{CAPTIONS[who]}</figcaption>
      <blockquote>
        <Safe text={cut ? text.slice(0, SHOWN).toWellFormed() : text} />
        {cut && <span className="cs-dim"> … {text.length - SHOWN} more characters</span>}
      </blockquote>
    </figure>
  )
}

const CAPTIONS = {
  agent: 'The agent says, in its own words (not checked)',
  tool: 'The tool asks (its own words, not checked)',
  server: 'Claimed by the tool’s maker (not checked)',
} as const
