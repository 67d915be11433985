import { countedWords, type HeldCallView, type OpenedView, refusedText } from '@countersign/core'
import type { ReactNode } from 'react'
import { CallEffect } from '../text/inline-code.tsx'
import { OptionalReading } from '../text/reading-progress.tsx'
import { Region } from '../text/region.tsx'
import { SafeTextView } from '../text/safe-text.tsx'
import { Findings } from './findings.tsx'
import { Unbound } from './request-details.tsx'
import { WhyAsked } from './why-asked.tsx'

/** The shareable parts of a call's context, with their names. */
const PARTS = {
  why: 'the reasons',
  tool: 'the tool’s message',
  server: 'the publisher’s description',
  agent: 'the agent’s message',
  reasoning: 'the agent’s thinking',
} as const

type Part = keyof typeof PARTS

/** The context of a held call: findings, unbound targets, reasons and unverified claims. */
export function CallContext({
  opened,
  same = [],
  quiet = false,
}: {
  readonly opened: OpenedView
  /** Parts that are identical to the call above and therefore not repeated. */
  readonly same?: readonly Part[]
  /** They are on this card already: nobody is told that they are not repeated. */
  readonly quiet?: boolean
}): ReactNode {
  const { view } = opened
  const isNew = (what: Part): boolean => !same.includes(what)
  return (
    <>
      <Refused view={view} />
      <Findings findings={view.findings} request={view.request} />
      <Unbound opened={opened} />
      {isNew('why') && <WhyAsked view={view} />}
      {isNew('tool') && <UnverifiedClaim who="tool" text={view.confirmationMessage} />}
      {isNew('server') && <UnverifiedClaim who="server" text={view.toolDescription} />}
      {isNew('agent') && <UnverifiedClaim who="agent" text={view.said} />}
      {isNew('reasoning') && <Reasoning text={view.reasoning} />}
      {same.length > 0 && !quiet && (
        <p className="cs-dim">Same as above: {same.map((what) => PARTS[what]).join(', ')}.</p>
      )}
    </>
  )
}

/** What the sandbox refused to the same command before, which now asks to run outside. */
function Refused({ view }: { readonly view: HeldCallView }): ReactNode {
  const { refused = [], request } = view
  if (refused.length === 0) return null
  return (
    <Region className="cs-findings" label="Sandbox">
      <h3 className="cs-heading">When this command last ran, the sandbox</h3>
      <ul>
        {refused.map((one) => (
          <li key={`${one.kind} ${one.what}`} className="cs-finding cs-finding-warn">
            <span className="cs-finding-sign" aria-hidden="true">
              !
            </span>
            <span>
              <CallEffect text={refusedText(one)} request={request} />
            </span>
          </li>
        ))}
      </ul>
    </Region>
  )
}

/** The parts of the context that two calls share word for word, including secrets. */
export function sharedContext(view: HeldCallView, other: HeldCallView): readonly Part[] {
  const [mine, theirs] = [partsOf(view), partsOf(other)]
  return (Object.keys(PARTS) as Part[]).filter(
    (what) => mine[what] !== null && JSON.stringify(mine[what]) === JSON.stringify(theirs[what]),
  )
}

function partsOf({
  verdict,
  risk,
  confirmationMessage,
  toolDescription,
  said,
  reasoning,
}: HeldCallView): Record<Part, unknown> {
  const { rule, condition = null, reasons, contributors } = verdict
  const why = { rule, condition, reasons, contributors, risk: risk.reasons }
  return { why, tool: confirmationMessage, server: toolDescription, agent: said, reasoning: reasoning ?? null }
}

const SHOWN = 500

/**
 * Text from the agent, the tool or its server. SECURITY: A15 shown below the facts, muted and labelled as unverified.
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

/** The agent's thinking, folded. SECURITY: A15 below the facts, and labelled as unverified. */
function Reasoning({ text }: { readonly text: string | undefined }): ReactNode {
  if (text === undefined) return null
  return (
    <details className="cs-details">
      <summary>The agent’s thinking ({countedWords(text.length, 'character')}, unverified)</summary>
      <OptionalReading>
        <blockquote className="cs-words cs-reasoning">
          {text.split('\n').map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text have no other name
            <p key={at}>
              <SafeTextView text={line} />
            </p>
          ))}
        </blockquote>
      </OptionalReading>
    </details>
  )
}

const CAPTIONS = {
  agent: 'From the agent (unverified)',
  tool: 'From the tool (unverified)',
  server: 'From the tool’s publisher (unverified)',
} as const
