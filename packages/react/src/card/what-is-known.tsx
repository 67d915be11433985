import type { HeldCallView, OpenedView } from '@countersign/core'
import type { ReactNode } from 'react'
import { AgentWords } from './agent-words.tsx'
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
export function WhatIsKnown({
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
      {isNew('tool') && <AgentWords who="tool" text={view.confirmationMessage} />}
      {isNew('server') && <AgentWords who="server" text={view.toolDescription} />}
      {isNew('agent') && <AgentWords who="agent" text={view.said} />}
      {same.length > 0 && <p className="cs-dim">As above: {same.map((what) => TOLD[what]).join(', ')}.</p>}
    </>
  )
}

/** What two calls have in common of that, word for word, secrets and all; what neither has is not named. */
export function sameKnown(view: HeldCallView, other: HeldCallView): readonly Told[] {
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
