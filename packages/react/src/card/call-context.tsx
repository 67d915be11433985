import type { HeldCallView, OpenedView } from '@countersign/core'
import type { ReactNode } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'
import { Findings } from './findings.tsx'
import { Unbound } from './request-details.tsx'
import { WhyAsked } from './why-asked.tsx'

/** What is told of a call beside the call itself, by what a person calls it. */
const TOLD = {
  why: 'why it was asked',
  tool: 'what the tool asks',
  server: 'what its maker claims',
  agent: 'what the agent says',
} as const

type Told = keyof typeof TOLD

/** What is known of a held call beside the call itself: findings, what is not bound, why it was asked, and claims. */
export function CallContext({
  opened,
  same = [],
}: {
  readonly opened: OpenedView
  /** What stands above already, word for word: it is not said again. */
  readonly same?: readonly Told[]
}): ReactNode {
  const { view } = opened
  const isNew = (what: Told): boolean => !same.includes(what)
  return (
    <>
      <Findings findings={view.findings} request={view.request} />
      <Unbound opened={opened} />
      {isNew('why') && <WhyAsked view={view} />}
      {isNew('tool') && <UnverifiedClaim who="tool" text={view.confirmationMessage} />}
      {isNew('server') && <UnverifiedClaim who="server" text={view.toolDescription} />}
      {isNew('agent') && <UnverifiedClaim who="agent" text={view.said} />}
      {same.length > 0 && <p className="cs-dim">As above: {same.map((what) => TOLD[what]).join(', ')}.</p>}
    </>
  )
}

/** What two calls have in common of that, word for word, secrets and all; what neither has is not named. */
export function sharedContext(view: HeldCallView, other: HeldCallView): readonly Told[] {
  const [mine, theirs] = [toldOf(view), toldOf(other)]
  return (Object.keys(TOLD) as Told[]).filter(
    (what) => mine[what] !== null && JSON.stringify(mine[what]) === JSON.stringify(theirs[what]),
  )
}

function toldOf({ verdict, risk, confirmationMessage, toolDescription, said }: HeldCallView): Record<Told, unknown> {
  const { rule, condition = null, reasons, contributors } = verdict
  const why = { rule, condition, reasons, contributors, risk: risk.reasons }
  return { why, tool: confirmationMessage, server: toolDescription, agent: said }
}

const SHOWN = 500

/**
 * What the agent, the tool or its server say of the call. SECURITY: A15, below the facts, quiet, and named as a claim:
 * nothing in it was checked.
 */
export function UnverifiedClaim({
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
        <SafeTextView text={cut ? text.slice(0, SHOWN).toWellFormed() : text} />
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
