import type { OpenedView } from '@countersign/core'
import type { ReactNode } from 'react'
import { AgentWords } from './agent-words.tsx'
import { Findings } from './findings.tsx'
import { Unbound } from './request-details.tsx'
import { WhyAsked } from './why-asked.tsx'

/** What is known of a held call beside the call itself: findings, what is not bound, why it was asked, and claims. */
export function WhatIsKnown({ opened }: { readonly opened: OpenedView }): ReactNode {
  const { view } = opened
  return (
    <>
      <Findings findings={view.findings} />
      <Unbound opened={opened} />
      <WhyAsked view={view} />
      <AgentWords who="tool" text={view.confirmationMessage} />
      <AgentWords who="server" text={view.toolDescription} />
      <AgentWords who="agent" text={view.said} />
    </>
  )
}
